/**
 * What endpoints declare of the refusals: the envelope `{ error: { code, message, details? } }`, status and words.
 * Tests: errors.test.ts, OpenApiDocument.test.ts.
 */
import { CODES, type CodeRow } from "@winnow/core/domain/request/ErrorCodes";
import * as Refusal from "@winnow/core/domain/request/Refusal";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";

/** The words of the API document about a response. */
export const described = ({ code, when }: { readonly code: string; readonly when: string }): string =>
  `\`${code}\`: ${when}`;

/** The header `Retry-After` where waiting helps. */
export const retryAfter = ({ retryAfterSeconds }: Refusal.Refusal): Readonly<Record<string, string>> =>
  retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };

export const errorBody = (refusal: Refusal.Refusal) => ({ error: Refusal.errorOf(refusal) });

/** Those of the code, once in the API document. */
const knownReasons = (tag: Refusal.RefusalTag): string => {
  const { code } = Refusal.REFUSALS[tag];
  const { reasons }: CodeRow = CODES[code];
  const isFirst = Object.values(Refusal.REFUSALS).find((row) => row.code === code) === Refusal.REFUSALS[tag];
  if (reasons === undefined || !isFirst) return "";
  return ` \`reason\` may be ${reasons
    .split(" ")
    .map((reason) => `\`${reason}\``)
    .join(", ")}, or another one.`;
};

/** The answer to a refused call, for refusals outside the endpoints. `status` if the protocol demands another. */
export const errorResponse = (
  refusal: Refusal.Refusal,
  status: number = Refusal.REFUSALS[refusal._tag].status
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(errorBody(refusal), { status, headers: retryAfter(refusal) });

/** The schema that encodes a refusal as its error; its name is that of the client's class. */
const envelope = <R extends Refusal.Refusal>(Class: {
  readonly tag: Refusal.RefusalTag;
  new (said: never): R;
}) => {
  const { code, status, when, example } = Refusal.REFUSALS[Class.tag];
  return Schema.Struct({
    error: Schema.Struct({
      code: Schema.tag(code),
      message: Schema.String.annotate({ description: "For people; may change." }),
      details: Schema.optionalKey(
        Schema.Record(Schema.String, Schema.Json).annotate({
          description: `Structured context; absent when there is none.${knownReasons(Class.tag)}`
        })
      )
    })
  })
    .annotate({
      identifier: `${Class.tag}Error`,
      description: when,
      examples: [{ error: { code, ...example } }] as never
    })
    .pipe(
      Schema.decodeTo(Schema.instanceOf(Class), {
        decode: SchemaGetter.forbidden(() => "The server reads no errors."),
        encode: SchemaGetter.transform(errorBody)
      })
    )
    .annotate({ httpApiStatus: status, description: described({ code, when }) });
};

export const Unauthorized = envelope(Refusal.Unauthorized);
export const InvalidRequest = envelope(Refusal.InvalidRequest);
export const PreconditionFailed = envelope(Refusal.PreconditionFailed);
export const RangeNotSatisfiable = envelope(Refusal.RangeNotSatisfiable);
export const PayloadTooLarge = envelope(Refusal.PayloadTooLarge);
export const InsufficientCredits = envelope(Refusal.InsufficientCredits);
export const NotFound = envelope(Refusal.NotFound);
export const Conflict = envelope(Refusal.Conflict);
export const RateLimited = envelope(Refusal.RateLimited);
export const Internal = envelope(Refusal.Internal);
export const Busy = envelope(Refusal.Busy);
export const NotReady = envelope(Refusal.NotReady);
const URL_ERRORS = Refusal.URL_REFUSALS.map((Class) => envelope<Refusal.UrlRefused>(Class));

/** Errors of every endpoint that reads a body. */
export const BODY_ERRORS = [InvalidRequest, PayloadTooLarge, envelope(Refusal.UnsupportedMediaType)] as const;

export const SUBMIT_ERRORS = [
  ...BODY_ERRORS,
  ...URL_ERRORS,
  InsufficientCredits,
  NotFound,
  Conflict,
  RateLimited,
  Busy
] as const;

export const PROBE_ERRORS = [
  ...BODY_ERRORS,
  ...URL_ERRORS,
  NotFound,
  envelope(Refusal.ContentUnavailable),
  envelope(Refusal.Unreachable),
  Busy
] as const;

export const THUMBNAIL_ERRORS = [InvalidRequest, ...URL_ERRORS, NotFound, Busy] as const;
