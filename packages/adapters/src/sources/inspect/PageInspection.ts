/** Our own inspection of the page, in parallel to yt-dlp: the response of the URL, and the page reader's result. */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type * as Context from "effect/Context";
import type { Egress } from "../../network/Egress.ts";
import { PAGE_HEADERS } from "../../pages/PageHeaders.ts";
import type { PageReader } from "../../pages/reader/PageReader.ts";
import type { PageRenderer } from "../../pages/PageRenderer.ts";
import type { PageUnreadable } from "../../pages/PageUnreadable.ts";
import type { PageReading } from "../../pages/metadata/PageReading.ts";
import { classifyStatus, egressFailure, failed, failureOf } from "../failures/classify.ts";
import type { DownloadLimits } from "../limits/DownloadLimits.ts";

export interface PageServices {
  readonly egress: Context.Service.Shape<typeof Egress>;
  readonly pages: Context.Service.Shape<typeof PageReader>;
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
  | { readonly _tag: "Unreadable"; readonly failure: DownloadFailed }
  | { readonly _tag: "Failed"; readonly failure: DownloadFailed };

/** The guard rejected the address itself, so nothing else needs to be tried. */
export const isFatal = (inspection: PageInspection): boolean =>
  inspection._tag === "Failed" && inspection.failure.reason === "host_not_public";

/** Texts of pages shown instead of the content, by HTTP status. */
const CHALLENGE = /captcha|cf-chl|challenge-platform|are you a robot|unusual traffic/iu;

const CHALLENGE_CHARS = 65_536;

const statusFailure = (status: number, body: Uint8Array): DownloadFailed | null => {
  const verdict = classifyStatus(status);
  if (verdict === null) return null;
  const start = new TextDecoder().decode(body.subarray(0, CHALLENGE_CHARS));
  const challenged = (status === 403 || status === 503) && CHALLENGE.test(start);
  return challenged ? failed("bot_blocked") : failureOf(verdict);
};

const unreadableFailure = ({ message, reason }: PageUnreadable): DownloadFailed => {
  if (reason === "timeout" || reason === "too_large") return failed(reason);
  const isDocument = reason === "damaged" || reason === "encrypted";
  return failed("not_extractable", isDocument ? message : undefined);
};

export const inspectPage = Effect.fnUntraced(function* (
  url: string,
  accountId: string,
  { egress, limits, pages }: Omit<PageServices, "renderer">
): Effect.fn.Return<PageInspection> {
  const answer = yield* Effect.result(
    egress.fetch(url, {
      maxBytes: limits.pageMaxBytes,
      timeoutMs: limits.smallFetchTimeoutMs,
      headers: PAGE_HEADERS
    })
  );
  if (answer._tag === "Failure") return { _tag: "Failed", failure: egressFailure(answer.failure) };
  const response = answer.success;
  const refusal = statusFailure(response.status, response.body);
  if (refusal !== null) return { _tag: "Failed", failure: refusal };
  const contentType = response.headers["content-type"] ?? null;
  if (contentType !== null && /^image\/(?!svg)/iu.test(contentType))
    return { _tag: "Image", url: response.url };
  return yield* pages.read(response.body, { url: response.url, contentType }, accountId).pipe(
    Effect.map((page): PageInspection => ({ _tag: "Read", url: response.url, page })),
    Effect.catch((unreadable) =>
      Effect.succeed<PageInspection>({
        _tag: "Unreadable",
        failure: unreadableFailure(unreadable)
      })
    )
  );
});
