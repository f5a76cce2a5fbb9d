/**
 * Validates the operator's extra yt-dlp options (WINNOW_YTDLP_ARGS) against a list of options that only affect how
 * a source is read. All others are rejected by name: options that run programs, open files or redirect output would
 * break a run's limits.
 */
import { resolve } from "node:path";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";

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
