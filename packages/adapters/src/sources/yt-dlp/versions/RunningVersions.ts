/**
 * The versions of yt-dlp that a process runs: the best one, and the one before. Each has a fork server of its own, which
 * starts when it is asked and ends when it is idle; that of the current version stays. Versions change while runs go on.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Metric from "effect/Metric";
import * as RcMap from "effect/RcMap";
import * as Schedule from "effect/Schedule";
import * as Scope from "effect/Scope";
import { changeVersionState, type Versions, watchVersions } from "../../../programs/python/VersionFile.ts";
import {
  NOTHING_KNOWN,
  prove,
  provenPrograms,
  usedPrograms,
  type YtDlpProgram
} from "../../../programs/python/VersionState.ts";
import { supportProblem } from "../YtDlpVersion.ts";
import { classify, type FailureClass } from "../../failures/classify.ts";
import { siteOf } from "../../ways/Standing.ts";
import type * as Ways from "../../ways/Ways.ts";
import type { YtDlp } from "../YtDlp.ts";
import type { YtDlpAnswer } from "../YtDlpJob.ts";

export interface VersionsSettings {
  /** With the versions side by side; null without any but the first. */
  readonly dataDir: string | null;
  /** The yt-dlp of PATH; null without one. */
  readonly onPath: YtDlpProgram | null;
  /** The one that the server started with, which has been checked. */
  readonly first: YtDlpProgram;
  /** Its fork server ends with the scope. */
  readonly make: (program: YtDlpProgram) => Effect.Effect<YtDlp, never, Scope.Scope>;
}

/** An idle version's fork server ends after this. */
const IDLE_TIME = "5 minutes";

/** What another version may do better. */
const BROKEN: ReadonlySet<FailureClass> = new Set(["bot_blocked", "not_extractable", "internal", "fault"]);

/** Of a page without media, only an extractor that is made for its site says that it is broken. */
export const isBroken = (answer: YtDlpAnswer): boolean => {
  if (answer.ok) return false;
  const verdict = classify(answer);
  const extractor = answer.extractor ?? "generic";
  return BROKEN.has(verdict) || (verdict === "no_media" && !/^(?:generic|html5)/iu.test(extractor));
};

/** Sources that a version on probation must have read in one process. */
export const READS_TO_PROVE = 20;

/** Hosts with a name in metrics, which anybody may read; the others are counted together. */
const LARGE_PLATFORMS =
  /(?:^|\.)(youtube\.com|youtu\.be|tiktok\.com|instagram\.com|x\.com|twitter\.com|reddit\.com|vimeo\.com|soundcloud\.com|bilibili\.com|facebook\.com|twitch\.tv|dailymotion\.com)$/u;

const count = (
  { version }: YtDlpProgram,
  host: string,
  outcome: "read" | "failed" | "refused"
): Effect.Effect<void> =>
  Metric.update(
    Metric.counter("winnow_ytdlp_inspections_total", {
      description: "Inspections by version of yt-dlp, large platform and outcome",
      incremental: true,
      attributes: {
        version: version ?? "unknown",
        host: LARGE_PLATFORMS.exec(host)?.[1] ?? "other",
        outcome
      }
    }),
    1
  );

const SHOW_EVERY = "10 seconds";

/** Gauges of the versions; one that no longer has a state is 0. */
const show = (versions: () => Versions, current: () => YtDlpProgram) =>
  Effect.suspend(() => {
    const { state, installed } = versions();
    const inUse = current().version;
    const shown = [
      ["current", inUse],
      ["probation", state.probation],
      ["available", state.available]
    ] as const;
    const all = new Set([...installed.map(({ version }) => version), ...shown.map(([, version]) => version)]);
    return Effect.forEach(
      shown.flatMap(([name, its]) => [...all].map((version) => [name, version, version === its] as const)),
      ([name, version, isIt]) =>
        version === null
          ? Effect.void
          : Metric.update(
              Metric.gauge("winnow_ytdlp_version_info", {
                description: "1 for the versions of yt-dlp that are in use, on probation and available",
                attributes: { version, state: name }
              }),
              isIt ? 1 : 0
            ),
      { discard: true }
    );
  });

export interface RunningVersions extends Ways.Versions<YtDlp> {
  /** Also proves a version on probation that has read enough. */
  readonly countInspection: (program: YtDlpProgram, url: string, answer: YtDlpAnswer) => Effect.Effect<void>;
  /** Waits until the current version is ready to run, or has failed. */
  readonly ready: Effect.Effect<void>;
}

/** Counts what the version on probation read; the last one ends it. */
const makeProbation = (dataDir: string | null, versions: () => Versions) => {
  const reads = new Map<string, number>();
  return Effect.fnUntraced(function* ({ version }: YtDlpProgram) {
    if (dataDir === null || version === null || version !== versions().state.probation) return;
    const read = (reads.get(version) ?? 0) + 1;
    reads.set(version, read);
    if (read !== READS_TO_PROVE) return;
    yield* Effect.logInfo(`yt-dlp ${version} has proved itself: it is used with cookies, too.`);
    // A data directory that cannot be written leaves it on probation.
    yield* Effect.promise(() => changeVersionState(dataDir, (state) => prove(state, version))).pipe(
      Effect.catchDefect(() => Effect.void)
    );
  });
};

export const makeRunningVersions = Effect.fnUntraced(function* (
  settings: VersionsSettings
): Effect.fn.Return<RunningVersions, never, Scope.Scope> {
  const { dataDir, onPath, first } = settings;
  const versions =
    dataDir === null ? () => ({ state: NOTHING_KNOWN, installed: [] }) : watchVersions(dataDir);
  const programs = new Map<string, YtDlpProgram>();
  const running = yield* RcMap.make({
    lookup: (path: string) => settings.make(programs.get(path) ?? { version: null, ytDlp: path }),
    idleTimeToLive: IDLE_TIME
  });
  let held = { path: "", scope: yield* Scope.make() };
  yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(held.scope, Exit.void)));

  const bestTwo: RunningVersions["bestTwo"] = (hasCookies) => {
    const { state, installed } = versions();
    const programsOf = hasCookies ? provenPrograms : usedPrograms;
    const [best = first, ...others] = programsOf(state, installed, onPath);
    return [best, ...others.filter(({ version }) => supportProblem(version) === null).slice(0, 1)];
  };
  const current = (): YtDlpProgram => bestTwo(true)[0];
  const start = (program: YtDlpProgram) =>
    Effect.suspend(() => {
      programs.set(program.ytDlp, program);
      return RcMap.get(running, program.ytDlp);
    });
  /** Keeps the fork server of the current version, and no longer that of the one before. */
  const hold = Effect.suspend(() => {
    const program = current();
    if (held.path === program.ytDlp) return Effect.void;
    const before = held.scope;
    const own = Scope.makeUnsafe();
    held = { path: program.ytDlp, scope: own };
    return Effect.andThen(Scope.provide(start(program), own), Scope.close(before, Exit.void));
  });
  yield* Effect.forkScoped(Effect.repeat(show(versions, current), Schedule.spaced(SHOW_EVERY)));
  const withProgram: RunningVersions["withProgram"] = (program, run) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Effect.andThen(hold, Scope.provide(start(program), scope)).pipe(Effect.flatMap(run)),
      Scope.close
    );
  const noteRead = makeProbation(dataDir, versions);
  const countInspection: RunningVersions["countInspection"] = (program, url, answer) =>
    Effect.andThen(
      count(program, siteOf(url), answer.ok ? "read" : isBroken(answer) ? "failed" : "refused"),
      answer.ok ? noteRead(program) : Effect.void
    );
  const ready = Effect.suspend(() => withProgram(current(), (ytDlp) => ytDlp.ready));
  return { bestTwo, withProgram, countInspection, ready };
});
