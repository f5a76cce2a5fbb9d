/**
 * What a page without a video is: a photo post, an article, or the reason why it is neither. Its cases:
 * test/sources/outcomes/pages.test.ts, of empty shells rendered.test.ts.
 */
import * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { PageReading } from "@winnow/pages/facts/PageReading";
import { failed, type FailureClass, failureOf } from "../failures/classify.ts";
import { photoFacts, webpageFacts } from "../metadata/facts.ts";
import type { Found } from "./Inspection.ts";
import type { PageInspection } from "./PageInspection.ts";

/** Narrower than what has a page rendered (pages' ArticleText.ts): a short text about JavaScript is an article. */
const ASKS_FOR_SCRIPT = /(?:enable|requires?|turn on)\s+javascript|javascript is (?:disabled|required)/iu;

const isShell = ({ metadata, needsBrowser, text: { plain, scannedPages } }: PageReading): boolean =>
  (plain.trim() === "" && scannedPages.length === 0) ||
  (needsBrowser && (plain.trim() === metadata.title?.trim() || ASKS_FOR_SCRIPT.test(plain)));

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
