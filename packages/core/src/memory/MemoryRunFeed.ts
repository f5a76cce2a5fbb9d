/**
 * A run feed within one process.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as PubSub from "effect/PubSub";
import * as RcMap from "effect/RcMap";
import * as Stream from "effect/Stream";
import type { AccountSignal } from "../domain/AccountSignal.ts";
import type { RunEvent } from "../domain/RunProgress.ts";
import { KEPT_EVENTS_MAX, KEPT_SIGNALS_MAX, RunFeed } from "../ports/RunFeed.ts";

/** Subscribers by topic; a slow one misses the oldest events when more than `keptMax` are waiting. */
const makeTopics = Effect.fnUntraced(function* <A>(keptMax: number) {
  const watched = yield* RcMap.make({
    lookup: (_topic: string) => Effect.acquireRelease(PubSub.sliding<A>(keptMax), PubSub.shutdown)
  });
  return {
    deliver: Effect.fnUntraced(function* (topic: string, events: ReadonlyArray<A>) {
      if (!(yield* RcMap.has(watched, topic))) return;
      yield* PubSub.publishAll(yield* RcMap.get(watched, topic), events);
    }, Effect.scoped),
    watch: Effect.fnUntraced(function* (topic: string) {
      const hub = yield* RcMap.get(watched, topic);
      return Stream.fromSubscription(yield* PubSub.subscribe(hub));
    })
  };
});

const make = Effect.gen(function* () {
  const runs = yield* makeTopics<RunEvent>(KEPT_EVENTS_MAX);
  const accounts = yield* makeTopics<AccountSignal>(KEPT_SIGNALS_MAX);
  return RunFeed.of({
    publish: (extractionId, event) => runs.deliver(extractionId, [event]),
    watch: runs.watch,
    signal: accounts.deliver,
    watchAccount: accounts.watch
  });
});

export const layer: Layer.Layer<RunFeed> = Layer.effect(RunFeed, make);
