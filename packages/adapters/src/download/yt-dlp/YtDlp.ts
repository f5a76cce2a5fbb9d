/**
 * The two things asked of yt-dlp: look at a URL, download one format of a look. Builds the options, which
 * are the same for the fork server and for the command, and chooses between these.
 */
import { copyFile, writeFile, chmod } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ProcessFailed } from "../../programs/BoundedProcess.ts";
import { programEnvironment } from "../../programs/ProgramEnvironment.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";
import { programFiles } from "../../programs/sandbox/programFiles.ts";
import type { Confinement } from "../../programs/sandbox/Sandbox.ts";
import type { ExternalPrograms } from "../../programs/ExternalPrograms.ts";
import {
  ALLOW_EMPTY_FLAG,
  baseFlags,
  CAPTIONS_FLAG,
  commentsFlags,
  downloadFlags,
  inspectFlags
} from "./YtDlpFlags.ts";
import { makeYtDlpCli } from "./YtDlpCli.ts";
import type { TransferProgress, YtDlpAnswer, YtDlpJob, YtDlpRunner } from "./YtDlpRunner.ts";
import { makeYtDlpServer } from "./YtDlpServer.ts";

export interface YtDlpSettings {
  readonly programs: ExternalPrograms;
  /** Of yt-dlp; null when it is not known. */
  readonly version: string | null;
  /** Checked by YtDlpArgs. */
  readonly extraArgs: ReadonlyArray<string>;
  /** Netscape cookies; copied into every run's folder, for yt-dlp writes its file back. */
  readonly cookiesFile: string | null;
  readonly workDir: string;
  readonly limits: DownloadLimits;
  /** The sandbox of a program that may reach the proxy; null where programs run without. */
  readonly confinedTo: (program: string) => Confinement | null;
  /** False: always the command, as where yt-dlp is a standalone binary. */
  readonly forkServer: boolean;
}

/** Where a job works, and through which proxy. */
export interface YtDlpPlace {
  readonly folder: string;
  readonly proxyUrl: string;
}

export interface YtDlpInspectOptions {
  /** Of a list, entries without media count as entries; else they end the look. */
  readonly allowEmpty?: boolean;
}

export interface YtDlp {
  /** `items`: which entries of a playlist, as `1:2`. Captions that are refused are told beside what was found. */
  readonly inspect: (
    url: string,
    items: string,
    place: YtDlpPlace,
    options?: YtDlpInspectOptions
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

  /** Ends when the fork server is up, or will not be: its cold start does not count against a look. */
  readonly ready: Effect.Effect<void>;
}

/** A cold start takes one or two seconds, on a busy machine ten. */
const COLD_START_MAX = "30 seconds";

/** yt-dlp runs a platform's scripts in the Node that runs this. */
const withNode = (confinement: Confinement | null): Confinement | null =>
  confinement === null
    ? null
    : { ...confinement, readable: [...confinement.readable, ...programFiles(process.execPath)] };

const runnerOf = Effect.fnUntraced(function* (settings: YtDlpSettings, base: ReadonlyArray<string>) {
  const { programs, workDir } = settings;
  const cli = makeYtDlpCli(programs.ytDlp, programs.path, withNode(settings.confinedTo(programs.ytDlp)));
  const python = programs.ytDlpPython;
  if (python === null || !settings.forkServer) return { runner: cli, warm: Effect.void, ready: Effect.void };
  const server = yield* makeYtDlpServer(
    {
      interpreter: python.interpreter,
      confinement: withNode(settings.confinedTo(programs.ytDlp)),
      argv: base,
      folder: workDir,
      environment: {
        ...programEnvironment({ path: programs.path, folder: workDir, proxyUrl: null }),
        // Every thread reserves 64 MB of address space otherwise, which the memory limit counts.
        MALLOC_ARENA_MAX: "2",
        ...(python.zip === null ? {} : { WINNOW_YTDLP_ZIP: python.zip })
      }
    },
    programs.path
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
      Effect.logWarning("The yt-dlp fork server did not start; inspections will be slow.", message)
    )
  );
  // A server that hangs while it starts holds nobody up for longer.
  const ready = server.warm.pipe(Effect.timeout(COLD_START_MAX), Effect.ignore);
  return { runner, warm, ready };
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

export const makeYtDlp = Effect.fnUntraced(function* (
  settings: YtDlpSettings
): Effect.fn.Return<YtDlp, never, Scope.Scope> {
  const { limits, cookiesFile, extraArgs, version } = settings;
  const base = baseFlags({ version, node: process.execPath, extraArgs });
  const { runner, warm, ready } = yield* runnerOf(settings, base);
  const placed = (place: YtDlpPlace, name: string) => placeArgs(cookiesFile, place, name);

  const inspectJob = (place: YtDlpPlace): Omit<YtDlpJob, "argv" | "url"> => ({
    ...place,
    operation: "inspect",
    timeoutMs: limits.inspectTimeoutMs,
    memoryMaxBytes: limits.inspectMemoryBytes,
    fileMaxBytes: limits.inspectBudgetBytes,
    comments: null,
    onProgress: () => {}
  });

  const inspect: YtDlp["inspect"] = Effect.fnUntraced(function* (url, items, place, options = {}) {
    const empty = options.allowEmpty === true ? [ALLOW_EMPTY_FLAG] : [];
    const argv = [...base, ...inspectFlags(items), ...empty, ...(yield* placed(place, "look"))];
    const look = (flags: ReadonlyArray<string>) =>
      runner.run({ ...inspectJob(place), argv: [...flags, ...argv], url });
    const answer = yield* look([CAPTIONS_FLAG]);
    if (answer.ok || answer.inCaptions !== true) return answer;
    const without = yield* look([]);
    return without.ok ? { ...without, refused: { captions: answer } } : without;
  });

  const comments: YtDlp["comments"] = Effect.fnUntraced(function* (url, place) {
    const max = limits.commentsMax;
    const argv = [...base, ...commentsFlags(max, extraArgs), ...(yield* placed(place, "comments"))];
    const seconds = Math.max(1, limits.commentsTimeoutMs / 1_000 - 5); // the rest is for what comes around them
    return yield* runner.run({
      ...inspectJob(place),
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
    const argv = [...base, ...downloadFlags(file, infoFile), ...(yield* placed(place, file))];
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

  return { inspect, comments, download, warm, ready };
});
