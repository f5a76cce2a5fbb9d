/**
 * Maps messages of yt-dlp, servers and the egress guard to a reason and a sentence. The messages of sources are
 * only matched, never passed on: they contain addresses, paths and advice about options.
 */
import type { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { Failed, type FailureReason, type UnreachableCause } from "@winnow/core/domain/source/Failed";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { EgressProxy } from "@winnow/isolation/network/Egress";
import type { EgressFailed } from "@winnow/isolation/network/guard/EgressFailed";
import { ADVICE, stageOf } from "./messages.ts";

/** What yt-dlp says went wrong. */
export const YtDlpFailure = Schema.Struct({
  /** Name of the exception; `Error` if only a line of text is known. */
  type: Schema.String,
  /** The HTTP status that caused it. */
  status: Schema.NullOr(Schema.Number),
  /** False: a fault of the extractor; null if unknown. */
  expected: Schema.NullOr(Schema.Boolean),
  /** The extractor that failed; null if none had started. */
  extractor: Schema.NullOr(Schema.String),
  message: Schema.String,
  /** The Retry-After header of the rejection. */
  retryAfter: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** The inspection aborted while reading captions; absent otherwise or if unknown. */
  inCaptions: Schema.optionalKey(Schema.Boolean)
});

export type YtDlpFailure = typeof YtDlpFailure.Type;

/**
 * `no_media`: not a failure yet, because there may be photos or an article; `source_fault`: the server responded
 * 5xx, which callers see as `unreachable`; `fault`: the extractor broke.
 */
export type FailureClass = FailureReason | "no_media" | "source_fault" | "fault";

const SENTENCES: Readonly<Partial<Record<FailureReason, string>>> = {
  private: "The content is private or forbidden to visitors.",
  removed: "The content does not exist or was removed at its source.",
  login_required: "The source shows this content only after sign-in.",
  age_restricted: "The source asks visitors to confirm their age.",
  geo_restricted: "The source does not show this content in this server's country.",
  drm: "The media is copy-protected.",
  live: "This is a live stream or premiere that has not ended.",
  bot_blocked: "The source treats this server as a bot.",
  rate_limited: "The source is rate limiting this server.",
  too_large: "The content is larger than this server downloads.",
  timeout: "The source did not respond in time.",
  unreachable: "The source could not be reached.",
  blocked_address: "The content leads to an address that is not public.",
  host_not_public: "The host of this URL is not public.",
  not_extractable: "There is no video, photo post or article at this URL.",
  internal: "Reading this content failed: internal error."
};

export const sentenceOf = (reason: FailureReason): string =>
  SENTENCES[reason] ?? "The content could not be fetched.";

export const failed = (
  reason: FailureReason,
  message: string = sentenceOf(reason),
  unreachableCause: UnreachableCause | null = null
): Failed => new Failed({ reason, message, unreachableCause });

/** The meaning of the source's HTTP status; null below 400. */
export const classifyStatus = (status: number): FailureClass | null => {
  if (status < 400) return null;
  if (status === 401 || status === 407) return "login_required";
  if (status === 402) return "login_required";
  if (status === 403 || status === 423) return "private";
  if (status === 404 || status === 410) return "removed";
  if (status === 408) return "timeout";
  if (status === 418) return "bot_blocked";
  if (status === 420 || status === 429) return "rate_limited";
  if (status === 451) return "geo_restricted";
  return status >= 500 ? "source_fault" : "not_extractable";
};

const BY_TYPE: ReadonlyMap<string, FailureClass> = new Map([
  ["MemoryError", "too_large"],
  ["Killed", "too_large"],
  ["GeoRestrictedError", "geo_restricted"],
  ["UserNotLive", "live"],
  ["UnsupportedError", "no_media"]
]);

/**
 * The status of the page takes precedence over the message. 403 on anything behind the page (its API, its media) is
 * bot detection, because everybody who may see the page may load them. 412, and statuses outside HTTP (999), always
 * are.
 */
const byStatus = (status: number | null, message: string): FailureClass | null => {
  if (status === null) return null;
  const forbidden =
    status === 403 &&
    /reason given: (?:banned|gold_only|quarantine|\w*(?:age_|geo_|country|region))/iu.exec(message);
  if (forbidden) return null;
  if (status === 412 || status > 599) return "bot_blocked";
  const behindPage =
    /(?:unable|failed) to (?:download|fetch|get|query|request|retrieve|obtain|load) (?!(?:[\w-]+ )?web ?page)|for 'https?:\/\/(?:[^'/]*\bapi\b|[^']*(?:\/n?api\/|\/graphql|\.json\b))/iu;
  if (status === 403 && behindPage.test(message)) return "bot_blocked";
  return classifyStatus(status);
};

const CERTAIN = stageOf("certain");
const BROKEN_EXTRACTOR = stageOf("broken");
const UNEXPECTED = stageOf("unexpected");
const ABROAD = stageOf("abroad");
const CONTENT = stageOf("content");
const LOGIN_ADVICE = stageOf("advice");
const REST = stageOf("rest");

/**
 * In order of certainty: the exception's type, bot detection and limits, the status, the platform's message about
 * the content, advice to log in, then the rest. Anything else is a fault of the extractor.
 */
export const classify = (failure: YtDlpFailure): FailureClass => {
  const byType = BY_TYPE.get(failure.type);
  if (byType !== undefined) return byType;
  const message = failure.message.replaceAll("\u2019", "'").replace(ADVICE, "");
  if (/redirect loop/iu.test(message)) return "not_extractable";
  const status = failure.status ?? Number(/HTTP Error (\d{3})\b/iu.exec(message)?.[1] ?? Number.NaN);
  const { extractor } = failure;
  const certain = CERTAIN(message, extractor) ?? byStatus(Number.isNaN(status) ? null : status, message);
  if (certain !== null) return certain;
  const fault =
    BROKEN_EXTRACTOR(message, extractor) ??
    (failure.expected === false ? UNEXPECTED(message, extractor) : null);
  if (fault !== null) return fault;
  const words = message.replace(/HTTP Error \d+:? \w+/u, "");
  const reason = ABROAD(words, extractor) ?? CONTENT(words, extractor);
  if (reason !== null) return reason;
  const rest = REST(message, extractor);
  const advice = LOGIN_ADVICE(failure.message, extractor);
  if (advice !== null && rest !== "unreachable" && rest !== "timeout") return advice;
  return rest ?? "fault";
};

/** The fields of a failure of the yt-dlp command, from its last line or from the message alone. */
export const failureFrom = (text: string): YtDlpFailure => {
  // `ERROR: [vimeo:album] 123: HTTP Error 404: Not Found`; gallery-dl writes `'404 Not Found' for 'https://…'`.
  const prefixMatch = /^(?:ERROR: )?(?:\[([\w:+-]+)\] (?:[\w.-]+: )?)?/u.exec(text);
  const message = text.slice(prefixMatch?.[0].length ?? 0);
  const status = /HTTP Error (\d{3})\b|^'?(\d{3}) [A-Z][\w' -]+ for '/u.exec(message)?.slice(1).find(Boolean);
  return {
    type: /\bUnsupported URL\b/u.test(message) ? "UnsupportedError" : "Error",
    status: status === undefined ? null : Number(status),
    expected: /please report this issue/iu.test(message) ? false : null,
    extractor: prefixMatch?.[1] ?? null,
    message
  };
};

const SOURCE_FAULT = "The source returned a server error.";

/** An extractor usually crashes because its site has changed since it was written. */
const BROKEN =
  "The program that reads this site failed, most often because the site has changed; the operator should update yt-dlp and gallery-dl.";

/** A final verdict: no other content of the page can be used instead. */
export const failureOf = (verdict: FailureClass): Failed => {
  if (verdict === "no_media") return failed("not_extractable");
  if (verdict === "source_fault") return failed("unreachable", SOURCE_FAULT, "http_5xx");
  return verdict === "fault" ? failed("internal", BROKEN) : failed(verdict);
};

export const egressFailure = (error: EgressFailed): Failed => {
  switch (error.reason) {
    case "redirect_loop":
      return failed("not_extractable", "The URL redirects in a loop.");
    case "bad_response":
      return failed("not_extractable", "The source's response is not valid HTTP.");
    default:
      return failed(error.reason, undefined, error.unreachableCause);
  }
};

/** Maps a failure caused by the proxy's denial to the proxy's reason. */
export const explainedBy = (proxy: EgressProxy, failure: Failed): Effect.Effect<Failed> =>
  Effect.gen(function* () {
    if (yield* proxy.exhausted) return failed("too_large");
    const denials = yield* proxy.denials;
    if (denials.length > 0 && failure.reason !== "host_not_public") return failed("blocked_address");
    const cause = yield* proxy.unreachableCause;
    return failure.reason === "unreachable" && failure.unreachableCause === null && cause !== null
      ? failed(failure.reason, failure.message, cause)
      : failure;
  });

export const processFailure = (error: ProcessFailed): Failed =>
  failed(
    error.reason === "timeout" ? "timeout" : error.reason === "output_too_large" ? "too_large" : "internal"
  );
