/** A run feed within one process. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as PubSub from "effect/PubSub";
import * as RcMap from "effect/RcMap";
import * as Stream from "effect/Stream";
import type { RunEvent } from "../domain/run/RunProgress.ts";
import { KEPT_EVENT_MS, KEPT_EVENTS_MAX, RunFeed } from "../ports/RunFeed.ts";

const make = Effect.gen(function* () {
  const watched = yield* RcMap.make({
    lookup: (_extractionId: string) =>
      Effect.acquireRelease(
        PubSub.sliding<RunEvent>({ capacity: KEPT_EVENTS_MAX, replay: 1 }),
        PubSub.shutdown
      ),
    idleTimeToLive: KEPT_EVENT_MS
  });
  return RunFeed.of({
    publish: Effect.fnUntraced(function* (extractionId, event) {
      if (!(yield* RcMap.has(watched, extractionId))) return;
      yield* PubSub.publish(yield* RcMap.get(watched, extractionId), event);
    }, Effect.scoped),
    watch: Effect.fnUntraced(function* (extractionId) {
      const hub = yield* RcMap.get(watched, extractionId);
      return Stream.fromSubscription(yield* PubSub.subscribe(hub));
    })
  });
});

export const layer: Layer.Layer<RunFeed> = Layer.effect(RunFeed, make);
