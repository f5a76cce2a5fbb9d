/**
 * The two jobs of yt-dlp: inspect a URL, and download one format. Builds the options, which are the same for the
 * fork server and the command, and chooses between the two.
 */
import type { CookieJarFile } from "../ways/SourceRoute.ts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { programEnvironment } from "@winnow/isolation/process/ProgramEnvironment";
import { type KeptFile, takeOutput, writeInput } from "@winnow/isolation/process/RunFiles";
import { makeProgramFolder, programsFolderOf, type RunFolder } from "@winnow/isolation/process/RunFolder";
import type { DownloadLimits } from "../DownloadLimits.ts";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import type { Confinement } from "@winnow/isolation/sandbox/Sandbox";
import type { ExternalPrograms } from "@winnow/isolation/sandbox/ExternalPrograms";
import { COOKIES_FILE, copyCookies } from "../ways/CookieJars.ts";
import {
  ALLOW_EMPTY_FLAG,
  baseFlags,
  CAPTIONS_FLAG,
  commentsFlags,
  downloadFlags,
  inspectFlags,
  LIST_FLAGS
} from "./YtDlpArgs.ts";
import { makeYtDlpCli, type TransferProgress, type YtDlpAnswer, type YtDlpJob } from "./YtDlpCli.ts";
import { makeYtDlpServer } from "./YtDlpServer.ts";

export interface YtDlpSettings {
  readonly programs: ExternalPrograms;
  /** yt-dlp's version; null if unknown. */
  readonly version: string | null;
  /** Validated by YtDlpArgs. */
  readonly extraArgs: ReadonlyArray<string>;
  readonly workDir: string;
  readonly limits: DownloadLimits;
  /** The sandbox for programs that may reach the proxy; null where programs run without one. */
  readonly confinedTo: (program: string) => Confinement | null;
  /** False: always use the command, for example if yt-dlp is a standalone binary. */
  readonly forkServer: boolean;
}

/** The folders, the proxy and the cookies of the run. */
export interface YtDlpPlace {
  readonly folder: RunFolder;
  readonly proxyUrl: string;
  /** Copied for every start, because yt-dlp rewrites the file; null without any. */
  readonly cookies: CookieJarFile | null;
}

export interface YtDlpDownload {
  readonly answer: YtDlpAnswer;
  /** In the run's own folder; null if yt-dlp left no such file. */
  readonly file: KeptFile | null;
}

export interface YtDlpInspectOptions {
  /** Whether list entries without media are kept; otherwise they fail the inspection. */
  readonly allowEmpty?: boolean;
  /** Only lists entries, without looking up captions, within a time limit of its own. Default false. */
  readonly onlyLists?: boolean;
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

  /** Downloads the one format of `info` to a file of this name. */
  readonly download: (
    info: object,
    file: string,
    place: YtDlpPlace,
    onProgress: (progress: TransferProgress) => void
  ) => Effect.Effect<YtDlpDownload, ProcessFailed>;

  /** Starts the fork server, so that the first inspection does not wait for it. */
  readonly warm: Effect.Effect<void>;

  /** Waits until the fork server is ready or has failed; its cold start does not count against an inspection. */
  readonly ready: Effect.Effect<void>;
}

/** yt-dlp runs platform scripts in the current Node. */
const withNode = (confinement: Confinement | null): Confinement | null =>
  confinement === null
    ? null
    : { ...confinement, readable: [...confinement.readable, ...programFiles(process.execPath)] };

/** A file that a start finds in its folder. */
const INFO_FILE = "info.json";

interface Ran {
  readonly answer: YtDlpAnswer;
  /** The program's folder, which exists until the scope closes. */
  readonly folder: string;
}

/** Every attempt gets a new folder, because a failed one may have left anything in its own. */
type Run = (
  job: Omit<YtDlpJob, "folder">,
  makeFolder: Effect.Effect<string, never, Scope.Scope>
) => Effect.Effect<Ran, ProcessFailed, Scope.Scope>;

const runnerOf = Effect.fnUntraced(function* (settings: YtDlpSettings, base: ReadonlyArray<string>) {
  const { programs } = settings;
  const programsFolder = programsFolderOf(settings.workDir);
  const cli = makeYtDlpCli(programs.ytDlp, programs.path, withNode(settings.confinedTo(programs.ytDlp)));
  const python = programs.ytDlpPython;
  const attempt =
    <E>(run: (job: YtDlpJob) => Effect.Effect<YtDlpAnswer, E>) =>
    (...[job, makeFolder]: Parameters<Run>) =>
      Effect.flatMap(makeFolder, (folder) =>
        Effect.map(run({ ...job, folder }), (answer): Ran => ({ answer, folder }))
      );
  const viaCli: Run = attempt(cli.run);
  if (python === null || !settings.forkServer) return { run: viaCli, warm: Effect.void, ready: Effect.void };
  const server = yield* makeYtDlpServer(
    {
      interpreter: python.interpreter,
      confinement: withNode(settings.confinedTo(programs.ytDlp)),
      argv: base,
      folder: programsFolder,
      environment: {
        ...programEnvironment({ path: programs.path, folder: programsFolder, proxyUrl: null }),
        // Otherwise every thread reserves 64 MB of address space, which counts against the memory limit.
        MALLOC_ARENA_MAX: "2",
        ...(python.importPath === null ? {} : { WINNOW_YTDLP_IMPORT_PATH: python.importPath })
      }
    },
    programs.path
  );
  const viaServer = attempt(server.run);
  // A dead server is restarted once; if it does not start, the command is used.
  const run: Run = (...job) =>
    viaServer(...job).pipe(
      Effect.catchTag("ServerEnded", () => viaServer(...job)),
      Effect.catchTag("ServerEnded", () => viaCli(...job))
    );
  const warm = server.warm.pipe(
    Effect.catchTag("ServerEnded", ({ message }) =>
      Effect.logWarning("The yt-dlp fork server did not start; inspections will be slow.", message)
    )
  );
  return { run, warm, ready: Effect.ignore(server.warm) };
});

/** Options of one run: its proxy and its copy of the cookies. */
const placeArgs = ({ cookies, proxyUrl }: YtDlpPlace): ReadonlyArray<string> => [
  "--proxy",
  proxyUrl,
  // Names are relative to the folder, so that nothing in a path is expanded.
  ...(cookies === null ? [] : ["--cookies", COOKIES_FILE])
];

const folderWith = Effect.fnUntraced(function* (place: YtDlpPlace, info: object | null = null) {
  const folder = yield* makeProgramFolder(place.folder);
  yield* copyCookies(place.cookies, folder);
  if (info !== null) yield* writeInput(folder, INFO_FILE, JSON.stringify(info));
  return folder;
});

export const makeYtDlp = Effect.fnUntraced(function* (
  settings: YtDlpSettings
): Effect.fn.Return<YtDlp, never, Scope.Scope> {
  const { limits, extraArgs, version } = settings;
  const base = baseFlags({ version, node: process.execPath, extraArgs });
  const { run, warm, ready } = yield* runnerOf(settings, base);

  const inspectJob = ({ proxyUrl }: YtDlpPlace): Omit<YtDlpJob, "argv" | "url" | "folder"> => ({
    proxyUrl,
    operation: "inspect",
    timeoutMs: limits.inspectTimeoutMs,
    memoryMaxBytes: limits.inspectMemoryBytes,
    fileMaxBytes: limits.inspectBudgetBytes,
    comments: null,
    onProgress: () => {}
  });

  const answerOf = (place: YtDlpPlace, job: Omit<YtDlpJob, "folder">) =>
    Effect.map(Effect.scoped(run(job, folderWith(place))), ({ answer }) => answer);

  const inspect: YtDlp["inspect"] = Effect.fnUntraced(function* (url, items, place, options = {}) {
    const { allowEmpty = false, onlyLists = false } = options;
    const more = onlyLists ? LIST_FLAGS : allowEmpty ? [ALLOW_EMPTY_FLAG] : [];
    const argv = [...base, ...inspectFlags(items), ...more, ...placeArgs(place)];
    if (onlyLists)
      return yield* answerOf(place, { ...inspectJob(place), argv, url, timeoutMs: limits.listTimeoutMs });
    const inspectWith = (flags: ReadonlyArray<string>) =>
      answerOf(place, { ...inspectJob(place), argv: [...flags, ...argv], url });
    const answer = yield* inspectWith([CAPTIONS_FLAG]);
    if (answer.ok || answer.inCaptions !== true) return answer;
    const without = yield* inspectWith([]);
    return without.ok ? { ...without, refused: { captions: answer } } : without;
  });

  const comments: YtDlp["comments"] = Effect.fnUntraced(function* (url, place) {
    const max = limits.commentsMax;
    const argv = [...base, ...commentsFlags(max, extraArgs), ...placeArgs(place)];
    const seconds = Math.max(1, limits.commentsTimeoutMs / 1_000 - 5); // leaves 5 s for everything besides the comments
    return yield* answerOf(place, {
      ...inspectJob(place),
      argv,
      url,
      timeoutMs: limits.commentsTimeoutMs,
      comments: { max, seconds }
    });
  });

  const download: YtDlp["download"] = Effect.fnUntraced(function* (info, file, place, onProgress) {
    const argv = [...base, ...downloadFlags(file, INFO_FILE), ...placeArgs(place)];
    const job = {
      proxyUrl: place.proxyUrl,
      operation: "download",
      argv,
      url: null,
      timeoutMs: limits.fetchTimeoutMs,
      memoryMaxBytes: limits.downloadMemoryBytes,
      fileMaxBytes: limits.maxDownloadBytes,
      comments: null,
      onProgress
    } as const;
    const { answer, folder } = yield* run(job, folderWith(place, info));
    const taken = answer.ok ? yield* takeOutput(folder, file, place.folder, limits.maxDownloadBytes) : null;
    return { answer, file: taken };
  }, Effect.scoped);

  return { inspect, comments, download, warm, ready };
});
