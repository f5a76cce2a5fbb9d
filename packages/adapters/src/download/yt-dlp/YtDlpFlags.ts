/**
 * The options that yt-dlp is run with, by its version: 2023.03 knows fewer than 2025.04, and that one fewer
 * than today's. Pure.
 */
import { missingSince } from "./YtDlpVersion.ts";

export interface FlagSettings {
  /** Null when it is not known: then it is taken for the newest. */
  readonly version: string | null;
  /** Absolute path of a Node that runs a platform's scripts for yt-dlp. */
  readonly node: string;
  /** The operator's, checked by YtDlpArgs. They come last, so that they win. */
  readonly extraArgs: ReadonlyArray<string>;
}

/** H.264 and AAC in MP4 up to 1080p: what plays everywhere and is only copied. */
const FORMAT_ORDER = "res:1080,vcodec:h264,acodec:aac,ext:mp4:m4a";

/** Segments of one stream read at once: where each comes 60 ms late, 16 take three quarters of the time of 8. */
const FRAGMENTS_AT_ONCE = "16";

/** There is nothing below it, and never will be: yt-dlp is to know no ffmpeg, which it would give its network. */
const NO_FFMPEG = "/dev/null/ffmpeg";

const without = (
  version: string | null,
  flags: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => flags.filter(([option = ""]) => missingSince(option, version) === null).flat();

/** Of every run. */
export const baseFlags = ({ version, node, extraArgs }: FlagSettings): ReadonlyArray<string> => [
  ...without(version, [
    ["--ignore-config"],
    ["--no-plugin-dirs"],
    ["--no-cache-dir"],
    ["--no-playlist"],
    ["--abort-on-error"],
    ["--no-warnings"],
    ["--socket-timeout", "15"],
    ["--extractor-retries", "1"],
    ["--retries", "2"],
    ["--ffmpeg-location", NO_FFMPEG],
    ["--downloader", "native"],
    ["--format-sort", FORMAT_ORDER],
    ["--js-runtimes", `node:${node}`]
  ]),
  ...extraArgs
];

/** A look writes no file, but some extractors (TikTok, Reddit, Bilibili) look for captions only where they are to be. */
export const CAPTIONS_FLAG = "--write-subs";

/** Photos of a post are entries without formats to newer extractors. */
export const ALLOW_EMPTY_FLAG = "--ignore-no-formats-error";

/** Of a look; `items`: which entries of a playlist, as `1:2`. */
export const inspectFlags = (items: string): ReadonlyArray<string> => [
  "--dump-single-json",
  "--flat-playlist",
  "--format",
  "all",
  "--playlist-items",
  items
];

/** What the operator tells YouTube's extractor, behind a `;`: of two options for one extractor the last one counts. */
const toldYouTube = (extraArgs: ReadonlyArray<string>): string =>
  extraArgs
    .flatMap((word, index) => {
      const value =
        extraArgs[index - 1] === "--extractor-args" ? word : word.replace(/^--extractor-args=/u, "");
      return /^youtube:(.+)$/isu.exec(value)?.[1] ?? [];
    })
    .slice(-1)
    .map((told) => `;${told}`)
    .join("");

/** Of a look that reads at most `max` comments; `extraArgs` are the operator's. */
export const commentsFlags = (max: number, extraArgs: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...inspectFlags("1"),
  "--write-comments",
  "--extractor-args",
  `youtube:comment_sort=new;max_comments=${max},all,all,all${toldYouTube(extraArgs)}`
];

/** Of the download of one format to `file`, from `infoFile`. */
export const downloadFlags = (file: string, infoFile: string): ReadonlyArray<string> => [
  "--format",
  "all",
  "--no-part",
  "--no-continue",
  "--no-mtime",
  "--force-overwrites",
  "--fixup",
  "never",
  "--fragment-retries",
  "3",
  "--abort-on-unavailable-fragments",
  "--concurrent-fragments",
  FRAGMENTS_AT_ONCE,
  "--output",
  file,
  "--load-info-json",
  infoFile
];
