/**
 * The two jobs of yt-dlp: inspect a URL, and download one format. Builds the options, which are the same for the
 * fork server and the command; which of them runs this yt-dlp is decided once. Tests: runningYtDlp.test.ts.
 */
import type { CookieJarFile } from "../ways/SourceRoute.ts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { type KeptFile, takeOutput, writeInput } from "@winnow/isolation/process/RunFiles";
import { makeProgramFolder, programsFolderOf, type RunFolder } from "@winnow/isolation/process/RunFolder";
import type { DownloadLimits } from "../DownloadLimits.ts";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import type { Confinement } from "@winnow/isolation/sandbox/Sandbox";
import type { ExternalPrograms } from "../../programs/ExternalPrograms.ts";
import { COOKIES_FILE, copyCookies } from "../ways/CookieJars.ts";
import {
  ALLOW_EMPTY_FLAG,
  asksAsUsual,
  baseFlags,
  CAPTIONS_FLAG,
  commentsFlags,
  downloadFlags,
  inspectFlags,
  LIST_FLAGS
} from "./YtDlpArgs.ts";
import { makeYtDlpCli } from "./YtDlpCli.ts";
import type { SharedPage, TransferProgress, YtDlpAnswer, YtDlpJob, YtDlpRunner } from "./YtDlpJob.ts";
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
  /** What an inspection of its URL may share; absent otherwise. */
  readonly page?: SharedPage & { /** yt-dlp waits for it. */ readonly onWait: () => void };
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

  /** Starts the fork server unless it runs, and waits for it; its cold start does not count against an inspection. */
  readonly ready: Effect.Effect<void>;
}

/** yt-dlp runs platform scripts in the current Node. */
const withNode = (confinement: Confinement | null): Confinement | null =>
  confinement === null
    ? null
    : { ...confinement, readable: [...confinement.readable, ...programFiles(process.execPath)] };

/** A file that a start finds in its folder. */
const INFO_FILE = "info.json";

/** The fork server, unless it says at its first start that it cannot run this yt-dlp; then the command. */
const runnerOf = Effect.fnUntraced(function* (settings: YtDlpSettings, argv: ReadonlyArray<string>) {
  const { programs, version } = settings;
  const { path, ytDlpPython: python } = programs;
  const confinement = withNode(settings.confinedTo(programs.ytDlp));
  const command = makeYtDlpCli(programs.ytDlp, path, confinement);
  if (python === null || !settings.forkServer) return { run: command.run, ready: Effect.void };
  const folder = programsFolderOf(settings.workDir);
  const server = yield* makeYtDlpServer({ python, path, argv, folder, confinement });
  let admitted: YtDlpRunner | null = null;
  const warn = (why: string) =>
    admitted === null
      ? Effect.logWarning("yt-dlp runs as a command, so inspections are slow", { version, why })
      : Effect.void;
  const start = server.start.pipe(
    Effect.as<YtDlpRunner>(server),
    Effect.catchTag("ServerRefused", ({ why }) => Effect.as(warn(why), command)),
    Effect.tap((runner) => Effect.sync(() => void (admitted = runner)))
  );
  const admit = Effect.suspend(() => (admitted === null ? start : Effect.succeed(admitted)));
  const run: YtDlpRunner["run"] = (job) => Effect.flatMap(admit, (runner) => runner.run(job));
  return { run, ready: Effect.ignore(admit) };
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
  const { run, ready } = yield* runnerOf(settings, base);

  const inspectJob = ({ proxyUrl }: YtDlpPlace): Omit<YtDlpJob, "argv" | "url" | "folder"> => ({
    proxyUrl,
    operation: "inspect",
    timeoutMs: limits.inspectTimeoutMs,
    memoryMaxBytes: limits.inspectMemoryBytes,
    fileMaxBytes: limits.inspectBudgetBytes,
    page: null,
    comments: null,
    onProgress: () => {}
  });

  const answerOf = (place: YtDlpPlace, job: Omit<YtDlpJob, "folder">) =>
    Effect.scoped(Effect.flatMap(folderWith(place), (folder) => run({ ...job, folder })));

  const inspect: YtDlp["inspect"] = Effect.fnUntraced(function* (url, items, place, options = {}) {
    const { allowEmpty = false, onlyLists = false } = options;
    const more = onlyLists ? LIST_FLAGS : allowEmpty ? [ALLOW_EMPTY_FLAG] : [];
    const argv = [...base, ...inspectFlags(items), ...more, ...placeArgs(place)];
    if (onlyLists)
      return yield* answerOf(place, { ...inspectJob(place), argv, url, timeoutMs: limits.listTimeoutMs });
    const { page } = place;
    // With an operator's cookies or options, the site may answer otherwise.
    const isShared = page?.url === url && place.cookies === null && asksAsUsual(extraArgs);
    const sharing = isShared && page !== undefined ? { page, onProgress: page.onWait } : {};
    const inspectWith = (flags: ReadonlyArray<string>) =>
      answerOf(place, { ...inspectJob(place), ...sharing, argv: [...flags, ...argv], url });
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
    const folder = yield* folderWith(place, info);
    const answer = yield* run({
      proxyUrl: place.proxyUrl,
      operation: "download",
      argv,
      url: null,
      timeoutMs: limits.fetchTimeoutMs,
      memoryMaxBytes: limits.downloadMemoryBytes,
      fileMaxBytes: limits.maxDownloadBytes,
      page: null,
      comments: null,
      folder,
      onProgress
    });
    const taken = answer.ok ? yield* takeOutput(folder, file, place.folder, limits.maxDownloadBytes) : null;
    return { answer, file: taken };
  }, Effect.scoped);

  return { inspect, comments, download, ready };
});
