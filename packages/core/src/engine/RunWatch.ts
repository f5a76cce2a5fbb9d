/**
 * How a run goes on, for one watcher, wherever it is carried out: the stored state, then what the feed tells.
 * The store is looked at now and then too, because a feed may lose the end.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { NotFound } from "../domain/Refusal.ts";
import { endOf, eventOf, isLast, type RunEvent } from "../domain/RunProgress.ts";
import { RunFeed } from "../ports/RunFeed.ts";
import { Store } from "../ports/Store.ts";
import { isId } from "./Ids.ts";

/** A look costs one row. */
export const WATCH_LOOK_INTERVAL_MS = 5_000;

/**
 * Only what comes after the last one, so that what is told twice is seen once. An end is one of the last
 * attempt that was heard of, whichever the stored state knew.
 */
const inOrder = (events: Stream.Stream<RunEvent>, after: number): Stream.Stream<RunEvent> =>
  Stream.mapAccum(
    events,
    () => after,
    (last, told) => {
      const event = isLast(told) ? { ...told, sequence: Math.max(told.sequence, endOf(last)) } : told;
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
  // Subscribed before the look: what happens in between is seen by one of them.
  const events = yield* feed.watch(id);
  const found = Option.getOrNull(yield* store.getExtraction(accountId, id));
  if (found === null) return yield* new NotFound({ what: "extraction" });
  const gone = eventOf({ status: "failed", attempt: found.attempt });
  const look = Effect.suspend(() => store.getExtraction(accountId, id)).pipe(
    Effect.map((current) => [Option.match(current, { onNone: () => gone, onSome: eventOf })]),
    Effect.catchDefect(() => Effect.succeed<ReadonlyArray<RunEvent>>([]))
  );
  const looks = Stream.fromEffectRepeat(Effect.delay(look, WATCH_LOOK_INTERVAL_MS)).pipe(
    Stream.flatMap((seen) => Stream.fromIterable(seen))
  );
  const all = Stream.concat(Stream.make(eventOf(found)), Stream.merge(events, looks));
  return inOrder(Stream.takeUntil(all, isLast), after);
});
