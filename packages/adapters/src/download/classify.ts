/**
 * From what yt-dlp, a server or the egress guard said to one reason and one sentence of ours. Sources'
 * own words are only matched, never passed on: they hold addresses, paths and advice about options.
 */
import { DownloadFailed } from "@winnow/core/ports/Downloader";
import type { EgressFailed } from "../egress/Egress.ts";
import type { YtDlpFailure } from "./YtDlpRunner.ts";

export type DownloadReason = DownloadFailed["reason"];

/**
 * `no_media`: not a failure yet, for there may be photos or an article; `unreachable` and `source_fault`
 * (its server says 5xx): both a `timeout` to callers, who have no other word for "later"; `fault`: the
 * extractor broke.
 */
export type Verdict = DownloadReason | "no_media" | "unreachable" | "source_fault" | "fault";

const SENTENCES: Readonly<Partial<Record<DownloadReason, string>>> = {
  private: "The content is private or forbidden to visitors.",
  removed: "The content does not exist or was removed at its source.",
  login_required: "The source shows this content only after sign-in.",
  age_restricted: "The source asks visitors to confirm their age.",
  geo_restricted: "The source does not show this content in this server's country.",
  drm: "The media is protected against copying.",
  live: "This is a live stream or premiere that has not ended.",
  bot_blocked: "The source takes this server for a robot.",
  rate_limited: "The source asks for fewer requests.",
  too_long: "The video is longer than 60 minutes.",
  too_large: "The content is larger than this server downloads.",
  timeout: "The source could not be reached or did not answer in time.",
  blocked_address: "The content leads to an address that is not public.",
  host_not_public: "The host of this URL is not public.",
  not_extractable: "There is no video, photo post or article at this URL.",
  internal: "Reading this content failed on our side."
};

export const sentenceOf = (reason: DownloadReason): string =>
  SENTENCES[reason] ?? "The content could not be fetched.";

export const failed = (reason: DownloadReason, message?: string): DownloadFailed =>
  new DownloadFailed({ reason, message: message ?? sentenceOf(reason) });

/** Advice that yt-dlp adds to its messages and that would match the words of other reasons. */
const ADVICE = /(?:\. |; )?(?:Use --cookies|Use --username|See\s+https?:|please report this issue).*$/isu;

/**
 * First match wins: "not a bot" comes with "sign in", and almost everything is "unavailable". YouTube's
 * extractor has but one sentence, the one about player responses, for everything that kept it from asking.
 */
const PATTERNS: ReadonlyArray<readonly [RegExp, Verdict]> = [
  [/not a bot|captcha|blocked by server|ip address is blocked|cloudflare|challenge/iu, "bot_blocked"],
  [/too many requests|rate.?limit|try again later|exceeded the rate/iu, "rate_limited"],
  [/file:\/\/|url type|url scheme|unsupported scheme/iu, "blocked_address"],
  [/file too large|errno 27|larger than max-filesize|file is larger/iu, "too_large"],
  [/\bdrm\b/iu, "drm"],
  [/account.*(?:terminated|suspended|deleted)/iu, "removed"],
  [/confirm your age|age[- ](?:restrict|verif|gate|limit)|inappropriate for some/iu, "age_restricted"],
  [/\bprivate\b|permission to view|follow this account/iu, "private"],
  [
    /sign ?in|log ?in|registered users|members?[- ]only|join this channel|subscri|premium\b|purchase|\bpaid\b|\brent\b|account|password/iu,
    "login_required"
  ],
  [
    /premieres|live event|not (?:currently )?live|offline|has not (?:yet )?started|scheduled|will begin|livestream|live stream/iu,
    "live"
  ],
  [/\bgeo\b|geo-|your (?:country|location|region)|not available (?:in|from) your/iu, "geo_restricted"],
  [/unsupported url|no video|no media|no formats|requested format is not available/iu, "no_media"],
  [
    /timed out|connection (?:refused|reset|aborted)|resolve|transporterror|proxyerror|incompleteread|tunnel connection|remote end closed|getaddrinfo/iu,
    "unreachable"
  ],
  [
    /removed|deleted|terminated|no longer (?:available|exist)|does(?:n't| not) exist|not found|unavailable|not available|expired|copyright|status code/iu,
    "removed"
  ],
  [
    /failed to extract any player response|got error|giving up after|bytes, expected|connection broken|broken pipe|unable to download/iu,
    "unreachable"
  ]
];

/** What an HTTP status of the source says; null below 400. */
export const classifyStatus = (status: number): Verdict | null => {
  if (status < 400) return null;
  if (status === 401 || status === 407) return "login_required";
  if (status === 402) return "login_required";
  if (status === 403) return "private";
  if (status === 404 || status === 410) return "removed";
  if (status === 408) return "unreachable";
  if (status === 429) return "rate_limited";
  if (status === 451) return "geo_restricted";
  return status >= 500 ? "source_fault" : "not_extractable";
};

export const classify = (failure: YtDlpFailure): Verdict => {
  if (failure.type === "MemoryError" || failure.type === "Killed") return "too_large";
  if (failure.type === "GeoRestrictedError") return "geo_restricted";
  if (failure.type === "UserNotLive") return "live";
  if (failure.type === "UnsupportedError") return "no_media";
  const message = failure.message.replace(ADVICE, "");
  if (/redirect loop/iu.test(message)) return "not_extractable";
  const matched = PATTERNS.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  if (matched === "bot_blocked" || matched === "rate_limited") return matched;
  const byStatus = failure.status === null ? null : classifyStatus(failure.status);
  if (byStatus !== null) return byStatus;
  // What is out of reach is no fault of the extractor, though it may say so.
  if (matched === "unreachable" || matched === "blocked_address") return matched;
  return failure.expected === false ? "fault" : (matched ?? "fault");
};

const SOURCE_FAULT = "The source answers with a fault of its own.";

/** A verdict that stands as a failure: nothing else of the page can be read instead. */
export const failureOf = (verdict: Verdict): DownloadFailed => {
  if (verdict === "no_media") return failed("not_extractable");
  if (verdict === "unreachable") return failed("timeout");
  if (verdict === "source_fault") return failed("timeout", SOURCE_FAULT);
  return verdict === "fault" ? failed("internal") : failed(verdict);
};

export const egressFailure = (error: EgressFailed): DownloadFailed => {
  switch (error.reason) {
    case "unreachable":
      return failed("timeout", "The source could not be reached.");
    case "redirect_loop":
      return failed("not_extractable", "The URL redirects in a circle.");
    case "bad_response":
      return failed("not_extractable", "The source answered with something that is not HTTP.");
    default:
      return failed(error.reason);
  }
};
