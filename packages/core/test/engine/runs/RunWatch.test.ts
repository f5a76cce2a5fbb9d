/** Watching runs of this process and of others, with a working feed and a failing one. */
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import type { RunEvent } from "../../../src/domain/run/RunProgress.ts";
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

const collect = (accountId: string, id: string, countMax = Number.POSITIVE_INFINITY) =>
  Runs.use((runs) => runs.watch(accountId, id)).pipe(
    Effect.flatMap((events) => Stream.runCollect(Stream.take(events, countMax))),
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

const stepOf = (attempt: number, step: RunEvent["step"]): RunEvent => ({
  attempt,
  phase: "processing",
  step,
  percent: null,
  bytes: 0,
  rung: null
});

/** A feed that publishes a second attempt, twice, then what the first one still reports, and then nothing. */
const feedOfNextAttempt = Layer.succeed(
  RunFeed,
  RunFeed.of({
    publish: () => Effect.void,
    watch: () =>
      Effect.succeed(
        Stream.concat(
          Stream.make(stepOf(2, "analysing"), stepOf(2, "analysing"), stepOf(1, "fetching")),
          Stream.never
        )
      )
  })
);

describe("watching a run", () => {
  it.effect("shows every step once, then the end", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO, parts: ["transcript"] });
      const watcher = yield* Effect.forkChild(collect(accountId, extraction.id), { startImmediately: true });
      yield* execute(extraction);
      const events = yield* Fiber.join(watcher);
      const places = placesOf(events);
      assert.includeMembers(places, ["inspecting", "fetching", "storing"]);
      assert.strictEqual(places.at(-1), "done");
      const states = events.map((event) => JSON.stringify(event));
      assert.sameMembers(states, [...new Set(states)]);
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

  it.effect("that has ended shows only its end", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: ARTICLE });
      assert.deepStrictEqual(placesOf(yield* collect(accountId, id)), ["done"]);
    }).pipe(Effect.scoped, Effect.provide(world()))
  );

  it.effect("begins with the present step for whoever comes late or comes back", () => {
    const source = gated();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* source.begun;
      for (let count = 0; count < 3; count++) {
        const [first] = yield* Effect.scoped(collect(accountId, extraction.id, 1));
        assert.deepInclude(first, { attempt: 1, step: "fetching" });
      }
      yield* source.open;
      yield* Fiber.join(worker);
    }).pipe(Effect.scoped, Effect.provide(world({ sources: source.sources })));
  });

  it.effect("shows that it has left the queue before its first step", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const first = yield* submit(accountId, { url: ARTICLE });
      const second = yield* submit(accountId, { url: VIDEO });
      const watcher = yield* Effect.forkChild(collect(accountId, second.extraction.id, 2), {
        startImmediately: true
      });
      yield* execute(first.extraction);
      yield* TestClock.adjust(WATCH_POLL_INTERVAL_MS);
      assert.deepStrictEqual(placesOf(yield* Fiber.join(watcher)), ["queued", "processing"]);
    }).pipe(Effect.scoped, Effect.provide(world({ plans: { default: { runningMax: 1 } } })))
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

  it.effect("shows nothing of an attempt after a later one's, and ends if that is deleted", () => {
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
      assert.deepStrictEqual(placesOf(yield* Fiber.join(watcher)), ["analysing", "failed"]);
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
