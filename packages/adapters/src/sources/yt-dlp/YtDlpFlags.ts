/** yt-dlp options by version: 2023.03 knows fewer than 2025.04, which knows fewer than the current one. Pure. */
import { missingSince } from "./YtDlpVersion.ts";

export interface FlagSettings {
  /** Null if unknown, which is treated as the newest. */
  readonly version: string | null;
  /** Absolute path of a Node that runs platform scripts for yt-dlp. */
  readonly node: string;
  /** The operator's, validated by YtDlpArgs. They come last to take precedence. */
  readonly extraArgs: ReadonlyArray<string>;
}

/** H.264 and AAC in MP4 up to 1080p, which plays everywhere and needs no re-encoding. */
const FORMAT_ORDER = "res:1080,vcodec:h264,acodec:aac,ext:mp4:m4a";

/** Concurrent segments of one stream: with 60 ms latency, 16 take three quarters of the time of 8. */
const FRAGMENTS_AT_ONCE = "16";

/** A path that never exists: yt-dlp must not find an ffmpeg, which would get network access from it. */
const NO_FFMPEG = "/dev/null/ffmpeg";

const without = (
  version: string | null,
  flags: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => flags.filter(([option = ""]) => missingSince(option, version) === null).flat();

/** Options of every run. */
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

/**
 * An inspection writes no files, but some extractors (TikTok, Reddit, Bilibili) only look up captions that are to
 * be written.
 */
export const CAPTIONS_FLAG = "--write-subs";

/** Newer extractors return photos of a post as entries without formats. */
export const ALLOW_EMPTY_FLAG = "--ignore-no-formats-error";

/** Options of an inspection; `items`: entries of a playlist, as `1:2`. */
export const inspectFlags = (items: string): ReadonlyArray<string> => [
  "--dump-single-json",
  "--flat-playlist",
  "--format",
  "all",
  "--playlist-items",
  items
];

/**
 * The operator's YouTube extractor arguments, appended after `;`, because the last option for an extractor replaces
 * earlier ones.
 */
const youTubeArguments = (extraArgs: ReadonlyArray<string>): string =>
  extraArgs
    .flatMap((word, index) => {
      const value =
        extraArgs[index - 1] === "--extractor-args" ? word : word.replace(/^--extractor-args=/u, "");
      return /^youtube:(.+)$/isu.exec(value)?.[1] ?? [];
    })
    .slice(-1)
    .map((argument) => `;${argument}`)
    .join("");

/** Options of an inspection with at most `max` comments; `extraArgs` are the operator's. */
export const commentsFlags = (max: number, extraArgs: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...inspectFlags("1"),
  "--write-comments",
  "--extractor-args",
  `youtube:comment_sort=new;max_comments=${max},all,all,all${youTubeArguments(extraArgs)}`
];

/** Options to download one format to `file`, from `infoFile`. */
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
