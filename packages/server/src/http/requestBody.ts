/**
 * Reads a JSON body within its limits, and says in words what is wrong with one that is not fit.
 */
import { BODY_DEPTH_MAX, shown } from "@winnow/core/domain/BodyFields";
import * as ByteSize from "effect/ByteSize";
import * as Effect from "effect/Effect";
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../api/ApiErrors.ts";

/** Twice the largest schema and prompt together, with room for escapes (contract 5). */
export const BODY_BYTES_MAX = 262_144;

const tooLarge = () =>
  new PayloadTooLarge({
    error: {
      message: `The body is larger than ${BODY_BYTES_MAX} bytes; send a smaller one.`,
      details: { maxBytes: BODY_BYTES_MAX }
    }
  });

export const malformed = (message: string) =>
  new InvalidRequest({ error: { message, details: { param: "body", reason: "malformed" } } });

/** RFC 8259 JSON is UTF-8 and needs no charset; other encodings of the body are not undone here. */
const isJson = ({ headers }: HttpServerRequest): boolean => {
  const [type, ...parameters] = (headers["content-type"] ?? "application/json").toLowerCase().split(";");
  const coding = headers["content-encoding"] ?? "identity";
  const charsets = parameters.filter((parameter) => parameter.trim().startsWith("charset="));
  return (
    type?.trim() === "application/json" &&
    coding === "identity" &&
    charsets.every((charset) => /^\s*charset="?utf-?8"?\s*$/u.test(charset))
  );
};

export interface Nesting {
  /** How deep arrays and objects lie in each other. */
  readonly depth: number;
  /** The member of the body that goes deepest, as it is written; empty when the body is no object. */
  readonly member: string;
}

/** Brackets within strings do not count. The text need not be JSON. */
export const nestingOf = (json: string): Nesting => {
  const isObject = json.trimStart().startsWith("{");
  let depth = 0;
  let deepest = 0;
  let member = "";
  let last = "";
  let quotedFrom: number | null = null;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (quotedFrom !== null) {
      if (character === "\\") index++;
      else if (character === '"') {
        if (depth === 1 && isObject) last = json.slice(quotedFrom, index + 1);
        quotedFrom = null;
      }
    } else if (character === '"') quotedFrom = index;
    else if (character === "{" || character === "[") {
      if (++depth > deepest) [deepest, member] = [depth, last];
    } else if (character === "}" || character === "]") depth--;
  }
  return { depth: deepest, member };
};

const tooDeep = Effect.fnUntraced(function* (member: string) {
  const name = yield* Effect.orElseSucceed(
    Effect.try(() => JSON.parse(member) as string),
    () => "body"
  );
  const param = shown(name);
  return yield* new InvalidRequest({
    error: {
      message: `\`${param}\` is nested deeper than ${BODY_DEPTH_MAX} levels; flatten it.`,
      details: { param, reason: "too_deep" }
    }
  });
});

/** @fails InvalidRequest no JSON, or nested too deep */
export const parseJson = (text: string): Effect.Effect<unknown, InvalidRequest> =>
  Effect.suspend(() => {
    const { depth, member } = nestingOf(text);
    return depth > BODY_DEPTH_MAX
      ? tooDeep(member)
      : Effect.try({ try: () => JSON.parse(text) as unknown, catch: notJson });
  });

const notJson = () => malformed("The body is not valid JSON; send one JSON object, encoded as UTF-8.");

/** No body at all is one without fields: many endpoints ask for none. */
const parse = (bytes: ArrayBuffer): Effect.Effect<unknown, InvalidRequest> =>
  bytes.byteLength === 0
    ? Effect.succeed({})
    : Effect.flatMap(
        Effect.try({ try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes), catch: notJson }),
        parseJson
      );

/** @fails InvalidRequest malformed, PayloadTooLarge over the limit, UnsupportedMediaType not JSON */
export const readJson = Effect.fnUntraced(function* (request: HttpServerRequest) {
  if (!isJson(request)) {
    return yield* new UnsupportedMediaType({
      error: {
        message: "Send the body as JSON in UTF-8 with the header Content-Type: application/json.",
        details: { param: "Content-Type" }
      }
    });
  }
  if (Number(request.headers["content-length"] ?? 0) > BODY_BYTES_MAX) return yield* tooLarge();
  const bytes = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES_MAX)),
    Effect.catchTag("HttpServerError", (error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? Effect.fail(tooLarge())
        : Effect.fail(malformed("The body broke off before its end; send it again."))
    )
  );
  return yield* parse(bytes);
});
