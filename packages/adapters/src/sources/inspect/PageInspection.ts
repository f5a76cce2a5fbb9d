/**
 * The page itself, in parallel to yt-dlp: the response of the URL and the page reader's result. What is done with it:
 * renderedPage.ts and pageSource.ts. Tests: refreshes.test.ts, outcomes/pages.test.ts.
 */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Context from "effect/Context";
import { Failed } from "@winnow/core/domain/source/Failed";
import type { EgressWay, FetchedBody } from "@winnow/isolation/network/Egress";
import { resolver } from "@winnow/pages/parse/Address";
import { refreshUrl } from "@winnow/pages/parse/Refresh";
import { isRaster } from "../../programs/images/PictureFormat.ts";
import type { Tesseract } from "../../programs/Tesseract.ts";
import type { PageReader } from "../page-reader/PageReader.ts";
import type { PageRenderer } from "../browser/PageRenderer.ts";
import type { PageUnreadable } from "@winnow/pages/PageUnreadable";
import type { PageReading } from "@winnow/pages/facts/PageReading";
import { classifyStatus, egressFailure, failed, failureOf } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";

export interface PageServices {
  /** Of the run's route. */
  readonly egress: EgressWay;
  readonly pages: Context.Service.Shape<typeof PageReader>;
  /** Null without this program. */
  readonly tesseract: Tesseract | null;
  /** Null without a browser. */
  readonly renderer: Context.Service.Shape<typeof PageRenderer> | null;
  readonly limits: DownloadLimits;
}

export type PageInspection =
  | {
      readonly _tag: "Read";
      readonly url: string;
      readonly page: PageReading;
      /** Warnings about content of the page that could not be seen. */
      readonly warnings?: ReadonlyArray<string>;
    }
  | { readonly _tag: "Image"; readonly url: string }
  /** There was a response, but not a page. */
  | { readonly _tag: "Unreadable"; readonly failure: Failed }
  | { readonly _tag: "Unavailable"; readonly failure: Failed; readonly isPacked?: boolean };

/** The guard rejected the address itself, so nothing else needs to be tried. */
export const isFatal = (inspection: PageInspection): boolean =>
  inspection._tag === "Unavailable" && inspection.failure.reason === "host_not_public";

/** What the server sends is too large once unpacked, as no media is. */
export const isBomb = (inspection: PageInspection): boolean =>
  inspection._tag === "Unavailable" && inspection.isPacked === true;

/** The server has no such page. */
export const isGone = (inspection: PageInspection): boolean =>
  inspection._tag === "Unavailable" && inspection.failure.reason === "removed";

/** In pages that are shown instead of the content, with status 403 or 503. */
const CHALLENGE = /captcha|cf-chl|challenge-platform|are you a robot|unusual traffic/iu;

const CHALLENGE_CHARS = 65_536;

const statusFailure = (status: number, body: Uint8Array): Failed | null => {
  const verdict = classifyStatus(status);
  if (verdict === null) return null;
  const start = new TextDecoder().decode(body.subarray(0, CHALLENGE_CHARS));
  const challenged = (status === 403 || status === 503) && CHALLENGE.test(start);
  return challenged ? failed("bot_blocked") : failureOf(verdict);
};

/** For files that are known to be no pages, and documents. */
const HINTS: Readonly<Partial<Record<PageUnreadable["reason"], string>>> = {
  no_text: "Use a document with text, or with larger scans.",
  unsupported_type: "Use a document of one of these types, or the address of a page.",
  damaged: "Use a whole copy of the document.",
  encrypted: "Use a copy that opens without a password."
};

const unreadableFailure = ({ message, reason }: PageUnreadable): Failed => {
  if (reason === "timeout" || reason === "too_large") return failed(reason);
  const hint = HINTS[reason];
  return hint === undefined
    ? failed("not_extractable")
    : new Failed({ reason: "not_extractable", message, hint });
};

const unknownPicture = new Failed({
  reason: "not_extractable",
  message: "The picture is neither JPEG, PNG, GIF, WebP, AVIF nor HEIC.",
  hint: "Use a picture in one of these formats."
});

const unreadScans = new Failed({
  reason: "not_extractable",
  message: "The pages of this document are scans, pictures without text.",
  hint: "Ask the operator of this server to install tesseract, or use a document with text."
});

/** One response, or the URL that it sends its readers to. */
const inspectResponse = Effect.fnUntraced(function* (
  response: FetchedBody,
  { pages, tesseract }: Pick<PageServices, "pages" | "tesseract">
): Effect.fn.Return<PageInspection | { readonly _tag: "Refresh"; readonly url: string }> {
  const refusal = statusFailure(response.status, response.body);
  if (refusal !== null) return { _tag: "Unavailable", failure: refusal };
  const refresh = response.headers["refresh"] ?? "";
  const sentTo = refreshUrl(refresh, resolver(response.url, null), response.url);
  if (sentTo !== null) return { _tag: "Refresh", url: sentTo };
  // Servers guess types by the names of files.
  if (isRaster(response.body)) return { _tag: "Image", url: response.url };
  const contentType = response.headers["content-type"] ?? null;
  const page = yield* Effect.result(pages.read(response.body, { url: response.url, contentType }));
  if (page._tag === "Failure") {
    const isPicture = page.failure.reason === "unsupported_type" && /^image\//iu.test(contentType ?? "");
    return { _tag: "Unreadable", failure: isPicture ? unknownPicture : unreadableFailure(page.failure) };
  }
  const { refreshUrl: next, text } = page.success;
  if (tesseract === null && text.plain === "" && text.scannedPages.length > 0)
    return { _tag: "Unreadable", failure: unreadScans };
  return next === null
    ? { _tag: "Read", url: response.url, page: page.success }
    : { _tag: "Refresh", url: next };
});

/**
 * Follows what pages do instead of a redirect, with the guard and the limit of redirects. `first`: gets the response of
 * the URL itself; null if there is none.
 */
export const inspectPage = Effect.fnUntraced(function* (
  url: string,
  { egress, limits, ...services }: Omit<PageServices, "renderer">,
  first: Deferred.Deferred<FetchedBody | null> = Deferred.makeUnsafe()
): Effect.fn.Return<PageInspection> {
  let next = url;
  let redirectCount = 0;
  for (;;) {
    const answer = yield* Effect.result(
      egress.fetch(next, {
        maxBytes: limits.pageMaxBytes,
        timeoutMs: limits.smallFetchTimeoutMs,
        redirectCount
      })
    );
    yield* Deferred.succeed(first, answer._tag === "Success" ? answer.success : null);
    if (answer._tag === "Failure") {
      const { isPacked = false } = answer.failure;
      return { _tag: "Unavailable", failure: egressFailure(answer.failure), isPacked };
    }
    const inspection = yield* inspectResponse(answer.success, services);
    if (inspection._tag !== "Refresh") return inspection;
    next = inspection.url;
    redirectCount = answer.success.redirectCount + 1;
  }
});
