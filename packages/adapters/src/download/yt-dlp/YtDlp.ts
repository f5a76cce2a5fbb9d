/**
 * The two jobs of yt-dlp: inspect a URL, and download one format. Builds the options, which are the same for the
 * fork server and the command, and chooses between the two.
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
  /** yt-dlp's version; null if unknown. */
  readonly version: string | null;
  /** Validated by YtDlpArgs. */
  readonly extraArgs: ReadonlyArray<string>;
  /** Netscape cookies; copied to every run's folder, because yt-dlp rewrites the file. */
  readonly cookiesFile: string | null;
  readonly workDir: string;
  readonly limits: DownloadLimits;
  /** The sandbox for programs that may reach the proxy; null where programs run without one. */
  readonly confinedTo: (program: string) => Confinement | null;
  /** False: always use the command, for example if yt-dlp is a standalone binary. */
  readonly forkServer: boolean;
}

/** A job's working folder and proxy. */
export interface YtDlpPlace {
  readonly folder: string;
  readonly proxyUrl: string;
}

export interface YtDlpInspectOptions {
  /** Whether list entries without media are kept; otherwise they fail the inspection. */
  readonly allowEmpty?: boolean;
}

export interface YtDlp {
  /** `items`: entries of a playlist, as `1:2`. Rejected caption look-ups are reported with the result. */
  readonly inspect: (
    url: string,
    items: string,
    place: YtDlpPlace,
    options?: YtDlpInspectOptions
  ) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

  /** An inspection with comments, within the limits. */
  readonly comments: (url: string, place: YtDlpPlace) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

  /** Downloads the one format of `info` to `place.folder`/`file`. */
  readonly download: (
    info: object,
    file: string,
    place: YtDlpPlace,
    onProgress: (progress: TransferProgress) => void
  ) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

  /** Starts the fork server, so that the first inspection does not wait for it. */
  readonly warm: Effect.Effect<void>;

  /** Waits until the fork server is ready or has failed; its cold start does not count against an inspection. */
  readonly ready: Effect.Effect<void>;
}

/** A cold start takes one or two seconds, or ten on a busy machine. */
const COLD_START_MAX = "30 seconds";

/** yt-dlp runs platform scripts in the current Node. */
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
        // Otherwise every thread reserves 64 MB of address space, which counts against the memory limit.
        MALLOC_ARENA_MAX: "2",
        ...(python.zip === null ? {} : { WINNOW_YTDLP_ZIP: python.zip })
      }
    },
    programs.path
  );
  const runner: YtDlpRunner = {
    // A dead server is restarted once; if it does not start, the command is used.
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
  // Limits the wait for a server that hangs while starting.
  const ready = server.warm.pipe(Effect.timeout(COLD_START_MAX), Effect.ignore);
  return { runner, warm, ready };
});

/** Options of one run: its proxy and its copy of the cookies. */
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
    const inspectWith = (flags: ReadonlyArray<string>) =>
      runner.run({ ...inspectJob(place), argv: [...flags, ...argv], url });
    const answer = yield* inspectWith([CAPTIONS_FLAG]);
    if (answer.ok || answer.inCaptions !== true) return answer;
    const without = yield* inspectWith([]);
    return without.ok ? { ...without, refused: { captions: answer } } : without;
  });

  const comments: YtDlp["comments"] = Effect.fnUntraced(function* (url, place) {
    const max = limits.commentsMax;
    const argv = [...base, ...commentsFlags(max, extraArgs), ...(yield* placed(place, "comments"))];
    const seconds = Math.max(1, limits.commentsTimeoutMs / 1_000 - 5); // leaves 5 s for everything besides the comments
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
