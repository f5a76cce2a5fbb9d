/**
 * The versions of yt-dlp that a process runs, each with a fork server of its own, which starts when it is asked and ends
 * when it is idle; that of the current version stays.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Metric from "effect/Metric";
import * as RcMap from "effect/RcMap";
import * as Schedule from "effect/Schedule";
import * as Scope from "effect/Scope";
import { type Versions, watchVersions } from "../../../programs/python/VersionFile.ts";
import {
  NOTHING_KNOWN,
  provenPrograms,
  usedPrograms,
  type YtDlpProgram
} from "../../../programs/python/VersionState.ts";
import { supportProblem } from "../YtDlpVersion.ts";
import { classify, type FailureClass } from "../../failures/classify.ts";
import type { YtDlp } from "../YtDlp.ts";
import type { YtDlpAnswer } from "../YtDlpCli.ts";

export interface VersionsSettings {
  /** With the versions side by side; null without any but the first. */
  readonly dataDir: string | null;
  /** The yt-dlp of PATH; null without one. */
  readonly onPath: YtDlpProgram | null;
  /** The one that the server started with, which has been checked. */
  readonly first: YtDlpProgram;
  /** The time limit of an inspection. */
  readonly inspectTimeoutMs: number;
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

/** Hosts with a name in metrics, which anybody may read; the others are counted together. */
const LARGE_PLATFORMS =
  /(?:^|\.)(youtube\.com|youtu\.be|tiktok\.com|instagram\.com|x\.com|twitter\.com|reddit\.com|vimeo\.com|soundcloud\.com|bilibili\.com|facebook\.com|twitch\.tv|dailymotion\.com)$/u;

/** Counts an inspection. */
export const count = (
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

export interface RunningVersions {
  readonly versions: () => Versions;
  /** The best of the proven versions. */
  readonly current: () => YtDlpProgram;
  /** The best version, and the one before; with cookies, only proven ones. */
  readonly bestTwo: (hasCookies: boolean) => readonly [YtDlpProgram, ...ReadonlyArray<YtDlpProgram>];
  /** Null if it is not installed. */
  readonly installedAs: (version: unknown) => YtDlpProgram | null;
  readonly withProgram: <A, E>(
    program: YtDlpProgram,
    run: (ytDlp: YtDlp) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>;
  /** Keeps the fork server of the current version, and no longer that of the one before. */
  readonly hold: Effect.Effect<void>;
}

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

  const installedAs: RunningVersions["installedAs"] = (version) =>
    versions().installed.find((each) => each.version === version) ?? null;
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
  const withProgram: RunningVersions["withProgram"] = (program, run) =>
    Effect.scoped(Effect.flatMap(start(program), run));
  const hold = Effect.suspend(() => {
    const program = current();
    if (held.path === program.ytDlp) return Effect.void;
    const before = held.scope;
    const own = Scope.makeUnsafe();
    held = { path: program.ytDlp, scope: own };
    return Effect.andThen(Scope.provide(start(program), own), Scope.close(before, Exit.void));
  });
  yield* Effect.forkScoped(Effect.repeat(show(versions, current), Schedule.spaced(SHOW_EVERY)));
  return { versions, current, bestTwo, installedAs, withProgram, hold };
});
