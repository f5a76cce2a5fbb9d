/** A run whose storage or database becomes unavailable. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import * as Clock from "effect/Clock";
import { remedyOf } from "../../../src/domain/source/Failed.ts";
import { ATTEMPTS_MAX, decideStart } from "../../../src/domain/result/Settlement.ts";
import { REMOVAL_INTERVAL_MS } from "../../../src/engine/runs/Sweeper.ts";
import { STORING_RETRY_LIMIT_MS } from "../../../src/engine/Outages.ts";
import { LATE_FILES_MS, sweepRemovals } from "../../../src/engine/extractions/Removal.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { FreeSpace } from "../../../src/ports/FreeSpace.ts";
import { Store } from "../../../src/ports/Store.ts";
import { Unavailable } from "../../../src/ports/Unavailable.ts";
import { assertLaws, DAY_MS, engine, execute, openAccount, ports, read, submit, VIDEO } from "../World.ts";

/** How long a port is unavailable, by the test clock. */
interface Outage {
  untilMs: number;
}

const away = (what: Unavailable["what"], reason: Unavailable["reason"] = "away") =>
  new Unavailable({ what, reason, message: `The ${what} went away.`, retryAfterSeconds: 5 });

const during =
  (outage: Outage, unavailable: Unavailable) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      nowMs < outage.untilMs ? Effect.die(unavailable) : call
    );

/** A file is stored before the store becomes unavailable, as if only the response was lost. */
const storageThatGoes = (outage: Outage, unavailable: Unavailable) =>
  Layer.effect(
    ArtifactStore,
    Effect.map(ArtifactStore, (real) => {
      const calling = during(outage, unavailable);
      return {
        ...real,
        put: (key, source) => Effect.flatMap(real.put(key, source), (size) => calling(Effect.succeed(size))),
        removeAttempt: (owner) => calling(real.removeAttempt(owner))
      } satisfies ArtifactStore["Service"];
    })
  );

const databaseThatGoes = (outage: Outage) =>
  Layer.effect(
    Store,
    Effect.map(Store, (real): Store["Service"] => ({
      ...real,
      transact: (accountId, decider) => during(outage, away("database"))(real.transact(accountId, decider)),
      getExtraction: (accountId, id) => during(outage, away("database"))(real.getExtraction(accountId, id))
    }))
  );

const over = <E, R>(faulty: Layer.Layer<Store, E, R> | Layer.Layer<ArtifactStore, E, R>) =>
  Layer.provideMerge(engine(), Layer.provideMerge(faulty as Layer.Layer<Store, E, R>, ports()));

const isStored = (extractionId: string, attempt: number) =>
  ArtifactStore.use((artifacts) =>
    Effect.map(artifacts.size({ extractionId, attempt, name: "video.mp4" }), Option.isSome)
  );

/** Executes the run while the clock advances by the given time. */
const executeFor = Effect.fnUntraced(function* (run: Parameters<typeof execute>[0], forMs: number) {
  const fiber = yield* Effect.forkChild(execute(run), { startImmediately: true });
  for (let passedMs = 0; passedMs < forMs && fiber.pollUnsafe() === undefined; passedMs += 1_000) {
    yield* TestClock.adjust(1_000);
  }
  yield* Fiber.await(fiber);
});

const started = Effect.gen(function* () {
  const accountId = yield* openAccount();
  const { extraction } = yield* submit(accountId, { url: VIDEO });
  return { accountId, extraction };
});

describe("unavailable storage", () => {
  it.effect("for two minutes: the run waits and completes in its first attempt", () => {
    const outage = { untilMs: 120_000 };
    return Effect.gen(function* () {
      const { accountId, extraction } = yield* started;
      yield* executeFor(extraction, 200_000);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "complete", attempt: 1 });
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(over(storageThatGoes(outage, away("artifacts")))));
  });

  it.effect("for longer: the run is requeued, and the sweeper finds the stored files", () => {
    const outage = { untilMs: Number.MAX_SAFE_INTEGER };
    return Effect.gen(function* () {
      const { accountId, extraction } = yield* started;
      yield* executeFor(extraction, 2 * STORING_RETRY_LIMIT_MS);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "pending", attempt: 1 });
      assert.isTrue(yield* isStored(extraction.id, 1));
      yield* sweepRemovals();
      assert.isTrue(yield* isStored(extraction.id, 1));
      outage.untilMs = 0;
      yield* TestClock.adjust(REMOVAL_INTERVAL_MS);
      yield* sweepRemovals();
      assert.isFalse(yield* isStored(extraction.id, 1));
      yield* executeFor(extraction, 1_000);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "complete", attempt: 2 });
      yield* sweepRemovals();
      assert.isTrue(yield* isStored(extraction.id, 2));
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(over(storageThatGoes(outage, away("artifacts")))));
  });

  it.effect("permanently: the last attempt reports it in one log line and in the failure", () => {
    const errors: Array<unknown> = [];
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (logLevel === "Error") errors.push(message);
    });
    const outage = { untilMs: Number.MAX_SAFE_INTEGER };
    return Effect.gen(function* () {
      const { accountId, extraction } = yield* started;
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        yield* executeFor(extraction, 2 * STORING_RETRY_LIMIT_MS);
      }
      const failed = yield* read(accountId, extraction.id);
      assert.deepInclude(failed, { status: "failed", attempt: ATTEMPTS_MAX, creditsRefunded: 230 });
      assert.include(failed.failure?.message, "disk is full");
      assert.match(remedyOf(failed.failure!).hint, /operator.*free disk space.*submit again/u);
      assert.lengthOf(errors, 1);
      yield* assertLaws(accountId);
    }).pipe(
      Effect.provide(over(storageThatGoes(outage, away("artifacts", "full")))),
      Effect.provide(Logger.layer([logger]))
    );
  });
});

describe("a process that was frozen while another took its run over", () => {
  it.effect("and is killed after it stored more leaves no files behind", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const artifacts = yield* ArtifactStore;
      const { accountId, extraction } = yield* started;
      const frozen = { extractionId: extraction.id, attempt: 1 };
      const stores = artifacts.put(
        { ...frozen, name: "video.mp4" },
        { _tag: "Bytes", bytes: new Uint8Array(1) }
      );
      yield* store.transact(accountId, decideStart(extraction.id, 0));
      yield* stores;
      yield* execute(extraction);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "complete", attempt: 2 });
      for (const wakesAfterMs of [0, REMOVAL_INTERVAL_MS, LATE_FILES_MS - REMOVAL_INTERVAL_MS]) {
        yield* TestClock.adjust(wakesAfterMs);
        yield* stores;
        yield* sweepRemovals();
        assert.isFalse(yield* isStored(extraction.id, 1));
      }
      yield* TestClock.adjust(DAY_MS);
      assert.deepStrictEqual(yield* store.takeOrphans({ nowMs: 2 * DAY_MS, limit: 10 }), []);
      assert.isTrue(yield* isStored(extraction.id, 2));
    }).pipe(Effect.provide(Layer.provideMerge(engine(), ports())))
  );
});

describe("a disk with too little space", () => {
  it.effect("delays runs until there is more", () => {
    let freeBytes = 5;
    const disks = Effect.sync(() => [{ name: "data" as const, freeBytes }]);
    return Effect.gen(function* () {
      const { accountId, extraction } = yield* started;
      const fiber = yield* Effect.forkChild(execute(extraction), { startImmediately: true });
      yield* TestClock.adjust("1 hour");
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "pending", attempt: 0 });
      freeBytes = 2_000_000_000;
      yield* TestClock.adjust("10 seconds");
      yield* Fiber.join(fiber);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "complete", attempt: 1 });
    }).pipe(
      Effect.provide(Layer.provideMerge(engine(), Layer.merge(ports(), Layer.succeed(FreeSpace, { disks }))))
    );
  });
});

describe("an unavailable database", () => {
  it.effect("during a run: the run is settled in its first attempt once the database is back", () => {
    const outage = { untilMs: 0 };
    const goes = Layer.effect(
      ArtifactStore,
      Effect.map(
        ArtifactStore,
        (real) =>
          ({
            ...real,
            put: (key, source) =>
              Effect.suspend(() => {
                outage.untilMs = 60_000;
                return real.put(key, source);
              })
          }) satisfies ArtifactStore["Service"]
      )
    );
    const faulty = Layer.provideMerge(databaseThatGoes(outage), Layer.provideMerge(goes, ports()));
    return Effect.gen(function* () {
      const { accountId, extraction } = yield* started;
      yield* executeFor(extraction, 120_000);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "complete", attempt: 1 });
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(Layer.provideMerge(engine(), faulty)));
  });
});
