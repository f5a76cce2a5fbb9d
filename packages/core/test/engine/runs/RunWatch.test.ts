/** Watching runs of this process and of others, with a working feed and a failing one. */
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import { sequenceOf, type RunEvent } from "../../../src/domain/run/RunProgress.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { WATCH_POLL_INTERVAL_MS } from "../../../src/engine/runs/ProgressFeed.ts";
import { RunFeed } from "../../../src/ports/RunFeed.ts";
import type { FakeSource } from "@winnow/testing/fakes/FakeDownloader";
import {
  ARTICLE,
  engine,
  execute,
  openAccount,
  ports,
  runToEnd,
  SOURCES,
  submit,
  VIDEO,
  world
} from "../World.ts";

const collect = (accountId: string, id: string, after?: number) =>
  Runs.use((runs) => runs.watch(accountId, id, after)).pipe(
    Effect.flatMap(Stream.runCollect),
    Effect.map((events): ReadonlyArray<RunEvent> => [...events])
  );

const placesOf = (events: ReadonlyArray<RunEvent>) => events.map(({ phase, step }) => step ?? phase);

/** A source whose fetch continues once it is released. */
const gated = () => {
  const begun = Deferred.makeUnsafe<void>();
  const gate = Deferred.makeUnsafe<void>();
  const beforeFetch = Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(gate)));
  const sources: Record<string, FakeSource> = { [ARTICLE]: { ...SOURCES[ARTICLE], beforeFetch } };
  return { sources, begun: Deferred.await(begun), open: Deferred.succeed(gate, undefined) };
};

/** A feed that loses everything. */
const deafFeed = Layer.succeed(
  RunFeed,
  RunFeed.of({ publish: () => Effect.void, watch: () => Effect.succeed(Stream.never) })
);

/** A feed that publishes a second attempt, and then nothing. */
const feedOfNextAttempt = Layer.succeed(
  RunFeed,
  RunFeed.of({
    publish: () => Effect.void,
    watch: () =>
      Effect.succeed(
        Stream.concat(
          Stream.make<[RunEvent]>({
            sequence: sequenceOf(2, 1),
            phase: "processing",
            step: "analysing",
            percent: null,
            bytes: 0,
            rung: null
          }),
          Stream.never
        )
      )
  })
);

describe("watching a run", () => {
  it.effect("shows the current state, then every step, then the end, in ascending order", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO, parts: ["transcript"] });
      const watcher = yield* Effect.forkChild(collect(accountId, extraction.id), { startImmediately: true });
      yield* execute(extraction);
      const events = yield* Fiber.join(watcher);
      const places = placesOf(events);
      assert.deepStrictEqual(places.slice(0, 2), ["processing", "inspecting"]);
      assert.includeMembers(places, ["fetching", "storing"]);
      assert.strictEqual(places.at(-1), "done");
      const sequences = events.map(({ sequence }) => sequence);
      assert.deepStrictEqual(
        sequences,
        [...new Set(sequences)].toSorted((a, b) => a - b)
      );
    }).pipe(Effect.scoped, Effect.provide(world()))
  );

  it.effect("works from an engine that does not execute it, if both share a feed", () => {
    const source = gated();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const elsewhere = Effect.provide(collect(accountId, extraction.id), Layer.fresh(engine()), {
        local: true
      });
      const watcher = yield* Effect.forkChild(elsewhere, { startImmediately: true });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* source.begun;
      yield* source.open;
      yield* Fiber.join(worker);
      assert.includeMembers(placesOf(yield* Fiber.join(watcher)), ["inspecting", "fetching", "done"]);
    }).pipe(Effect.scoped, Effect.provide(world({ sources: source.sources })));
  });

  it.effect("that has ended shows only its end, and nothing to those who have seen it", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: ARTICLE });
      const [end, ...more] = yield* collect(accountId, id);
      assert.isEmpty(more);
      assert.strictEqual(end?.phase, "done");
      assert.isEmpty(yield* collect(accountId, id, end?.sequence));
      assert.lengthOf(yield* collect(accountId, id, (end?.sequence ?? 0) - 1), 1);
    }).pipe(Effect.scoped, Effect.provide(world()))
  );

  it.effect("ends even if the feed lost the end", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const watcher = yield* Effect.forkChild(collect(accountId, extraction.id), { startImmediately: true });
      yield* execute(extraction);
      yield* TestClock.adjust(WATCH_POLL_INTERVAL_MS - 1);
      assert.isUndefined(watcher.pollUnsafe());
      yield* TestClock.adjust(1);
      assert.deepStrictEqual(placesOf(yield* Fiber.join(watcher)), ["processing", "done"]);
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(engine(), Layer.merge(ports(), deafFeed))))
  );

  it.effect("ends if the run is deleted meanwhile", () => {
    const source = gated();
    return Effect.gen(function* () {
      const runs = yield* Runs;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* source.begun;
      const watcher = yield* Effect.forkChild(collect(accountId, extraction.id), { startImmediately: true });
      yield* runs.remove(accountId, extraction.id);
      yield* Fiber.join(worker);
      assert.strictEqual(placesOf(yield* Fiber.join(watcher)).at(-1), "failed");
    }).pipe(Effect.scoped, Effect.provide(world({ sources: source.sources })));
  });

  it.effect("ends correctly if the run was started again and deleted in between", () => {
    const source = gated();
    return Effect.gen(function* () {
      const runs = yield* Runs;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* source.begun;
      const watcher = yield* Effect.forkChild(collect(accountId, extraction.id), { startImmediately: true });
      yield* runs.remove(accountId, extraction.id);
      yield* TestClock.adjust(WATCH_POLL_INTERVAL_MS);
      yield* Fiber.join(worker);
      assert.deepStrictEqual(placesOf(yield* Fiber.join(watcher)), ["processing", "analysing", "failed"]);
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(engine(), Layer.merge(ports(source), feedOfNextAttempt)))
    );
  });

  it.effect("of another account, or an unknown one, is not possible", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const other = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      for (const [account, id] of [
        [other, extraction.id],
        [accountId, "ext_unknown"],
        [accountId, "\0"]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(collect(account, id)))._tag, "NotFound");
      }
    }).pipe(Effect.scoped, Effect.provide(world()))
  );
});
