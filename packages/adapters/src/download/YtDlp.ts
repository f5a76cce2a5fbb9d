/**
 * The two things asked of yt-dlp: look at a URL, download one format of a look. Builds the options, which
 * are the same for the fork server and for the command, and chooses between these.
 */
import { copyFile, writeFile, chmod } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ProcessFailed } from "./BoundedProcess.ts";
import { programEnvironment } from "./ProgramEnvironment.ts";
import type { DownloadLimits } from "./DownloadLimits.ts";
import type { Tools } from "./Tools.ts";
import { makeYtDlpCli } from "./YtDlpCli.ts";
import type { TransferProgress, YtDlpAnswer, YtDlpJob, YtDlpRunner } from "./YtDlpRunner.ts";
import { makeYtDlpServer } from "./YtDlpServer.ts";

export interface YtDlpSettings {
  readonly tools: Tools;
  /** Checked by YtDlpArgs. */
  readonly extraArgs: ReadonlyArray<string>;
  /** Netscape cookies; copied into every run's folder, for yt-dlp writes its file back. */
  readonly cookiesFile: string | null;
  readonly workDir: string;
  readonly limits: DownloadLimits;
  /** False: always the command, as where yt-dlp is a standalone binary. */
  readonly forkServer: boolean;
}

/** Where a job works, and through which proxy. */
export interface YtDlpPlace {
  readonly folder: string;
  readonly proxyUrl: string;
}

export interface YtDlp {
  /** `items`: which entries of a playlist, as `1:2`. */
  readonly inspect: (
    url: string,
    items: string,
    place: YtDlpPlace
  ) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

  /** A look that also reads comments, as many and as long as the limits allow. */
  readonly comments: (url: string, place: YtDlpPlace) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

  /** Downloads the one format of `info` to `place.folder`/`file`. */
  readonly download: (
    info: object,
    file: string,
    place: YtDlpPlace,
    onProgress: (progress: TransferProgress) => void
  ) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

  /** Gets the fork server ready, so that the first look need not wait for it. */
  readonly warm: Effect.Effect<void>;
}

/** H.264 and AAC in MP4 up to 1080p: what plays everywhere and is only copied. */
const FORMAT_ORDER = "res:1080,vcodec:h264,acodec:aac,ext:mp4:m4a";

/** Segments read at once; 8 takes a fifth of the time of 1, 16 hardly less than 8. */
const FRAGMENTS_AT_ONCE = "8";

const baseArgs = (settings: YtDlpSettings): ReadonlyArray<string> => [
  "--ignore-config",
  "--no-plugin-dirs",
  "--no-cache-dir",
  "--no-playlist",
  "--abort-on-error",
  "--no-warnings",
  "--socket-timeout",
  "15",
  "--extractor-retries",
  "1",
  "--retries",
  "2",
  "--ffmpeg-location",
  settings.tools.ffmpeg,
  "--format-sort",
  FORMAT_ORDER,
  ...settings.extraArgs
];

const INSPECT_ARGS = ["--dump-single-json", "--flat-playlist", "--format", "all"] as const;

const DOWNLOAD_ARGS = [
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
  "--abort-on-unavailable-fragments"
] as const;

const runnerOf = Effect.fnUntraced(function* (settings: YtDlpSettings) {
  const { tools, workDir } = settings;
  const cli = makeYtDlpCli(tools.ytDlp, tools.path);
  const python = tools.ytDlpPython;
  if (python === null || !settings.forkServer) return { runner: cli, warm: Effect.void };
  const server = yield* makeYtDlpServer(
    {
      interpreter: python.interpreter,
      argv: baseArgs(settings),
      folder: workDir,
      environment: {
        ...programEnvironment({ path: tools.path, folder: workDir, proxyUrl: null }),
        // Every thread reserves 64 MB of address space otherwise, which the memory limit counts.
        MALLOC_ARENA_MAX: "2",
        WINNOW_NODE: process.execPath,
        ...(python.zip === null ? {} : { WINNOW_YTDLP_ZIP: python.zip })
      }
    },
    tools.path
  );
  const runner: YtDlpRunner = {
    // A dead server is started again once; where it does not start at all, the command does the job.
    run: (job) =>
      server.run(job).pipe(
        Effect.catchTag("ServerGone", () => server.run(job)),
        Effect.catchTag("ServerGone", () => cli.run(job))
      )
  };
  const warm = server.warm.pipe(
    Effect.catchTag("ServerGone", ({ message }) =>
      Effect.logWarning("The yt-dlp fork server does not start; looks will be slow.", message)
    )
  );
  return { runner, warm };
});

/** Options of the one run: its proxy, and its own copy of the cookies. */
const placeArgs = Effect.fnUntraced(function* (cookiesFile: string | null, place: YtDlpPlace, name: string) {
  if (cookiesFile === null) return ["--proxy", place.proxyUrl];
  const copy = join(place.folder, `cookies.${name}.txt`);
  yield* Effect.promise(async () => {
    await copyFile(cookiesFile, copy);
    await chmod(copy, 0o600);
  });
  return ["--proxy", place.proxyUrl, "--cookies", copy];
});

/** Of a look that reads as many comments. */
const commentsArgs = (max: number): ReadonlyArray<string> => [
  ...INSPECT_ARGS,
  "--playlist-items",
  "1",
  "--write-comments",
  "--extractor-args",
  `youtube:comment_sort=new;max_comments=${max},all,all,all`
];

export const makeYtDlp = Effect.fnUntraced(function* (
  settings: YtDlpSettings
): Effect.fn.Return<YtDlp, never, Scope.Scope> {
  const { limits, cookiesFile } = settings;
  const { runner, warm } = yield* runnerOf(settings);
  const base = baseArgs(settings);
  const placed = (place: YtDlpPlace, name: string) => placeArgs(cookiesFile, place, name);

  const look = (place: YtDlpPlace): Omit<YtDlpJob, "argv" | "url"> => ({
    ...place,
    operation: "inspect",
    timeoutMs: limits.inspectTimeoutMs,
    memoryMaxBytes: limits.inspectMemoryBytes,
    fileMaxBytes: limits.inspectBudgetBytes,
    comments: null,
    onProgress: () => {}
  });

  const inspect: YtDlp["inspect"] = Effect.fnUntraced(function* (url, items, place) {
    const argv = [...base, ...INSPECT_ARGS, "--playlist-items", items, ...(yield* placed(place, "look"))];
    return yield* runner.run({ ...look(place), argv, url });
  });

  const comments: YtDlp["comments"] = Effect.fnUntraced(function* (url, place) {
    const max = limits.commentsMax;
    const argv = [...base, ...commentsArgs(max), ...(yield* placed(place, "comments"))];
    const seconds = Math.max(1, limits.commentsTimeoutMs / 1_000 - 5); // the rest is for what comes around them
    return yield* runner.run({
      ...look(place),
      argv,
      url,
      timeoutMs: limits.commentsTimeoutMs,
      comments: { max, seconds }
    });
  });

  const download: YtDlp["download"] = Effect.fnUntraced(function* (info, file, place, onProgress) {
    const infoFile = `${file}.info.json`; // relative to the folder, so that nothing in a path is expanded
    yield* Effect.promise(() =>
      writeFile(join(place.folder, infoFile), JSON.stringify(info), { mode: 0o600 })
    );
    const argv = [
      ...base,
      ...DOWNLOAD_ARGS,
      "--concurrent-fragments",
      FRAGMENTS_AT_ONCE,
      "--output",
      file,
      "--load-info-json",
      infoFile,
      ...(yield* placed(place, file))
    ];
    return yield* runner.run({
      ...place,
      operation: "download",
      argv,
      url: null,
      timeoutMs: limits.fetchTimeoutMs,
      memoryMaxBytes: limits.downloadMemoryBytes,
      fileMaxBytes: limits.maxDownloadBytes,
      comments: null,
      onProgress
    });
  });

  return { inspect, comments, download, warm };
});
