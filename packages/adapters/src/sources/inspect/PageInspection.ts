/**
 * The page itself, in parallel to yt-dlp: the response of the URL and the page reader's result; again in a browser, if its
 * server sends an empty shell; and what the page is: a photo post, an article, or the reason why it is neither.
 */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Context from "effect/Context";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { EgressWay, FetchedBody } from "@winnow/isolation/network/Egress";
import { resolver } from "@winnow/pages/parse/Address";
import { refreshUrl } from "@winnow/pages/parse/Refresh";
import type { PageReader } from "../page-reader/PageReader.ts";
import type { PageRenderer } from "../browser/PageRenderer.ts";
import type { PageUnreadable } from "@winnow/pages/PageUnreadable";
import type { PageReading } from "@winnow/pages/facts/PageReading";
import { classifyStatus, egressFailure, failed, failureOf, type FailureClass } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";
import { photoFacts, webpageFacts } from "../metadata/facts.ts";
import type { Found } from "./Inspection.ts";
import { failOnTimeout, type InspectionPermit } from "./InspectionCache.ts";

export interface PageServices {
  /** Of the run's route. */
  readonly egress: EgressWay;
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

/** Texts of pages shown instead of the content, by HTTP status. */
const CHALLENGE = /captcha|cf-chl|challenge-platform|are you a robot|unusual traffic/iu;

const CHALLENGE_CHARS = 65_536;

const statusFailure = (status: number, body: Uint8Array): Failed | null => {
  const verdict = classifyStatus(status);
  if (verdict === null) return null;
  const start = new TextDecoder().decode(body.subarray(0, CHALLENGE_CHARS));
  const challenged = (status === 403 || status === 503) && CHALLENGE.test(start);
  return challenged ? failed("bot_blocked") : failureOf(verdict);
};

const unreadableFailure = ({ message, reason }: PageUnreadable): Failed => {
  if (reason === "timeout" || reason === "too_large") return failed(reason);
  const isDocument = reason === "damaged" || reason === "encrypted";
  return failed("not_extractable", isDocument ? message : undefined);
};

/** One response, or the URL that it sends its readers to. */
const inspectResponse = Effect.fnUntraced(function* (
  response: FetchedBody,
  pages: PageServices["pages"]
): Effect.fn.Return<PageInspection | { readonly _tag: "Refresh"; readonly url: string }> {
  const refusal = statusFailure(response.status, response.body);
  if (refusal !== null) return { _tag: "Unavailable", failure: refusal };
  const refresh = response.headers["refresh"] ?? "";
  const sentTo = refreshUrl(refresh, resolver(response.url, null), response.url);
  if (sentTo !== null) return { _tag: "Refresh", url: sentTo };
  const contentType = response.headers["content-type"] ?? null;
  if (contentType !== null && /^image\/(?!svg)/iu.test(contentType))
    return { _tag: "Image", url: response.url };
  const page = yield* Effect.result(pages.read(response.body, { url: response.url, contentType }));
  if (page._tag === "Failure") return { _tag: "Unreadable", failure: unreadableFailure(page.failure) };
  const { refreshUrl: next } = page.success;
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
  { egress, limits, pages }: Omit<PageServices, "renderer">,
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
    const inspection = yield* inspectResponse(answer.success, pages);
    if (inspection._tag !== "Refresh") return inspection;
    next = inspection.url;
    redirectCount = answer.success.redirectCount + 1;
  }
});

// Classifies a page without a video: a photo post, an article, or the reason why it is neither.

/** A shorter text that asks for JavaScript is an empty application shell. */
const SHELL_CHARS_MAX = 300;

const isShell = ({ metadata, needsBrowser, text: { plain } }: PageReading): boolean =>
  plain.trim() === "" ||
  (needsBrowser && plain.trim() === metadata.title?.trim()) ||
  (plain.length <= SHELL_CHARS_MAX &&
    /(?:enable|requires?|turn on)\s+javascript|javascript is (?:disabled|required)/iu.test(plain));

/** A page that announces a video but hides it may still be an article if it has this much text. */
const ARTICLE_CHARS_MIN = 500;

/** For a page without its own content that was not rendered completely. */
const NOTHING_BUT_SHELL =
  "The page has no content until scripts render it in a browser, and it could not be rendered here.";

const NO_COUNTS = { viewCount: null, likeCount: null, commentCount: null, hasComments: false } as const;

const fileNameOf = (url: string): string | null =>
  URL.parse(url)
    ?.pathname.split("/")
    .at(-1)
    ?.replace(/\.\w+$/u, "") || null;

/** Verdicts that are more specific than an unreadable page. */
const isDefinite = (verdict: FailureClass): boolean =>
  !["no_media", "fault", "unreachable", "timeout", "source_fault"].includes(verdict);

export const pageSource = (
  url: string,
  inspection: PageInspection,
  verdict: FailureClass
): Effect.Effect<Found, Failed> => {
  if (inspection._tag === "Unavailable" || inspection._tag === "Unreadable") {
    // Only the page itself distinguishes bot detection from content that is forbidden to everybody.
    const walled = inspection.failure.reason === "bot_blocked";
    return Effect.fail(isDefinite(verdict) && !walled ? failureOf(verdict) : inspection.failure);
  }
  if (inspection._tag === "Image") {
    return Effect.succeed({
      facts: photoFacts(url, {
        ...NO_COUNTS,
        title: fileNameOf(inspection.url),
        uploader: null,
        description: null,
        uploadDate: null,
        images: [inspection.url],
        webpageUrl: inspection.url
      }),
      details: {},
      source: { _tag: "Photos", images: [inspection.url], commentsUrl: null }
    });
  }
  const { page, warnings = [] } = inspection;
  if (page.loginWall) return Effect.fail(failed("login_required"));
  if (page.kind === "photos" && page.media.images.length > 0) {
    return Effect.succeed({
      facts: photoFacts(url, {
        ...page.metadata,
        images: page.media.images,
        hasComments: false,
        webpageUrl: page.metadata.canonicalUrl ?? inspection.url
      }),
      details: page.metadata.details,
      source: { _tag: "Photos", images: page.media.images, commentsUrl: null },
      warnings
    });
  }
  const readable = page.kind === "video" ? page.text.plain.length >= ARTICLE_CHARS_MIN : !isShell(page);
  return readable
    ? Effect.succeed({
        facts: webpageFacts(inspection.url, page.metadata),
        details: { ...page.metadata.details, links: page.text.links },
        source: { _tag: "Webpage", page },
        warnings
      })
    : Effect.fail(
        isDefinite(verdict)
          ? failureOf(verdict)
          : failed("not_extractable", warnings.at(0) && NOTHING_BUT_SHELL)
      );
};

// The second inspection of a page whose server sends an empty shell: in a browser, if there is one. Without one, or
// if it fails, the page is used as sent, with a warning.

const NO_BROWSER =
  "This page is rendered by scripts, and this server has no browser: only the HTML that the site sends was read.";

const NOT_RENDERED =
  "This page is rendered by scripts, and rendering it failed: only the HTML that the site sends was read.";

const UNSETTLED = "The page was still loading when it was read; some of it may be missing.";

const HTML_TYPE = "text/html; charset=utf-8";

type ReadInspection = Extract<PageInspection, { readonly _tag: "Read" }>;

interface RenderingServices extends Pick<PageServices, "egress" | "pages" | "renderer"> {
  readonly permit: InspectionPermit;
}

/** While waiting for the browser, the permit is released and the time limit is paused. */
const renderedInspection = Effect.fnUntraced(
  function* (
    sent: ReadInspection,
    {
      egress,
      pages,
      renderer,
      permit: turn
    }: RenderingServices & { readonly renderer: NonNullable<RenderingServices["renderer"]> }
  ) {
    yield* turn.release;
    yield* turn.pause;
    const document = yield* renderer.render(sent.url, {
      egress,
      onTurn: turn.resume
    });
    const bytes = new TextEncoder().encode(document.html);
    const page = yield* pages.read(bytes, { url: document.url, contentType: HTML_TYPE });
    if (page.text.plain.length < sent.page.text.plain.length && !page.loginWall) {
      return { ...sent, warnings: [NOT_RENDERED] };
    }
    const inspection: ReadInspection = { _tag: "Read", url: document.url, page };
    return document.settled ? inspection : { ...inspection, warnings: [UNSETTLED] };
  },
  (inspection, sent, { permit: turn }) =>
    inspection.pipe(
      Effect.ensuring(turn.resume),
      Effect.catch(({ reason }) =>
        Effect.logInfo("A page was not rendered").pipe(
          Effect.annotateLogs({ reason }),
          Effect.as<ReadInspection>({ ...sent, warnings: [NOT_RENDERED] })
        )
      )
    )
);

/** A post's pictures, or a login wall, are conclusive without rendering. */
const wantsBrowser = ({ kind, loginWall, media, needsBrowser }: PageReading): boolean =>
  needsBrowser && !loginWall && !(kind === "photos" && media.images.length > 0);

export const rendered = (
  inspection: PageInspection,
  { egress, pages, renderer, permit: turn }: RenderingServices
): Effect.Effect<PageInspection> => {
  if (inspection._tag !== "Read" || !wantsBrowser(inspection.page)) return Effect.succeed(inspection);
  return renderer === null
    ? Effect.succeed({ ...inspection, warnings: [NO_BROWSER] })
    : renderedInspection(inspection, { egress, pages, renderer, permit: turn });
};

/**
 * The current article, read without yt-dlp: asking it again costs more than the rest of a small run. Null if the page
 * is no article any more and needs a full inspection.
 */
export const inspectKnownPage = Effect.fnUntraced(function* (
  services: PageServices,
  url: string,
  permit: InspectionPermit
) {
  const found = yield* inspectPage(url, services).pipe(
    Effect.flatMap((page) => rendered(page, { ...services, permit })),
    Effect.flatMap((page) => pageSource(url, page, "no_media")),
    Effect.raceFirst(failOnTimeout(permit, { timeoutMs: services.limits.inspectTimeoutMs })),
    Effect.orElseSucceed(() => null)
  );
  return found?.source._tag === "Webpage" && found.source.page.kind === "webpage" ? found : null;
});
