/**
 * What a page is when there is no video: a photo post, an article, or the reason why it is neither.
 */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type { PageReading } from "../page/PageReading.ts";
import { failed, failureOf, type Verdict } from "./classify.ts";
import { photoFacts, webpageFacts } from "./facts.ts";
import type { Inspection } from "./Inspection.ts";
import type { PageInspection } from "./PageInspection.ts";

/** Shorter texts that ask for JavaScript are the empty shell of an application. */
const SHELL_CHARS_MAX = 300;

const isShell = ({ needsBrowser, text, title }: PageReading): boolean =>
  text.trim() === "" ||
  (needsBrowser && text.trim() === title?.trim()) ||
  (text.length <= SHELL_CHARS_MAX &&
    /(?:enable|requires?|turn on)\s+javascript|javascript is (?:disabled|required)/iu.test(text));

/** A page that claims a video but hides it still may be an article, when it has this much to read. */
const ARTICLE_CHARS_MIN = 500;

/** For a page without content of its own that was not rendered, or not to the end. */
const NOTHING_BUT_SHELL =
  "The server of this page sends no content: scripts make it in a browser, which could not be done here.";

const NO_COUNTS = { viewCount: null, likeCount: null, commentCount: null, hasComments: false } as const;

const fileNameOf = (url: string): string | null =>
  URL.parse(url)
    ?.pathname.split("/")
    .at(-1)
    ?.replace(/\.\w+$/u, "") || null;

/** Verdicts that say more than a page that could not be read. */
const isDefinite = (verdict: Verdict): boolean =>
  !["no_media", "fault", "unreachable", "timeout", "source_fault"].includes(verdict);

export const pageSource = (
  url: string,
  inspection: PageInspection,
  verdict: Verdict
): Effect.Effect<Omit<Inspection, "inspectedAtMs">, DownloadFailed> => {
  if (inspection._tag === "Failed" || inspection._tag === "Unreadable") {
    // Only the page itself tells a robot's wall from what is forbidden to everybody.
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
  if (page.kind === "photos" && page.images.length > 0) {
    return Effect.succeed({
      facts: photoFacts(url, {
        ...page,
        hasComments: false,
        webpageUrl: page.canonicalUrl ?? inspection.url
      }),
      details: page.details,
      source: { _tag: "Photos", images: page.images, commentsUrl: null },
      warnings
    });
  }
  const readable = page.kind === "video" ? page.text.length >= ARTICLE_CHARS_MIN : !isShell(page);
  return readable
    ? Effect.succeed({
        facts: webpageFacts(inspection.url, page),
        details: { ...page.details, links: page.links },
        source: { _tag: "Webpage", page },
        warnings
      })
    : Effect.fail(
        isDefinite(verdict)
          ? failureOf(verdict)
          : failed("not_extractable", warnings.at(0) && NOTHING_BUT_SHELL)
      );
};
