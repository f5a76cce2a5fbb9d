/** The progress of a run, from its attempt to watchers in any process. Tests: RunReport.test.ts, RunWatch.test.ts. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Equal from "effect/Equal";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { NotFound } from "../../domain/request/Refusal.ts";
import {
  eventOf,
  isLast,
  type RunEvent,
  type RunProgress,
  type StepProgress
} from "../../domain/run/RunProgress.ts";
import { CurrentRun, type Run } from "../../ports/CurrentRun.ts";
import { RunFeed } from "../../ports/RunFeed.ts";
import { Store } from "../../ports/Store.ts";
import { isId } from "../Ids.ts";
import { present } from "../../domain/text/Json.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";

/** A poll reads one row. */
export const WATCH_POLL_INTERVAL_MS = 5_000;

interface Shown {
  readonly attempt: number;
  /** Null before the first one. */
  readonly event: RunEvent | null;
}

/** An end is final, of whichever attempt. Within an attempt, a stored state tells less than a step. */
const isNews = (event: RunEvent, last: Shown): boolean => {
  if (isLast(event)) return true;
  if (event.attempt !== last.attempt) return event.attempt > last.attempt;
  const tellsLess = event.step === null && (last.event?.step ?? null) !== null;
  return !tellsLess && !Equal.equals(event, last.event);
};

/** Drops repetitions, and what earlier attempts than the given one still report. */
const inOrder = (events: Stream.Stream<RunEvent>, attempt: number): Stream.Stream<RunEvent> =>
  Stream.mapAccum(
    events,
    (): Shown => ({ attempt, event: null }),
    (last, event) => (isNews(event, last) ? [{ attempt: event.attempt, event }, [event]] : [last, []])
  );

/**
 * For one watcher: the present state, then events of the feed. The store is polled as well, because the feed may lose the
 * end.
 */
export const watchRun = Effect.fn("Runs.watch")(function* (
  accountId: string,
  id: string
): Effect.fn.Return<Stream.Stream<RunEvent>, NotFound, Store | RunFeed | Scope.Scope> {
  if (!isId("ext", id)) return yield* NotFound.of("extraction");
  const store = yield* Store;
  const feed = yield* RunFeed;
  // Subscribed before the first read, so that nothing in between is missed.
  const events = yield* feed.watch(id);
  const found = Option.getOrNull(yield* store.getExtraction(accountId, id));
  if (found === null) return yield* NotFound.of("extraction");
  const deletedEvent = eventOf({ status: "failed", attempt: found.attempt });
  const readState = Effect.suspend(() => store.getExtraction(accountId, id)).pipe(
    Effect.map((current) => [Option.match(current, { onNone: () => deletedEvent, onSome: eventOf })]),
    Effect.catchDefect(() => Effect.succeed<ReadonlyArray<RunEvent>>([]))
  );
  const storedStates = Stream.fromEffectRepeat(Effect.delay(readState, WATCH_POLL_INTERVAL_MS)).pipe(
    Stream.flatMap((seen) => Stream.fromIterable(seen))
  );
  // The newest event, if the feed knows it, is there before the stored state, which has no step.
  const all = Stream.merge(events, Stream.concat(Stream.make(eventOf(found)), storedStates));
  return inOrder(Stream.takeUntil(all, isLast), found.attempt);
});

// An attempt publishes its progress: immediately when the step changes, otherwise the newest state at most four times a
// second, and repeated every few seconds for watchers who join late. At debug level, steps are also logged.

/** Minimum interval between two states of one step: smooth for people, cheap for the database. */
export const REPORT_INTERVAL_MS = 250;

/** Maximum wait of a late watcher for the current step. */
export const REPEAT_EVENT_INTERVAL_MS = 3_000;

/** Interval of log lines within a step, so that long downloads show progress. */
export const PROGRESS_LINE_INTERVAL_MS = 10_000;

const stageKeyOf = ({ phase, step, rung }: RunProgress): string => [phase, step, rung?.join()].join(" ");

const writeLine = ({ step, percent, bytes, rung }: RunProgress): Effect.Effect<void> =>
  Effect.logDebug("Extraction progress").pipe(
    Effect.annotateLogs(present({ step, percent, bytes, rung: rung?.join() ?? null }))
  );

/** Nothing is fetched while a recording is transcribed, so `bytes` are those before. */
const progressOf = (now: StepProgress, bytes: number): RunProgress => {
  const { rung = null, step } = now;
  if (now.step !== "transcribing") return { phase: "processing", rung, ...now };
  const { doneSeconds: doneSec, totalSeconds: totalSec } = now;
  const percent = totalSec > 0 ? Math.round((1_000 * doneSec) / totalSec) / 10 : 100;
  return { phase: "processing", rung, step, percent, bytes, doneSec, totalSec };
};

/** What the ports called by the effect report, as it looks in the run. */
export const changingProgress = (change: (now: StepProgress) => StepProgress) =>
  Effect.updateService(CurrentRun, (run) => ({ ...run, report: (now) => run.report(change(now)) }));

/** Publishes until the scope closes. */
export const makeRunReport = Effect.fnUntraced(function* ({
  id,
  attempt
}: Pick<Extraction, "id" | "attempt">): Effect.fn.Return<Run["report"], never, RunFeed | Scope.Scope> {
  const feed = yield* RunFeed;
  let lastEvent: RunEvent | null = null;
  let lastEventAtMs = 0;
  /** The newest unpublished state. */
  let pending: RunEvent | null = null;
  let line = { stage: "", atMs: 0 };

  const publish = Effect.fnUntraced(function* (event: RunEvent) {
    const nowMs = yield* Clock.currentTimeMillis;
    [lastEvent, lastEventAtMs, pending] = [event, nowMs, null];
    yield* feed.publish(id, event);
    const stage = stageKeyOf(event);
    if (stage === line.stage && nowMs - line.atMs < PROGRESS_LINE_INTERVAL_MS) return;
    line = { stage, atMs: nowMs };
    yield* writeLine(event);
  });

  const catchUp = Effect.fnUntraced(function* () {
    if (pending !== null) return yield* publish(pending);
    const nowMs = yield* Clock.currentTimeMillis;
    if (lastEvent !== null && nowMs - lastEventAtMs >= REPEAT_EVENT_INTERVAL_MS) yield* publish(lastEvent);
  });
  yield* catchUp().pipe(Effect.delay(REPORT_INTERVAL_MS), Effect.forever, Effect.forkScoped);

  return Effect.fnUntraced(function* (now) {
    const event = { attempt, ...progressOf(now, (pending ?? lastEvent)?.bytes ?? 0) };
    const nowMs = yield* Clock.currentTimeMillis;
    const waits =
      lastEvent !== null &&
      stageKeyOf(lastEvent) === stageKeyOf(event) &&
      nowMs - lastEventAtMs < REPORT_INTERVAL_MS;
    if (waits) pending = event;
    else yield* publish(event);
  });
});
