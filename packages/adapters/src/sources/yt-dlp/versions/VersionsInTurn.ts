/**
 * yt-dlp in two versions: the best one, and the one before, which serves where the best one does not work. A version
 * that fails where the other one reads rests at that host for growing pauses, as routes do, and comes back by itself.
 * Versions change while runs go on: a run in progress keeps its version. A job is given again nowhere else.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { changeVersionState } from "../../../programs/python/VersionFile.ts";
import { prove, type YtDlpProgram } from "../../../programs/python/VersionState.ts";
import {
  GOOD_STANDING,
  hostOf,
  makeStandings,
  pauseBegun,
  refused,
  REFUSALS_TO_REST,
  servesNow,
  taken,
  undecided
} from "../../ways/Standing.ts";
import type { YtDlp, YtDlpPlace } from "../YtDlp.ts";
import type { YtDlpAnswer } from "../YtDlpCli.ts";
import {
  count,
  isBroken,
  makeRunningVersions,
  type RunningVersions,
  type VersionsSettings
} from "./RunningVersions.ts";

/** Sources that a version on probation must have read in one process. */
export const READS_TO_PROVE = 20;

/** The part of an inspection's time after which the other version is asked; most take 0.1 to 2 of 25 seconds. */
const PATIENCE_SHARE = 0.4;

const SECOND_MS = 1_000;

/** The version that inspected the media, as yt-dlp notes it. */
const inspectedBy = (info: object): unknown =>
  (info as { readonly _version?: { readonly version?: unknown } })._version?.version;

/** What a version made of a job: `fault`, if another one may do better. */
type Outcome = "read" | "refused" | "fault" | "undecided";

interface Tried<A> {
  readonly program: YtDlpProgram;
  readonly exit: Exit.Exit<A, ProcessFailed>;
  readonly outcome: Outcome;
}

type Programs = readonly [YtDlpProgram, ...ReadonlyArray<YtDlpProgram>];

interface Job<A> {
  readonly url: string;
  /** In their order. */
  readonly programs: Programs;
  readonly ask: (ytDlp: YtDlp) => Effect.Effect<A, ProcessFailed>;
  readonly answerIn: (result: A) => YtDlpAnswer;
  /** After it the next version is asked, if there is one; default: never. */
  readonly patienceMs?: number | null;
  /** Whether it is counted and proves a version; default false. */
  readonly isInspection?: boolean;
}

const hung = new ProcessFailed({ reason: "timeout", message: "yt-dlp did not answer." });

const failureOf = (exit: Exit.Exit<unknown, ProcessFailed>) =>
  Option.getOrUndefined(Exit.findErrorOption(exit));

/** Its fork server died, or did not start. */
const isDead = (exit: Exit.Exit<unknown, ProcessFailed>): boolean =>
  failureOf(exit)?.reason === "not_started";

const outcomeOf = <A>(exit: Exit.Exit<A, ProcessFailed>, { answerIn }: Job<A>): Outcome => {
  if (Exit.isFailure(exit)) return failureOf(exit) === hung || isDead(exit) ? "fault" : "undecided";
  const answer = answerIn(exit.value);
  return answer.ok ? "read" : isBroken(answer) ? "fault" : "refused";
};

/** What this process knows of versions at hosts. */
const makeMemory = () => {
  const standings = makeStandings<"fault">();

  /** The first two that do not rest; if all do, the first one, because a version is no reason to refuse a run. */
  const thatServe = (programs: Programs, host: string, nowMs: number) => {
    const [best = programs[0], spare = null] = programs.filter(({ ytDlp }) =>
      servesNow(standings.of(ytDlp, host), nowMs)
    );
    return { best, spare };
  };

  /** After a pause, the run is the version's trial. */
  const take = Effect.fnUntraced(function* ({ ytDlp }: YtDlpProgram, host: string) {
    const nowMs = yield* Clock.currentTimeMillis;
    const standing = standings.of(ytDlp, host);
    if (servesNow(standing, nowMs)) standings.set(ytDlp, host, taken(standing, nowMs));
  });

  /** A fault is the version's if another one read the source; one that was no help is asked less and less. */
  const settle = Effect.fnUntraced(function* (tried: ReadonlyArray<Tried<unknown>>, url: string) {
    const host = hostOf(url);
    const nowMs = yield* Clock.currentTimeMillis;
    const isReadElsewhere = tried.at(-1)?.outcome === "read";
    for (const [at, { outcome, program }] of tried.entries()) {
      const before = standings.of(program.ytDlp, host);
      const isRefused = outcome === "fault" && (isReadElsewhere || at > 0);
      const restsAt = isReadElsewhere ? 1 : REFUSALS_TO_REST;
      const now = isRefused
        ? refused(before, { url, reason: "fault" as const, restsAt }, nowMs)
        : outcome === "read" || outcome === "refused"
          ? GOOD_STANDING
          : undecided(before, nowMs);
      standings.set(program.ytDlp, host, now);
      const pauseMs = pauseBegun(before, now);
      if (pauseMs !== null && isReadElsewhere) {
        yield* Effect.logWarning("A version of yt-dlp cannot read a host; another one serves it").pipe(
          Effect.annotateLogs({ host, version: program.version, pauseSeconds: pauseMs / SECOND_MS })
        );
      }
    }
  });

  return { settle, take, thatServe };
};

/** Runs each job with the best version of its host, and with the one before if that may do better. */
const makeServe = ({ dataDir }: VersionsSettings, { hold, versions, withProgram }: RunningVersions) => {
  const { settle, take, thatServe } = makeMemory();
  const readsOnProbation = new Map<string, number>();

  /** Counts what the version on probation read; the last one ends it. */
  const noteRead = Effect.fnUntraced(function* ({ version }: YtDlpProgram) {
    if (dataDir === null || version === null || version !== versions().state.probation) return;
    const reads = (readsOnProbation.get(version) ?? 0) + 1;
    readsOnProbation.set(version, reads);
    if (reads !== READS_TO_PROVE) return;
    yield* Effect.logInfo(`yt-dlp ${version} has proved itself: it is used with cookies, too.`);
    // A data directory that cannot be written leaves it on probation.
    yield* Effect.promise(() => changeVersionState(dataDir, (state) => prove(state, version))).pipe(
      Effect.catchDefect(() => Effect.void)
    );
  });

  const attempt = Effect.fnUntraced(function* <A>(program: YtDlpProgram, job: Job<A>, isLast: boolean) {
    const { patienceMs = null } = job;
    yield* take(program, hostOf(job.url));
    const asked = withProgram(program, (ytDlp) =>
      isLast || patienceMs === null
        ? job.ask(ytDlp)
        : Effect.andThen(
            ytDlp.ready,
            Effect.timeoutOrElse(job.ask(ytDlp), { duration: patienceMs, orElse: () => Effect.fail(hung) })
          )
    );
    const exit = yield* Effect.exit(asked);
    const outcome = outcomeOf(exit, job);
    if (job.isInspection === true && outcome !== "undecided") {
      if (outcome === "read") yield* noteRead(program);
      yield* count(program, hostOf(job.url), outcome === "fault" ? "failed" : outcome);
    }
    return { program, exit, outcome };
  });

  return Effect.fnUntraced(function* <A>(job: Job<A>) {
    yield* hold;
    const { url } = job;
    const { best, spare } = thatServe(job.programs, hostOf(url), yield* Clock.currentTimeMillis);
    const first = yield* attempt(best, job, spare === null);
    // A version alone is asked again if it has died: it may start anew.
    const other = first.outcome === "fault" ? (spare ?? (isDead(first.exit) ? best : null)) : null;
    if (other === null) {
      yield* settle([first], url);
      return yield* first.exit;
    }
    const second = yield* attempt(other, job, true);
    yield* settle(spare === null ? [second] : [first, second], url);
    // Where neither helped, the best version says why.
    const isBetter = second.outcome === "read" || second.outcome === "refused";
    return yield* (isBetter ? second : first).exit;
  });
};

export const makeVersionsInTurn = Effect.fnUntraced(function* (
  settings: VersionsSettings
): Effect.fn.Return<YtDlp, never, Scope.Scope> {
  const running = yield* makeRunningVersions(settings);
  const { bestTwo, current, hold, installedAs, versions, withProgram } = running;
  const serve = makeServe(settings, running);

  return {
    inspect: (url, items, place, options) =>
      serve({
        url,
        programs: bestTwo(place.cookies !== null),
        ask: (ytDlp) => ytDlp.inspect(url, items, place, options),
        answerIn: (answer) => answer,
        patienceMs: options?.onlyLists === true ? null : settings.inspectTimeoutMs * PATIENCE_SHARE,
        isInspection: true
      }),
    comments: (url, place) =>
      serve({
        url,
        programs: bestTwo(place.cookies !== null),
        ask: (ytDlp) => ytDlp.comments(url, place),
        answerIn: (answer) => answer
      }),
    download: (info, file, place: YtDlpPlace, onProgress) => {
      const usual = bestTwo(place.cookies !== null);
      const inspector = installedAs(inspectedBy(info));
      const mayHave = inspector?.version !== versions().state.probation || place.cookies === null;
      const { webpage_url: url } = info as { readonly webpage_url?: unknown };
      return serve({
        url: typeof url === "string" ? url : "",
        programs:
          inspector === null || !mayHave
            ? usual
            : [inspector, ...usual.filter(({ ytDlp }) => ytDlp !== inspector.ytDlp)],
        ask: (ytDlp) => ytDlp.download(info, file, place, onProgress),
        answerIn: ({ answer }) => answer
      });
    },
    ready: Effect.andThen(
      hold,
      Effect.suspend(() => withProgram(current(), ({ ready }) => ready))
    )
  };
});
