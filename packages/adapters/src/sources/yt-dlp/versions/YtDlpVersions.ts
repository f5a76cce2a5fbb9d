/**
 * yt-dlp in several versions at once: the current one, one on trial, and older ones for hosts that only they read.
 * Versions change while runs go on: a run in progress keeps its version.
 *
 * A version on trial is asked first in a tenth of the inspections, in a place of its own. If it does not answer well
 * or soon, the current version does, so that no run is lost. What the current version could not read, it inspects in
 * shadow. It never gets the operator's cookies.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Random from "effect/Random";
import type * as Scope from "effect/Scope";
import { changeVersionState, type YtDlpProgram } from "../../../programs/python/VersionFile.ts";
import { choiceFor, type Event, observed, type TrialPart } from "../../../programs/python/VersionTrial.ts";
import type { YtDlp, YtDlpInspectOptions, YtDlpPlace } from "../YtDlp.ts";
import {
  type Answer,
  type Ask,
  isBroken,
  isRead,
  makeRunningVersions,
  type RunningVersions,
  type VersionsSettings
} from "./RunningVersions.ts";

/** The part of the inspections that a version on trial is asked first. */
const SAMPLE_SHARE = 0.1;

/** Wait for a version on trial before the current one is asked too; an inspection takes 0.1 to 2 seconds. */
const HEDGE_AFTER = "2 seconds";

/**
 * Inspections on trial at once: one that hangs delays as many runs and no more. Not of hosts that the version on trial is
 * known to read.
 */
const ON_TRIAL_AT_ONCE_MAX = 2;

const hostOf = (url: unknown): string =>
  (URL.parse(typeof url === "string" ? url : "")?.hostname ?? "").replace(/^(?:www|m)\./u, "");

/** The version that inspected the media, as yt-dlp notes it. */
const inspectedBy = (info: object): unknown =>
  (info as { readonly _version?: { readonly version?: unknown } })._version?.version;

/** What a version on trial is asked. */
interface Question {
  readonly trial: YtDlpProgram & { readonly version: string };
  readonly host: string;
  readonly ask: Ask;
  readonly openPlace: Effect.Effect<YtDlpPlace, never, Scope.Scope>;
}

/** Runs of a version on trial, which end by themselves. */
const makeTrialRuns = (
  { dataDir }: VersionsSettings,
  { answerOf, current }: RunningVersions,
  scope: Scope.Scope
) => {
  let onTrial = 0;

  const note = Effect.fnUntraced(function* ({ host, trial: { version: trial } }: Question, event: Event) {
    const name = current().version ?? "";
    const { before, after } = yield* Effect.promise(() =>
      changeVersionState(dataDir, (state) => observed(state, { trial, current: name, host, event }))
    ).pipe(Effect.catchDefect(() => Effect.succeed({ before: null, after: null })));
    if (before?.trial == null || after?.trial !== null) return;
    const verdict = after.rejected.includes(trial)
      ? `yt-dlp ${trial} reads less than ${name}: it is not used.`
      : `yt-dlp ${trial} is used from now on instead of ${name}.`;
    yield* Effect.logInfo(verdict).pipe(
      Effect.annotateLogs({ trial: before.trial.tallies, olderByHost: after.olderByHost })
    );
  });

  /** Goes on if the run that asked for it ends, so that it is counted. */
  const tryOut = ({ ask, host, openPlace, trial }: Question) =>
    Effect.suspend(() => {
      onTrial += 1;
      return Effect.scoped(Effect.flatMap(openPlace, (place) => answerOf(trial, host, ask, place))).pipe(
        Effect.ensuring(Effect.sync(() => (onTrial -= 1))),
        Effect.forkIn(scope)
      );
    });

  const isFirst = (part: TrialPart) =>
    part === "sample"
      ? Effect.map(Random.next, (drawn) => drawn < SAMPLE_SHARE)
      : Effect.succeed(part === "first");

  const shadow = Effect.fnUntraced(function* (question: Question) {
    const answer = yield* Fiber.join(yield* tryOut(question));
    if (isRead(answer)) yield* note(question, "rescued");
  });

  /** The new version first; the current one if that does not answer well, or not soon. */
  const askBoth = Effect.fnUntraced(function* (question: Question, fromCurrent: Effect.Effect<Answer>) {
    const trying = yield* tryOut(question);
    const early = yield* Effect.timeoutOption(Fiber.join(trying), HEDGE_AFTER);
    if (Option.isSome(early) && isRead(early.value)) {
      yield* note(question, "read");
      return early.value;
    }
    const answer = yield* fromCurrent;
    const judged = Effect.flatMap(Fiber.join(trying), (late) => {
      if (isRead(late)) return note(question, isRead(answer) ? "read" : "rescued");
      return isRead(answer) ? note(question, "lost") : Effect.void;
    });
    if (isRead(answer) || Option.isSome(early)) {
      yield* Effect.forkIn(judged, scope);
      return answer;
    }
    const late = yield* Fiber.join(trying);
    yield* Effect.forkIn(judged, scope);
    return isRead(late) ? late : answer;
  });

  const mayTry = (): boolean => onTrial < ON_TRIAL_AT_ONCE_MAX;

  return { askBoth, isFirst, mayTry, shadow };
};

export const makeYtDlpVersions = Effect.fnUntraced(function* (
  settings: VersionsSettings
): Effect.fn.Return<YtDlp, never, Scope.Scope> {
  const scope = yield* Effect.scope;
  const running = yield* makeRunningVersions(settings);
  const { answerOf, current, hold, installedAs, versions, withProgram } = running;
  const { askBoth, isFirst, mayTry, shadow } = makeTrialRuns(settings, running, scope);

  const inspected = Effect.fnUntraced(function* (url: string, place: YtDlpPlace, ask: Ask) {
    yield* hold;
    const host = hostOf(url);
    const { state } = versions();
    const { older, part } = choiceFor(state, host);
    const program = installedAs(older) ?? current();
    const trial = part === "none" || place.cookies !== null ? null : installedAs(state.trial?.version);
    const question =
      trial === null || place.again === undefined ? null : { trial, host, ask, openPlace: place.again };
    const fromCurrent = answerOf(program, host, ask, place);
    const isFree = part === "first" || mayTry();
    if (question !== null && isFree && (yield* isFirst(part))) {
      return yield* yield* askBoth(question, fromCurrent);
    }
    const answer = yield* fromCurrent;
    if (question !== null && mayTry() && isBroken(answer)) {
      yield* Effect.forkIn(shadow(question), scope);
    }
    return yield* answer;
  });

  const isOnTrial = ({ version }: YtDlpProgram): boolean => version === versions().state.trial?.version;

  const programFor = (url: unknown, { cookies }: YtDlpPlace): YtDlpProgram => {
    const { state } = versions();
    const { older, part } = choiceFor(state, hostOf(url));
    return installedAs(part === "first" && cookies === null ? state.trial?.version : older) ?? current();
  };

  return {
    inspect: (url: string, items: string, place: YtDlpPlace, options?: YtDlpInspectOptions) =>
      inspected(url, place, (ytDlp, at) => ytDlp.inspect(url, items, at, options)),
    comments: (url, place) => withProgram(programFor(url, place), (ytDlp) => ytDlp.comments(url, place)),
    download: Effect.fnUntraced(function* (info, file, place, onProgress) {
      const { webpage_url: url } = info as { readonly webpage_url?: unknown };
      const usual = programFor(url, place);
      const inspector = installedAs(inspectedBy(info)) ?? usual;
      const program = isOnTrial(inspector) && place.cookies !== null ? usual : inspector;
      const load = (by: YtDlpProgram) =>
        withProgram(by, (ytDlp) => ytDlp.download(info, file, place, onProgress));
      if (!isOnTrial(program)) return yield* load(program);
      const loaded = yield* Effect.exit(load(program));
      const older = current();
      return Exit.isSuccess(loaded) && loaded.value.answer.ok ? loaded.value : yield* load(older);
    }),
    warm: Effect.andThen(
      hold,
      Effect.suspend(() => withProgram(current(), ({ warm }) => warm))
    ),
    ready: Effect.suspend(() => withProgram(current(), ({ ready }) => ready))
  };
});
