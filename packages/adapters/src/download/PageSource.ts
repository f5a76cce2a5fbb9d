/**
 * What a page is when there is no video: a photo post, an article, or the reason why it is neither.
 */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type { PageReading } from "../page/PageReading.ts";
import { failed, failureOf, type Verdict } from "./classify.ts";
import { photoFacts, webpageFacts } from "./facts.ts";
import type { Look } from "./Look.ts";
import type { PageLook } from "./PageLook.ts";

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
  !["no_media", "fault", "unreachable", "source_fault"].includes(verdict);

export const pageSource = (
  url: string,
  look: PageLook,
  verdict: Verdict
): Effect.Effect<Omit<Look, "lookedAtMs">, DownloadFailed> => {
  if (look._tag === "Failed" || look._tag === "Unreadable") {
    // Only the page itself tells a robot's wall from what is forbidden to everybody.
    const walled = look.failure.reason === "bot_blocked";
    return Effect.fail(isDefinite(verdict) && !walled ? failureOf(verdict) : look.failure);
  }
  if (look._tag === "Image") {
    return Effect.succeed({
      facts: photoFacts(url, {
        ...NO_COUNTS,
        title: fileNameOf(look.url),
        uploader: null,
        description: null,
        uploadDate: null,
        images: [look.url],
        webpageUrl: look.url
      }),
      source: { _tag: "Photos", images: [look.url], commentsUrl: null }
    });
  }
  const { page, warnings = [] } = look;
  if (page.loginWall) return Effect.fail(failed("login_required"));
  if (page.kind === "photos" && page.images.length > 0) {
    return Effect.succeed({
      facts: photoFacts(url, { ...page, hasComments: false, webpageUrl: page.canonicalUrl ?? look.url }),
      source: { _tag: "Photos", images: page.images, commentsUrl: null },
      warnings
    });
  }
  const readable = page.kind === "video" ? page.text.length >= ARTICLE_CHARS_MIN : !isShell(page);
  return readable
    ? Effect.succeed({ facts: webpageFacts(look.url, page), source: { _tag: "Webpage", page }, warnings })
    : Effect.fail(
        isDefinite(verdict)
          ? failureOf(verdict)
          : failed("not_extractable", warnings.at(0) && NOTHING_BUT_SHELL)
      );
};
