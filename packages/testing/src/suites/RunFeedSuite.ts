/** What every implementation of RunFeed promises. Run by MemoryRunFeed.test.ts, PgRunFeed.test.ts. */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { RunEvent } from "@winnow/core/domain/run/RunProgress";
import { KEPT_EVENTS_MAX, RunFeed } from "@winnow/core/ports/RunFeed";
import { uniqueId } from "../samples/samples.ts";

/** The n-th event of a run. */
export const sampleEvent = (index: number, changes: Partial<RunEvent> = {}): RunEvent => ({
  attempt: 1,
  phase: "processing",
  step: "fetching",
  percent: index / 10,
  bytes: index * 1_000,
  rung: null,
  ...changes
});

const events = (from: number, to: number): ReadonlyArray<RunEvent> =>
  Array.from({ length: to - from + 1 }, (_, index) => sampleEvent(from + index));

const publish = (id: string, events: ReadonlyArray<RunEvent>) =>
  RunFeed.use((feed) => Effect.forEach(events, (event) => feed.publish(id, event), { discard: true }));

const watch = (id: string) => RunFeed.use((feed) => feed.watch(id));

export const suite = <E>(name: string, layer: Layer.Layer<RunFeed, E>): void =>
  withLayer(layer, { excludeTestServices: true })(`RunFeed: ${name}`, (it) => {
    it.effect("a watcher sees complete events in order, from its start, of its extraction only", () =>
      Effect.gen(function* () {
        const [id, other] = [uniqueId("ext"), uniqueId("ext")];
        yield* publish(id, events(1, 2));
        const watched = yield* watch(id);
        const odd = sampleEvent(4, { step: null, percent: null, rung: ["transcript", "audio"] });
        yield* publish(other, events(90, 95));
        const heard = sampleEvent(5, { step: "transcribing", doneSec: 825.5, totalSec: 3_300 });
        const all = [sampleEvent(3), odd, heard, sampleEvent(6, { phase: "done" })];
        yield* publish(id, all);
        assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 4)))], all);
      })
    );

    it.effect("every watcher sees every event, even after another one stops", () =>
      Effect.gen(function* () {
        const id = uniqueId("ext");
        const first = yield* watch(id);
        const scope = yield* Scope.make();
        const second = yield* Scope.provide(watch(id), scope);
        yield* publish(id, events(1, 3));
        assert.lengthOf(yield* Stream.runCollect(Stream.take(second, 3)), 3);
        yield* Scope.close(scope, Exit.void);
        yield* publish(id, events(4, 5));
        assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(first, 5)))], [...events(1, 5)]);
      })
    );

    it.effect("a watcher who joins another or comes back begins with the newest event", () =>
      Effect.gen(function* () {
        const id = uniqueId("ext");
        yield* Effect.scoped(watch(id));
        yield* publish(id, events(1, 2));
        const back = yield* watch(id);
        const joining = yield* watch(id);
        yield* publish(id, events(3, 3));
        for (const watched of [back, joining]) {
          assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 2)))], [...events(2, 3)]);
        }
      })
    );

    it.effect("a slow watcher misses the oldest events, never the last", () =>
      Effect.gen(function* () {
        const id = uniqueId("ext");
        const watched = yield* watch(id);
        const last = KEPT_EVENTS_MAX * 4;
        yield* publish(id, events(1, last));
        const seen = [
          ...(yield* Stream.runCollect(Stream.takeUntil(watched, ({ bytes }) => bytes === last * 1_000)))
        ].map(({ bytes }) => bytes);
        assert.isAtMost(seen.length, KEPT_EVENTS_MAX);
        assert.isAbove(seen[0] ?? 0, 1_000);
        assert.deepStrictEqual(
          seen,
          seen.toSorted((a, b) => a - b)
        );
      })
    );

    it.effect("a stream ends with its scope", () =>
      Effect.gen(function* () {
        const id = uniqueId("ext");
        const scope = yield* Scope.make();
        const watched = yield* Scope.provide(watch(id), scope);
        const watcher = yield* Effect.forkChild(Effect.exit(Stream.runDrain(watched)));
        yield* Scope.close(scope, Exit.void);
        yield* Fiber.join(watcher);
        yield* publish(id, events(1, 2));
      })
    );
  });
