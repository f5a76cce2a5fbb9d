/**
 * Progress of a run for one watcher, in any process: the stored state, then events of the feed. The store is polled
 * as well, because the feed may lose the end.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { NotFound } from "../../domain/request/Refusal.ts";
import { endOf, eventOf, isLast, type RunEvent } from "../../domain/run/RunProgress.ts";
import { RunFeed } from "../../ports/RunFeed.ts";
import { Store } from "../../ports/Store.ts";
import { isId } from "../Ids.ts";

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
