/**
 * gallery-dl, for photo posts of platforms it supports, which hide their images from plain page readers. It never
 * gets unknown hosts: its generic mode treats every picture of a page as a post.
 */
import { join } from "node:path";
import { uploadDate } from "../metadata/facts.ts";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { type OutputRecord, readJson } from "@winnow/isolation/process/ProgramOutput";
import type { SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import { countOf } from "@winnow/core/domain/text/WrittenNumbers";
import * as Effect from "effect/Effect";
import { options, type ProcessFailed, runBounded } from "@winnow/isolation/process/BoundedProcess";
import { classify, failureFrom, type FailureClass } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";
import { postDetails } from "../metadata/details.ts";
import { idOf, lineOf, textOf } from "../yt-dlp/InfoDict.ts";
import { programEnvironment } from "@winnow/isolation/process/ProgramEnvironment";
import { makeProgramFolder } from "@winnow/isolation/process/RunFolder";
import type { ExternalPrograms } from "../../programs/ExternalPrograms.ts";
import type { Confinement } from "@winnow/isolation/sandbox/Sandbox";
import { COOKIES_FILE, copyCookies } from "../ways/CookieJars.ts";
import type { YtDlpPlace } from "../yt-dlp/YtDlp.ts";

export interface GalleryPost {
  readonly title: string | null;
  readonly uploader: string | null;
  readonly description: string | null;
  readonly uploadDate: string | null;
  readonly viewCount: number | null;
  readonly likeCount: number | null;
  readonly commentCount: number | null;
  readonly details: SourceDetails;
  /** In slide order; empty if the post has none. */
  readonly images: ReadonlyArray<string>;
  /** The post also has videos, which yt-dlp must read. */
  readonly hasVideo: boolean;
}

export interface GalleryDl {
  readonly read: (url: string, place: YtDlpPlace) => Effect.Effect<GalleryAnswer, ProcessFailed>;
}

/** Hosts of posts with several pictures that gallery-dl reads. */
const HOSTS =
  /(?:^|\.)(?:tiktok\.com|instagram\.com|x\.com|twitter\.com|reddit\.com|redd\.it|pinterest\.[a-z.]{2,6}|bsky\.app|imgur\.com|tumblr\.com|flickr\.com|threads\.(?:net|com)|weibo\.com|vsco\.co|deviantart\.com|artstation\.com)$/u;

export const hasGallery = (url: string): boolean => HOSTS.test(URL.parse(url)?.hostname ?? "");

/** Rewrites URLs in a form that gallery-dl does not support to an equivalent one that it supports. */
const known = (url: string): string =>
  url.replace(/^https:\/\/www\.reddit\.com\/comments\/(?=\w+\/?$)/u, "https://www.reddit.com/gallery/");

/** Message types of its JSON output: an error, a post, a file. */
const FAILED = -1;
const POST = 2;
const FILE = 3;

const IMAGE_EXTENSIONS: ReadonlySet<string> = new Set(["jpg", "jpeg", "png", "webp", "avif", "heic", "gif"]);

/** JSON of a post and its pictures in bytes, which is parsed in one go; a hundred pictures have some 500 KB. */
const OUTPUT_MAX_BYTES = 4 * 2 ** 20;

/**
 * The first text or number under any of these keys, which differ by platform; `author.name` is a nested one.
 */
const pick = (post: OutputRecord, names: ReadonlyArray<string>): unknown => {
  for (const name of names) {
    const [outer = "", inner] = name.split(".");
    const value = post[outer];
    const found = inner === undefined ? value : isJsonObject(value) ? value[inner] : undefined;
    if (typeof found === "string" || typeof found === "number") return found;
  }
  return null;
};

const imageOf = (message: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const [, url, file] = message;
  if (typeof url !== "string" || !/^https?:\/\//iu.test(url)) return [];
  const extension = isJsonObject(file) ? file["extension"] : null;
  const isImage = typeof extension !== "string" || IMAGE_EXTENSIONS.has(extension.toLowerCase());
  return isImage ? [url] : [];
};

/** gallery-dl's answer for a URL. */
export type GalleryAnswer =
  | { readonly _tag: "Post"; readonly post: GalleryPost }
  /** The reason why nothing could be read. */
  | { readonly _tag: "Refused"; readonly verdict: FailureClass }
  /** A profile or a board, whose posts are unrelated. */
  | { readonly _tag: "Listing" }
  | { readonly _tag: "Nothing" };

/**
 * gallery-dl's names for extractors of single posts; on other sites, those in the second list return collections.
 */
const ONE_POST =
  /^(?:post|reel|vmpost|shortpost|tweet|status|submission|pin|pinit|deviation|image|artwork-image|journal|stash|redirect)$/u;
const ONE_POST_OF: ReadonlyMap<string, RegExp> = new Map([
  ["imgur", /^(?:album|gallery)$/u],
  ["vsco", /^video$/u],
  ["directlink", /^/u]
]);

const written = (value: unknown): string => (typeof value === "string" ? value : "");

const isOnePost = (post: OutputRecord): boolean => {
  const [category = "", subcategory = ""] = [post["category"], post["subcategory"]].map(written);
  return ONE_POST.test(subcategory) || ONE_POST_OF.get(category)?.test(subcategory) === true;
};

/** Exceptions with an unambiguous name. */
const BY_ERROR: ReadonlyArray<readonly [name: RegExp, verdict: FailureClass]> = [
  [/^Challenge/u, "bot_blocked"],
  [/^NotFound/u, "removed"]
];

/** Exceptions about access: their message is more specific if it is recognised. */
const BY_ACCESS: ReadonlyArray<readonly [name: RegExp, verdict: FailureClass]> = [
  [/^(?:Auth(?:Required|entication)|Login)/u, "login_required"],
  [/^Authorization/u, "private"]
];
const EXACT: ReadonlySet<FailureClass> = new Set([
  "age_restricted",
  "bot_blocked",
  "geo_restricted",
  "login_required",
  "private",
  "rate_limited"
]);

/** Up to 1.30 `["HttpError", "'404 Not Found' for ..."]`, later `[-1, {"error", "message"}]`. */
const verdictOf = (message: ReadonlyArray<unknown>): FailureClass | null => {
  const [kind, detail] = message;
  const errorDetail = kind === FAILED && isJsonObject(detail) ? detail : null;
  const name = typeof kind === "string" ? kind : errorDetail?.["error"];
  if (typeof name !== "string") return null;
  const text = written(errorDetail === null ? detail : errorDetail["message"]);
  const own = BY_ERROR.find(([pattern]) => pattern.test(name))?.[1];
  if (own !== undefined) return own;
  const reason = classify({ ...failureFrom(text), expected: true });
  const access = BY_ACCESS.find(([pattern]) => pattern.test(name))?.[1];
  return access === undefined || EXACT.has(reason) ? reason : access;
};

const detailsOf = (post: OutputRecord, uploader: string | null): SourceDetails =>
  postDetails({
    platform: lineOf(post["category"]),
    id: idOf(pick(post, ["post_shortcode", "shortcode", "tweet_id", "post_id", "id"])),
    author: uploader,
    authorId: idOf(pick(post, ["username", "author.uniqueId", "author.handle", "user.name", "author.name"])),
    tags: post["tags"] ?? post["hashtags"]
  });

const VIDEO_EXTENSIONS: ReadonlySet<unknown> = new Set(["mp4", "webm", "mov", "m4v"]);

const isVideo = ([, , file]: ReadonlyArray<unknown>): boolean =>
  isJsonObject(file) && VIDEO_EXTENSIONS.has(file["extension"]);

const readPost = (
  post: OutputRecord,
  { hasVideo, images }: Pick<GalleryPost, "hasVideo" | "images">
): GalleryPost => {
  const uploader = lineOf(
    pick(post, [
      "fullname",
      "author.nickname",
      "author.uniqueId",
      "author.name",
      "user.name",
      "username",
      "author",
      "user"
    ])
  );
  const description = textOf(pick(post, ["description", "desc", "content", "text", "selftext"]));
  return {
    title: lineOf(pick(post, ["title"])) ?? description?.split("\n")[0] ?? null,
    uploader,
    description,
    uploadDate: uploadDate(pick(post, ["date", "post_date", "created_at"])),
    viewCount: countOf(pick(post, ["stats.playCount", "view_count", "views"])),
    likeCount: countOf(pick(post, ["likes", "stats.diggCount", "favorite_count", "likeCount", "score"])),
    commentCount: countOf(
      pick(post, ["comments", "stats.commentCount", "reply_count", "replyCount", "num_comments"])
    ),
    details: detailsOf(post, uploader),
    images,
    hasVideo
  };
};

export const readGallery = (text: string): GalleryAnswer => {
  const parsed = readJson(text);
  const messages = (Array.isArray(parsed) ? parsed : []).filter((each) => Array.isArray(each));
  const [head, another] = messages.filter(([kind]) => kind === POST).map((message): unknown => message[1]);
  const files = messages.filter(([kind]) => kind === FILE);
  const images = files.flatMap(imageOf);
  if (images.length === 0) {
    const verdict = messages.map(verdictOf).find((each) => each !== null);
    return verdict === undefined ? { _tag: "Nothing" } : { _tag: "Refused", verdict };
  }
  const post = isJsonObject(head) ? head : {};
  return another === undefined && isOnePost(post)
    ? { _tag: "Post", post: readPost(post, { images, hasVideo: files.some(isVideo) }) }
    : { _tag: "Listing" };
};

/** Whether the extractor that gallery-dl names for a URL without asking the site (` "reddit" / "user"`) is one of listings. */
const isOfListing = (extractorInfo: string): boolean => {
  const [, category, subcategory] = /^ +"([^"]*)" \/ "([^"]*)"/mu.exec(extractorInfo) ?? [];
  return category !== undefined && !isOnePost({ category, subcategory });
};

export const makeGalleryDl = (
  program: string,
  settings: {
    readonly programs: ExternalPrograms;
    readonly limits: DownloadLimits;
    readonly confinement: Confinement | null;
  }
): GalleryDl => ({
  read: Effect.fnUntraced(function* (url, { cookies: jar, folder: run, proxyUrl }) {
    const { confinement, limits, programs } = settings;
    const folder = yield* makeProgramFolder(run);
    yield* copyCookies(jar, folder);
    const outputOf = (args: ReadonlyArray<string>) =>
      runBounded({
        program,
        args: [...options("--config-ignore --no-input"), ...args, "--", known(url)],
        folder,
        confinement,
        environment: programEnvironment({ path: programs.path, folder, proxyUrl }),
        timeoutMs: limits.inspectTimeoutMs,
        stdoutMaxBytes: OUTPUT_MAX_BYTES,
        memoryMaxBytes: limits.inspectMemoryBytes,
        fileMaxBytes: limits.inspectBudgetBytes
      }).pipe(Effect.map(({ stdout }) => stdout));
    const answer = readGallery(
      yield* outputOf([
        ...options(`--dump-json --range 1-${limits.slidesMax} --proxy`),
        proxyUrl,
        ...(jar === null ? [] : ["--cookies", join(folder, COOKIES_FILE)])
      ])
    );
    if (answer._tag === "Post" || answer._tag === "Listing") return answer;
    // An empty or blocked profile would otherwise be read as an article.
    const isListing = isOfListing(yield* outputOf(["--extractor-info"]));
    return isListing ? { _tag: "Listing" as const } : answer;
  }, Effect.scoped)
});
