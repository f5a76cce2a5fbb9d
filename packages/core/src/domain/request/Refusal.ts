/**
 * Every refusal of a call, once: its code and status, and what the docs, the API document and the client say of it.
 * `npm run generate` carries the table into them. Tests: the server's refusals.test.ts, OpenApiDocument.test.ts.
 */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import type * as Schema from "effect/Schema";
import type { ErrorCode } from "./ErrorCodes.ts";

type Details = Readonly<Record<string, Schema.Json>>;

export interface RefusalRow {
  readonly code: ErrorCode;
  /** Of HTTP. */
  readonly status: number;
  /** When it is sent. */
  readonly when: string;
  /** When the same request may succeed; absent for never. */
  readonly retry?: string;
  readonly example: { readonly message: string; readonly details?: Details };
}

/** By tag. The first one of a code describes its class in the client. */
export const REFUSALS = {
  Unauthorized: {
    code: "unauthorized",
    status: 401,
    when: "Missing, invalid or revoked key, or no web session where one is required.",
    example: { message: "Send an API key in the x-api-key header or as Authorization: Bearer." }
  },
  InvalidRequest: {
    code: "invalid_request",
    status: 400,
    when: "Malformed JSON or an invalid field, cursor, header or file name, named in `details.param`.",
    example: {
      message: '"inputs" needs "schema" or "schemaId"; use "parts" for a download-only run.',
      details: { param: "inputs", reason: "requires_schema" }
    }
  },
  MethodNotAllowed: {
    code: "invalid_request",
    status: 405,
    when: "The path has other methods, which the header `Allow` names.",
    example: { message: "PUT not allowed; use GET or POST." }
  },
  RequestTimeout: {
    code: "invalid_request",
    status: 408,
    when: "The request was not received in time.",
    retry: "yes",
    example: { message: "The request was not received in time; send it again." }
  },
  PreconditionFailed: {
    code: "invalid_request",
    status: 412,
    when: "The file does not match `If-Match`.",
    example: {
      message: "The file is not the one named by If-Match; ask for it again without that header.",
      details: { param: "If-Match" }
    }
  },
  PayloadTooLarge: {
    code: "invalid_request",
    status: 413,
    when: "The body is larger than the `details.maxBytes` of the endpoint: 256 KB, of a batch 4 MB.",
    example: {
      message: "The body is larger than 262144 bytes; send a smaller one.",
      details: { param: "body", maxBytes: 262_144 }
    }
  },
  UnsupportedMediaType: {
    code: "invalid_request",
    status: 415,
    when: "The body was not sent as JSON.",
    example: { message: "Send the body as JSON with the header Content-Type: application/json." }
  },
  RangeNotSatisfiable: {
    code: "invalid_request",
    status: 416,
    when: "The range is outside the file.",
    example: {
      message: "The file has 1048576 bytes; ask for a range within it.",
      details: { param: "Range", sizeBytes: 1_048_576 }
    }
  },
  HeadersTooLong: {
    code: "invalid_request",
    status: 431,
    when: "The headers are too long.",
    example: { message: "The headers are too long; send fewer or shorter ones." }
  },
  InvalidUrl: {
    code: "invalid_url",
    status: 400,
    when: "`url` is not a parseable absolute URL.",
    example: {
      message:
        "`url` must be a whole address that begins with https://, such as https://example.com/article.",
      details: { param: "url", reason: "not_absolute" }
    }
  },
  UnsupportedUrl: {
    code: "unsupported_url",
    status: 400,
    when:
      "The URL is valid but not supported: a scheme other than http and https, embedded credentials, a " +
      "channel, a playlist, a live stream, a video over 60 minutes, a host that is not public.",
    retry: "not this URL",
    example: {
      message: "This is the address of a playlist; submit the address of one video.",
      details: { param: "url", reason: "playlist" }
    }
  },
  InsufficientCredits: {
    code: "insufficient_credits",
    status: 402,
    when: "The balance cannot cover the quoted price, or the API key has spent its `dailyCredits`.",
    retry: "after a top-up, or tomorrow",
    example: {
      message: "This run costs 230 credits and the balance is 100; top up and submit again.",
      details: { balance: 100, cost: 230 }
    }
  },
  NotFound: {
    code: "not_found",
    status: 404,
    when: "No such path, or no such resource in this account.",
    example: { message: "There is no such extraction." }
  },
  Conflict: {
    code: "conflict",
    status: 409,
    when: "The `Idempotency-Key` was used with a different body, what it created was deleted, or the batch was cancelled.",
    retry: "with a new key",
    example: {
      message: "This Idempotency-Key was used with a different body; send that body again or use a new key."
    }
  },
  ContentUnavailable: {
    code: "content_unavailable",
    status: 422,
    when: "The content is private, removed or gated. Permanent.",
    example: { message: "The video is private.", details: { reason: "private" } }
  },
  RateLimited: {
    code: "rate_limited",
    status: 429,
    when:
      "The rate limit of the endpoint is reached, too many extractions wait, too many event streams or downloads are " +
      "open, or failed runs have used the day's model tokens.",
    retry: "after `Retry-After` seconds",
    example: { message: "6 requests a minute are allowed here; try again in 12 seconds." }
  },
  Internal: {
    code: "internal_error",
    status: 500,
    when: "Internal server error.",
    retry: "with backoff and an `Idempotency-Key`",
    example: {
      message: "Internal error. Try again; if it persists, report the X-Request-Id of this response."
    }
  },
  Unreachable: {
    code: "internal_error",
    status: 502,
    when: "The source could not be inspected right now.",
    retry: "later",
    example: {
      message: "The source could not be reached.",
      details: { reason: "unreachable", cause: "dns" }
    }
  },
  Busy: {
    code: "internal_error",
    status: 503,
    when: "The server is overloaded; nothing was debited.",
    retry: "after `Retry-After` seconds",
    example: {
      message: "The server is overloaded; try again in 10 seconds.",
      details: { reason: "busy" }
    }
  },
  NotReady: {
    code: "internal_error",
    status: 503,
    when:
      "The server is not ready, is stopping, or cannot reach its database or artifact store; nothing was done, or a " +
      "retry with the same key finds it.",
    retry: "after `Retry-After` seconds",
    example: { message: "The database does not respond." }
  }
} as const satisfies Readonly<Record<string, RefusalRow>>;

export type RefusalTag = keyof typeof REFUSALS;

/** What one refusal says beyond its row. */
export interface Said {
  /** For people: what is wrong, and what to do. */
  readonly message: string;
  /** `param` names the field, `reason` the rule. */
  readonly details?: Details;
  /** When the same request may succeed. */
  readonly retryAfterSeconds?: number;
}

interface Refused<Tag extends RefusalTag> extends Cause.YieldableError {
  readonly _tag: Tag;
  readonly code: (typeof REFUSALS)[Tag]["code"];
  readonly details: Details;
  readonly retryAfterSeconds: number | null;
}

interface RefusalClass<Tag extends RefusalTag> {
  readonly tag: Tag;
  new (said: Said): Refused<Tag>;
}

const refusal = <const Tag extends RefusalTag>(tag: Tag): RefusalClass<Tag> =>
  class extends Data.TaggedError(tag)<{
    readonly message: string;
    readonly details: Details;
    readonly retryAfterSeconds: number | null;
  }> {
    static readonly tag = tag;

    constructor(said: Said) {
      super({ details: {}, retryAfterSeconds: null, ...said });
    }

    get code() {
      return REFUSALS[tag].code;
    }
  };

export type Refusal = Refused<RefusalTag>;

export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && "_tag" in error && Object.hasOwn(REFUSALS, String(error._tag));

/** What the API says of a refusal; without details if there are none. */
export const errorOf = ({ code, message, details }: Refusal) => ({
  code,
  message,
  ...(Object.keys(details).length === 0 ? {} : { details })
});

export class Unauthorized extends refusal("Unauthorized") {}
export class InvalidRequest extends refusal("InvalidRequest") {}
export class MethodNotAllowed extends refusal("MethodNotAllowed") {}
export class RequestTimeout extends refusal("RequestTimeout") {}
export class PreconditionFailed extends refusal("PreconditionFailed") {}
export class PayloadTooLarge extends refusal("PayloadTooLarge") {}
export class UnsupportedMediaType extends refusal("UnsupportedMediaType") {}
export class RangeNotSatisfiable extends refusal("RangeNotSatisfiable") {}
export class HeadersTooLong extends refusal("HeadersTooLong") {}
export class ContentUnavailable extends refusal("ContentUnavailable") {}
export class Unreachable extends refusal("Unreachable") {}
export class NotReady extends refusal("NotReady") {}
export class Internal extends refusal("Internal") {}

export class Conflict extends refusal("Conflict") {}
export class RateLimited extends refusal("RateLimited") {}

export class InsufficientCredits extends refusal("InsufficientCredits") {
  /** Both in whole credits. */
  static of(
    { balance, cost }: { readonly balance: number; readonly cost: number },
    what: "run" | "batch" = "run"
  ) {
    const message = `This ${what} costs ${cost} credits and the balance is ${balance}; top up and submit again.`;
    return new InsufficientCredits({ message, details: { balance, cost } });
  }
}

export class NotFound extends refusal("NotFound") {
  /**
   * `what` is a word for people: "extraction", "file", "schema", "account", "API key".
   *
   * @param param the field of the body that names it; none if the path does
   */
  static of(what: string, param?: string) {
    return new NotFound({
      message: `There is no such ${what}.`,
      ...(param === undefined ? {} : { details: { param } })
    });
  }
}

export class Busy extends refusal("Busy") {
  /** Too many requests are waiting; nothing was debited and the source was not contacted. */
  static of(retryAfterSeconds: number) {
    return new Busy({
      message: `The server is overloaded; try again in ${retryAfterSeconds} seconds.`,
      details: { reason: "busy" },
      retryAfterSeconds
    });
  }
}

/** A URL is refused for good, and never without a reason. */
interface UrlSaid extends Pick<Said, "message"> {
  readonly details: Details & { readonly reason: string };
}

export class InvalidUrl extends refusal("InvalidUrl") {
  declare readonly details: UrlSaid["details"];

  constructor({ message, details }: UrlSaid) {
    super({ message, details });
  }
}

export class UnsupportedUrl extends refusal("UnsupportedUrl") {
  declare readonly details: UrlSaid["details"];

  constructor({ message, details }: UrlSaid) {
    super({ message, details });
  }
}

/** Refusals by the text of a URL. */
export const URL_REFUSALS = [InvalidUrl, UnsupportedUrl] as const;
export type UrlRefused = InstanceType<(typeof URL_REFUSALS)[number]>;
