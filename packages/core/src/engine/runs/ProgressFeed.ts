/** The progress of a run: published by its attempt to the feed, and watched there by anyone, in any process. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { NotFound } from "../../domain/request/Refusal.ts";
import {
  endOf,
  eventOf,
  isLast,
  type RunEvent,
  type RunProgress,
  sequenceOf
} from "../../domain/run/RunProgress.ts";
import { RunFeed } from "../../ports/RunFeed.ts";
import { Store } from "../../ports/Store.ts";
import { isId } from "../Ids.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";

/** A poll reads one row. */
export const WATCH_POLL_INTERVAL_MS = 5_000;

/** Drops events that are not newer than the last one. An end counts if it belongs to the last known attempt. */
const inOrder = (events: Stream.Stream<RunEvent>, after: number): Stream.Stream<RunEvent> =>
  Stream.mapAccum(
    events,
    () => after,
    (last, incoming) => {
      const event = isLast(incoming)
        ? { ...incoming, sequence: Math.max(incoming.sequence, endOf(last)) }
        : incoming;
      return event.sequence > last ? [event.sequence, [event]] : [last, []];
    }
  );

/**
 * For one watcher: the stored state, then events of the feed. The store is polled as well, because the feed may lose the
 * end.
 */
export const watchRun = Effect.fn("Runs.watch")(function* (
  accountId: string,
  id: string,
  after: number
): Effect.fn.Return<Stream.Stream<RunEvent>, NotFound, Store | RunFeed | Scope.Scope> {
  if (!isId("ext", id)) return yield* new NotFound({ what: "extraction" });
  const store = yield* Store;
  const feed = yield* RunFeed;
  // Subscribed before the first read, so that nothing in between is missed.
  const events = yield* feed.watch(id);
  const found = Option.getOrNull(yield* store.getExtraction(accountId, id));
  if (found === null) return yield* new NotFound({ what: "extraction" });
  const deletedEvent = eventOf({ status: "failed", attempt: found.attempt });
  const readState = Effect.suspend(() => store.getExtraction(accountId, id)).pipe(
    Effect.map((current) => [Option.match(current, { onNone: () => deletedEvent, onSome: eventOf })]),
    Effect.catchDefect(() => Effect.succeed<ReadonlyArray<RunEvent>>([]))
  );
  const storedStates = Stream.fromEffectRepeat(Effect.delay(readState, WATCH_POLL_INTERVAL_MS)).pipe(
    Stream.flatMap((seen) => Stream.fromIterable(seen))
  );
  const all = Stream.concat(Stream.make(eventOf(found)), Stream.merge(events, storedStates));
  return inOrder(Stream.takeUntil(all, isLast), after);
});

// An attempt publishes its progress numbered: immediately when the step changes, otherwise the newest state at most four
// times a second, and repeated every few seconds for watchers who join late. At debug level, steps are also logged.

/** Minimum interval between two states of one step: smooth for people, cheap for the database. */
export const REPORT_INTERVAL_MS = 250;

/** Maximum wait of a late watcher for the current step. */
export const REPEAT_EVENT_INTERVAL_MS = 3_000;

/** Interval of log lines within a step, so that long downloads show progress. */
export const PROGRESS_LINE_INTERVAL_MS = 10_000;

type RunReport = (progress: RunProgress) => Effect.Effect<void>;

const stageKeyOf = ({ phase, step, rung }: RunProgress): string => [phase, step, rung?.join()].join(" ");

const writeLine = ({ step, percent, bytes, rung }: RunProgress): Effect.Effect<void> =>
  Effect.logDebug("Extraction progress").pipe(
    Effect.annotateLogs({
      step,
      ...(percent === null ? {} : { percent }),
      bytes,
      ...(rung === null ? {} : { rung: rung.join() })
    })
  );

/** Whether to log: immediately when the stage changes, and after the interval within a stage. */
const makeLinePace = () => {
  let last = { stage: "", atMs: 0 };
  return (progress: RunProgress, atMs: number): boolean => {
    const stage = stageKeyOf(progress);
    if (stage === last.stage && atMs - last.atMs < PROGRESS_LINE_INTERVAL_MS) return false;
    last = { stage, atMs };
    return true;
  };
};

/** Publishes until the scope closes. */
export const makeRunReport = Effect.fnUntraced(function* ({
  id,
  attempt
}: Pick<Extraction, "id" | "attempt">): Effect.fn.Return<RunReport, never, RunFeed | Scope.Scope> {
  const feed = yield* RunFeed;
  let lastEvent: RunEvent | null = null;
  let lastEventAtMs = 0;
  let count = 0;
  /** The newest unpublished state. */
  let pending: RunProgress | null = null;
  const isWritten = makeLinePace();

  const write = Effect.fnUntraced(function* (event: RunEvent) {
    if (isWritten(event, yield* Clock.currentTimeMillis)) yield* writeLine(event);
  });
  const publish = Effect.fnUntraced(function* (event: RunEvent) {
    [lastEvent, lastEventAtMs, pending] = [event, yield* Clock.currentTimeMillis, null];
    yield* feed.publish(id, event);
    yield* write(event);
  });
  const publishNew = (progress: RunProgress) => {
    count += 1;
    return publish({ ...progress, sequence: sequenceOf(attempt, count) });
  };

  const catchUp = Effect.fnUntraced(function* () {
    if (pending !== null) return yield* publishNew(pending);
    const nowMs = yield* Clock.currentTimeMillis;
    if (lastEvent !== null && nowMs - lastEventAtMs >= REPEAT_EVENT_INTERVAL_MS) yield* publish(lastEvent);
  });
  yield* catchUp().pipe(Effect.delay(REPORT_INTERVAL_MS), Effect.forever, Effect.forkScoped);

  return Effect.fnUntraced(function* (progress) {
    const nowMs = yield* Clock.currentTimeMillis;
    const waits =
      lastEvent !== null &&
      stageKeyOf(lastEvent) === stageKeyOf(progress) &&
      nowMs - lastEventAtMs < REPORT_INTERVAL_MS;
    if (waits) pending = progress;
    else yield* publishNew(progress);
  });
});
