/**
 * Validates the operator's extra yt-dlp options (WINNOW_YTDLP_ARGS) against a list of options that only affect how
 * a source is read. All others are rejected by name: options that run programs, open files or redirect output would
 * break a run's limits.
 */
import { missingSince } from "./YtDlpVersion.ts";
import { resolve } from "node:path";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";

// yt-dlp options by version: 2025.04 knows fewer than the current one. Pure.

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

/** Whether none of the operator's options says how, from where or as whom sources are asked. */
export const asksAsUsual = (extraArgs: ReadonlyArray<string>): boolean =>
  !extraArgs.some((word) =>
    /^-[46up2]$|^--(?:force-ip|no-check|legacy|prefer|geo|netrc|cookies|impersonate|user|referer|add-headers|xff|password|twofactor|client|source)/u.test(
      word
    )
  );

/** Options of an inspection that only lists: of a video in a playlist, the playlist is meant. */
export const LIST_FLAGS: ReadonlyArray<string> = ["--yes-playlist", ALLOW_EMPTY_FLAG];

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

export class YtDlpArgsRefused extends Schema.TaggedError<YtDlpArgsRefused>()("YtDlpArgsRefused", {
  /** The option as given. */
  option: Schema.String,
  message: Schema.String
}) {}

/** Allowed options without a value. */
const FLAGS: ReadonlySet<string> = new Set([
  "--force-ipv4",
  "-4",
  "--force-ipv6",
  "-6",
  "--no-check-certificates",
  "--legacy-server-connect",
  "--prefer-insecure",
  "--geo-bypass",
  "--no-geo-bypass",
  "--netrc",
  "--no-js-runtimes",
  "--no-remote-components",
  "--no-plugin-dirs",
  "--no-cookies-from-browser"
]);

/** Allowed options with one value. */
const VALUED: ReadonlySet<string> = new Set([
  "--plugin-dirs",
  "--extractor-args",
  "--extractor-retries",
  "--cookies",
  "--cookies-from-browser",
  "--js-runtimes",
  "--remote-components",
  "--impersonate",
  "--user-agent",
  "--referer",
  "--add-headers",
  "--xff",
  "--geo-bypass-country",
  "--geo-bypass-ip-block",
  "--username",
  "-u",
  "--password",
  "-p",
  "--twofactor",
  "-2",
  "--video-password",
  "--netrc-location",
  "--ap-mso",
  "--ap-username",
  "--ap-password",
  "--client-certificate",
  "--client-certificate-key",
  "--client-certificate-password",
  "--socket-timeout",
  "--source-address",
  "--retries",
  "-R",
  "--fragment-retries",
  "--retry-sleep",
  "--sleep-requests",
  "--concurrent-fragments",
  "-N",
  "--limit-rate",
  "-r",
  "--throttled-rate",
  "--http-chunk-size",
  "--format-sort",
  "-S"
]);

/** The effect of a rejected option, for the message; other options control what Winnow decides itself. */
const DANGERS: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^--(exec|netrc-cmd|downloader|external-downloader|ffmpeg-location|postprocessor-args|ppa|use-postproc|alias)/u,
    "it can run programs"
  ],
  [/^--(enable-file-urls|load-info|batch-file|config-locations?|print-to-file)|^-a$/u, "it can open files"],
  [/^--add-header$/u, "yt-dlp calls it --add-headers"],
  [/^--(proxy|geo-verification-proxy)/u, "it would bypass the egress guard"],
  [
    /^--(output|paths|cache-dir|download-archive|write-|write|no-write|restrict|output-na)|^-[oP]$/u,
    "it would change where output goes"
  ]
];

const refused = (option: string): YtDlpArgsRefused => {
  const danger = DANGERS.find(([pattern]) => pattern.test(option))?.[1] ?? "Winnow sets it itself";
  return new YtDlpArgsRefused({ option, message: `The yt-dlp option ${option} is refused: ${danger}.` });
};

/** The validated options as separate arguments. */
export const checkYtDlpArgs = (
  words: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, YtDlpArgsRefused> => {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const option = word.startsWith("--") ? word.replace(/=.*$/su, "") : word;
    if (FLAGS.has(word)) continue;
    if (!VALUED.has(option)) {
      return Result.fail(
        option.startsWith("-")
          ? refused(option)
          : new YtDlpArgsRefused({
              option,
              message: `${JSON.stringify(option)} is not a yt-dlp option; only options are accepted.`
            })
      );
    }
    if (option !== word) continue;
    at += 1;
    if (at >= words.length) {
      return Result.fail(
        new YtDlpArgsRefused({ option, message: `The yt-dlp option ${option} needs a value.` })
      );
    }
  }
  return Result.succeed(words);
};

/** Allowed options whose value is a path. */
const PATHS: ReadonlySet<string> = new Set([
  "--plugin-dirs",
  "--cookies",
  "--netrc-location",
  "--client-certificate",
  "--client-certificate-key"
]);

/** The paths among options that are absolute. */
export const pathsIn = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word, index) => {
    const [option = "", ...value] = word.split("=");
    const path = PATHS.has(words[index - 1] ?? "") ? word : PATHS.has(option) ? value.join("=") : "";
    return path.startsWith("/") ? [path] : [];
  });

/** Validated options with absolute paths, because yt-dlp runs in the folder of a run. */
export const withAbsolutePaths = (words: ReadonlyArray<string>, folder: string): ReadonlyArray<string> =>
  words.map((word, index) => {
    const [option = "", ...value] = word.split("=");
    if (value.length > 0 && PATHS.has(option)) return `${option}=${resolve(folder, value.join("="))}`;
    const before = words[index - 1] ?? "";
    return PATHS.has(before) && word !== "default" ? resolve(folder, word) : word;
  });
