/**
 * gallery-dl, for photo posts of the platforms it knows: those hide their images from plain page readers.
 * Unknown hosts are never given to it; its generic mode takes every picture of a page for a post.
 */
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { options, type ProcessFailed, runBounded } from "./BoundedProcess.ts";
import type { DownloadLimits } from "./DownloadLimits.ts";
import { cleanText, isRecord, type RawInfo } from "./InfoDict.ts";
import { programEnvironment } from "./ProgramEnvironment.ts";
import type { Tools } from "./Tools.ts";
import type { YtDlpPlace } from "./YtDlp.ts";

export interface GalleryPost {
  readonly title: string | null;
  readonly uploader: string | null;
  readonly description: string | null;
  readonly uploadDate: string | null;
  readonly viewCount: number | null;
  readonly likeCount: number | null;
  readonly commentCount: number | null;
  /** In slide order; empty when the post has none. */
  readonly images: ReadonlyArray<string>;
}

export interface GalleryDl {
  /** Null when it finds nothing it can read. */
  readonly read: (url: string, place: YtDlpPlace) => Effect.Effect<GalleryPost | null, ProcessFailed>;
}

const HOSTS =
  /(?:^|\.)(?:tiktok\.com|instagram\.com|x\.com|twitter\.com|reddit\.com|redd\.it|pinterest\.[a-z.]{2,6}|bsky\.app|imgur\.com|tumblr\.com|flickr\.com|threads\.(?:net|com)|weibo\.com|vsco\.co|deviantart\.com|artstation\.com)$/u;

export const hasGallery = (url: string): boolean => HOSTS.test(URL.parse(url)?.hostname ?? "");

/** Kinds of messages in its JSON output: the post, a file, another page to ask. */
const POST = 2;
const FILE = 3;

const IMAGE_EXTENSIONS: ReadonlySet<string> = new Set(["jpg", "jpeg", "png", "webp", "avif", "heic", "gif"]);

const OUTPUT_MAX_BYTES = 8 * 2 ** 20;

/** A value under any of the names that platforms give it; `author.name` goes one level down. */
const pick = (post: RawInfo, names: ReadonlyArray<string>): unknown => {
  for (const name of names) {
    const [outer = "", inner] = name.split(".");
    const value = post[outer];
    const found = inner === undefined ? value : isRecord(value) ? value[inner] : undefined;
    if (typeof found === "string" || typeof found === "number") return found;
  }
  return null;
};

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

const dateOf = (value: unknown): string | null =>
  typeof value === "string" ? (/^(\d{4})-(\d{2})-(\d{2})/u.exec(value)?.slice(1).join("") ?? null) : null;

const imageOf = (message: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const [, url, file] = message;
  if (typeof url !== "string" || !/^https?:\/\//iu.test(url)) return [];
  const extension = isRecord(file) ? file["extension"] : null;
  const isImage = typeof extension !== "string" || IMAGE_EXTENSIONS.has(extension.toLowerCase());
  return isImage ? [url] : [];
};

/** Null when it reports an error instead of a post (with exit code 0, in older versions). */
export const readGallery = (text: string): GalleryPost | null => {
  const parsed: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  })();
  const messages = (Array.isArray(parsed) ? parsed : []).filter((each) => Array.isArray(each));
  const head: unknown = messages.find(([kind]) => kind === POST)?.[1];
  const images = messages.filter(([kind]) => kind === FILE).flatMap(imageOf);
  if (images.length === 0) return null;
  const post = isRecord(head) ? head : {};
  const description = cleanText(pick(post, ["description", "desc", "content", "text", "selftext"]));
  return {
    title: cleanText(pick(post, ["title"])) ?? description?.split("\n")[0] ?? null,
    uploader: cleanText(
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
    ),
    description,
    uploadDate: dateOf(pick(post, ["date", "post_date", "created_at"])),
    viewCount: count(pick(post, ["stats.playCount", "view_count", "views"])),
    likeCount: count(pick(post, ["likes", "stats.diggCount", "favorite_count", "likeCount", "score"])),
    commentCount: count(
      pick(post, ["comments", "stats.commentCount", "reply_count", "replyCount", "num_comments"])
    ),
    images
  };
};

export const makeGalleryDl = (
  program: string,
  settings: { readonly tools: Tools; readonly limits: DownloadLimits; readonly cookiesFile: string | null }
): GalleryDl => ({
  read: Effect.fnUntraced(function* (url, { folder, proxyUrl }) {
    const { cookiesFile, limits, tools } = settings;
    const cookies = join(folder, "cookies.gallery.txt");
    if (cookiesFile !== null) {
      yield* Effect.promise(async () => {
        await copyFile(cookiesFile, cookies);
        await chmod(cookies, 0o600);
      });
    }
    const { stdout } = yield* runBounded({
      program,
      args: [
        ...options(`--config-ignore --no-input --dump-json --range 1-${limits.slidesMax} --proxy`),
        proxyUrl,
        ...(cookiesFile === null ? [] : ["--cookies", cookies]),
        "--",
        url
      ],
      folder,
      environment: programEnvironment({ path: tools.path, folder, proxyUrl }),
      timeoutMs: limits.inspectTimeoutMs,
      stdoutMaxBytes: OUTPUT_MAX_BYTES,
      memoryMaxBytes: limits.inspectMemoryBytes,
      fileMaxBytes: limits.inspectBudgetBytes
    });
    return readGallery(stdout);
  })
});
