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
import type { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import {
  currentProgram,
  type Versions,
  watchVersions,
  type YtDlpProgram
} from "../../../programs/python/VersionFile.ts";
import { classify, type FailureClass } from "../../failures/classify.ts";
import type { YtDlp, YtDlpPlace } from "../YtDlp.ts";
import type { YtDlpAnswer } from "../YtDlpCli.ts";

export interface VersionsSettings {
  readonly dataDir: string;
  /** The yt-dlp of PATH; null without one. */
  readonly onPath: YtDlpProgram | null;
  /** The one that the server started with, which has been checked. */
  readonly first: YtDlpProgram;
  /** Its fork server ends with the scope. */
  readonly make: (program: YtDlpProgram) => Effect.Effect<YtDlp, never, Scope.Scope>;
}

/** An idle version's fork server ends after this. */
const IDLE_TIME = "5 minutes";

export type Answer = Exit.Exit<YtDlpAnswer, ProcessFailed>;

export const isRead = (answer: Answer): boolean => Exit.isSuccess(answer) && answer.value.ok;

/** What a newer version may do better. */
const BROKEN: ReadonlySet<FailureClass> = new Set(["bot_blocked", "not_extractable", "internal", "fault"]);

/** Of a page without media, only an extractor that is made for its site says that it is broken. */
export const isBroken = (answer: Answer): boolean => {
  if (Exit.isFailure(answer) || answer.value.ok) return false;
  const verdict = classify(answer.value);
  const extractor = answer.value.extractor ?? "generic";
  return BROKEN.has(verdict) || (verdict === "no_media" && !/^(?:generic|html5)/iu.test(extractor));
};

/** Hosts with a name in metrics, which anybody may read; the others are counted together. */
const LARGE_PLATFORMS =
  /(?:^|\.)(youtube\.com|youtu\.be|tiktok\.com|instagram\.com|x\.com|twitter\.com|reddit\.com|vimeo\.com|soundcloud\.com|bilibili\.com|facebook\.com|twitch\.tv|dailymotion\.com)$/u;

const count = (program: YtDlpProgram, host: string, answer: Answer) =>
  Metric.update(
    Metric.counter("winnow_ytdlp_inspections_total", {
      description: "Inspections by version of yt-dlp, large platform and outcome",
      incremental: true,
      attributes: {
        version: program.version ?? "unknown",
        host: LARGE_PLATFORMS.exec(host)?.[1] ?? "other",
        outcome: isRead(answer) ? "read" : isBroken(answer) ? "failed" : "refused"
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
      ["trial", state.trial?.version ?? null],
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
                description: "1 for the versions of yt-dlp that are in use, on trial and available",
                attributes: { version, state: name }
              }),
              isIt ? 1 : 0
            ),
      { discard: true }
    );
  });

export type Ask = (ytDlp: YtDlp, place: YtDlpPlace) => Effect.Effect<YtDlpAnswer, ProcessFailed>;

export interface RunningVersions {
  readonly versions: () => Versions;
  /** The version that reads most hosts. */
  readonly current: () => YtDlpProgram;
  /** Null if it is not installed. */
  readonly installedAs: (version: unknown) => Versions["installed"][number] | null;
  readonly withProgram: <A, E>(
    program: YtDlpProgram,
    run: (ytDlp: YtDlp) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>;
  /** An inspection, which is counted. */
  readonly answerOf: (
    program: YtDlpProgram,
    host: string,
    ask: Ask,
    place: YtDlpPlace
  ) => Effect.Effect<Answer>;
  /** Keeps the fork server of the current version, and no longer that of the one before. */
  readonly hold: Effect.Effect<void>;
}

export const makeRunningVersions = Effect.fnUntraced(function* (
  settings: VersionsSettings
): Effect.fn.Return<RunningVersions, never, Scope.Scope> {
  const { dataDir, onPath, first } = settings;
  const versions = watchVersions(dataDir);
  const programs = new Map<string, YtDlpProgram>([[first.ytDlp, first]]);
  const running = yield* RcMap.make({
    lookup: (path: string) => settings.make(programs.get(path) ?? { version: null, ytDlp: path }),
    idleTimeToLive: IDLE_TIME
  });
  let held = { path: "", scope: yield* Scope.make() };
  yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(held.scope, Exit.void)));

  const installedAs: RunningVersions["installedAs"] = (version) => {
    const found = versions().installed.find((each) => each.version === version) ?? null;
    if (found !== null) programs.set(found.ytDlp, found);
    return found;
  };
  const current = (): YtDlpProgram => {
    const { state, installed } = versions();
    const program = currentProgram(state, installed, onPath) ?? first;
    programs.set(program.ytDlp, program);
    return program;
  };
  const withProgram: RunningVersions["withProgram"] = ({ ytDlp: path }, run) =>
    Effect.scoped(Effect.flatMap(RcMap.get(running, path), run));
  const hold = Effect.suspend(() => {
    const { ytDlp: path } = current();
    if (held.path === path) return Effect.void;
    const before = held.scope;
    const own = Scope.makeUnsafe();
    held = { path, scope: own };
    return Effect.andThen(Scope.provide(RcMap.get(running, path), own), Scope.close(before, Exit.void));
  });
  const answerOf: RunningVersions["answerOf"] = Effect.fnUntraced(function* (program, host, ask, place) {
    const answer = yield* Effect.exit(withProgram(program, (ytDlp) => ask(ytDlp, place)));
    yield* count(program, host, answer);
    return answer;
  });
  yield* Effect.forkScoped(Effect.repeat(show(versions, current), Schedule.spaced(SHOW_EVERY)));
  return { versions, current, installedAs, withProgram, answerOf, hold };
});
