/** Reads a JSON body within its limits, decodes it with a schema, and describes what is wrong with an invalid one. */
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "@winnow/core/domain/request/Refusal";
import {
  fieldsRefused,
  quotedText,
  readObject,
  rejectUnstorableText
} from "@winnow/core/domain/request/BodyFields";
import { roundedChoiceIn } from "@winnow/core/domain/text/JsonNumbers";
import * as ByteSize from "effect/ByteSize";
import * as Effect from "effect/Effect";
import * as HttpApiError from "effect/http-api/HttpApiError";
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware";
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import { BODY_ERRORS } from "./ApiErrors.ts";

/** Twice the maximum schema and prompt together, with room for escapes. */
export const BODY_BYTES_MAX = 262_144;

const tooLarge = (maxBytes: number) =>
  new PayloadTooLarge({
    message: `The body is larger than ${maxBytes} bytes; send a smaller one.`,
    details: { param: "body", maxBytes }
  });

const malformed = (message: string) =>
  new InvalidRequest({ message, details: { param: "body", reason: "malformed" } });

/** RFC 8259 JSON is UTF-8 and needs no charset. */
const isJson = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const [type, ...parameters] = (headers["content-type"] ?? "application/json").toLowerCase().split(";");
  const charsets = parameters.filter((parameter) => parameter.trim().startsWith("charset="));
  return (
    type?.trim() === "application/json" &&
    charsets.every((charset) => /^\s*charset="?utf-?8"?\s*$/u.test(charset))
  );
};

/** Small bodies do not benefit from compression, and decompression bombs are excluded. */
const isPlain = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["content-encoding"] ?? "identity").toLowerCase() === "identity";

const unsupported = (param: string, message: string) =>
  new UnsupportedMediaType({ message, details: { param } });

/** domain/request/BodyFields checks the depth. @fails InvalidRequest not JSON */
export const parseJson = Effect.fnUntraced(function* (text: string) {
  const body = yield* Effect.try({ try: () => JSON.parse(text) as unknown, catch: notJson });
  // Its fields refuse a body that nests too deep to be searched.
  const rounded = yield* Effect.try(() => (/\d{16}/u.test(text) ? roundedChoiceIn(text) : null)).pipe(
    Effect.orElseSucceed(() => null)
  );
  return rounded === null ? body : yield* malformed(roundedMessage(rounded));
});

const roundedMessage = (number: string) =>
  `A schema in the body lists the number ${quotedText(number)}, whose digits do not fit into a JSON number; list it as a string.`;

const notJson = () => malformed("The body is not valid JSON; send one JSON object, encoded as UTF-8.");

/** No body is one without fields, because many endpoints require none. */
const textOf = (bytes: ArrayBuffer): Effect.Effect<string, InvalidRequest> =>
  bytes.byteLength === 0
    ? Effect.succeed("{}")
    : Effect.try({ try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes), catch: notJson });

/** The raw body. @fails PayloadTooLarge over the limit, InvalidRequest truncated */
export const readBytes = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes = BODY_BYTES_MAX
) {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return yield* tooLarge(maxBytes);
  // Requests keep what was read of them as long as their answer lasts, and the largest bodies have the longest ones.
  const { arrayBuffer } = request.modify({});
  return yield* arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.catchTag("HttpServerError", (error) =>
      Effect.fail(
        error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
          ? tooLarge(maxBytes)
          : malformed("The request body was truncated; send it again.")
      )
    )
  );
});

const readText = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes?: number
) {
  if (!isJson(request)) {
    return yield* unsupported(
      "Content-Type",
      "Send the body as JSON in UTF-8 with the header Content-Type: application/json."
    );
  }
  if (!isPlain(request)) {
    return yield* unsupported("Content-Encoding", "Send the body uncompressed, without Content-Encoding.");
  }
  return yield* textOf(yield* readBytes(request, maxBytes));
});

/** @fails InvalidRequest malformed, PayloadTooLarge over the limit, UnsupportedMediaType not JSON */
export const readJson = (request: HttpServerRequest.HttpServerRequest, maxBytes?: number) =>
  Effect.flatMap(readText(request, maxBytes), parseJson);

/**
 * Of endpoints with a JSON body: it is read within its limits, decoded by the endpoint's schema, and refused in words
 * that name the field.
 */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()("@winnow/server/http/JsonBody", {
  error: BODY_ERRORS
}) {}

export const jsonBodies = Layer.succeed(JsonBody, (handler) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const text = yield* readText(request);
    const fields = yield* Effect.flatMap(parseJson(text), (body) => Effect.fromResult(readObject(body)));
    yield* Effect.fromResult(rejectUnstorableText(fields));
    const read: typeof request = Object.create(request, { text: { value: Effect.succeed(text) } });
    return yield* handler.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, read),
      Effect.catch((error) =>
        Effect.fail(
          HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Payload"
            ? fieldsRefused(error.cause.issue)
            : error
        )
      )
    );
  })
);
