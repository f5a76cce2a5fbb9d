/**
 * What a page is when there is no video: a photo post, an article, or the reason why it is neither.
 */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { failed, failureOf, type Verdict } from "./classify.ts";
import { photoFacts, webpageFacts } from "./facts.ts";
import type { Look } from "./Look.ts";
import type { PageLook } from "./PageLook.ts";

/** Shorter texts that ask for JavaScript are the empty shell of an application. */
const SHELL_CHARS_MAX = 300;

const isShell = (text: string): boolean =>
  text.trim() === "" ||
  (text.length <= SHELL_CHARS_MAX &&
    /(?:enable|requires?|turn on)\s+javascript|javascript is (?:disabled|required)/iu.test(text));

/** A page that claims a video but hides it still may be an article, when it has this much to read. */
const ARTICLE_CHARS_MIN = 500;

const NO_COUNTS = { viewCount: null, likeCount: null, commentCount: null, hasComments: false } as const;

const fileNameOf = (url: string): string | null =>
  URL.parse(url)
    ?.pathname.split("/")
    .at(-1)
    ?.replace(/\.\w+$/u, "") || null;

/** Verdicts that say more than a page that could not be read. */
const isDefinite = (verdict: Verdict): boolean =>
  verdict !== "no_media" && verdict !== "fault" && verdict !== "unreachable";

export const pageSource = (
  url: string,
  look: PageLook,
  verdict: Verdict
): Effect.Effect<Omit<Look, "lookedAtMs">, DownloadFailed> => {
  if (look._tag === "Failed" || look._tag === "Unreadable") {
    return Effect.fail(isDefinite(verdict) ? failureOf(verdict) : look.failure);
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
  const { page } = look;
  if (page.loginWall) return Effect.fail(failed("login_required"));
  if (page.kind === "photos" && page.images.length > 0) {
    return Effect.succeed({
      facts: photoFacts(url, { ...page, hasComments: false, webpageUrl: page.canonicalUrl ?? look.url }),
      source: { _tag: "Photos", images: page.images, commentsUrl: null }
    });
  }
  const readable = page.kind === "video" ? page.text.length >= ARTICLE_CHARS_MIN : !isShell(page.text);
  return readable
    ? Effect.succeed({ facts: webpageFacts(look.url, page), source: { _tag: "Webpage", page } })
    : Effect.fail(isDefinite(verdict) ? failureOf(verdict) : failed("not_extractable"));
};
