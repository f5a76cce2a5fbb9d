/** Deleting extractions, on request and after their retention. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import * as ExtractionsModule from "../../../src/engine/extractions/Extractions.ts";
import { REMOVED_MAX, sweepRemovals } from "../../../src/engine/extractions/Removal.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { Worker } from "../../../src/engine/runs/Worker.ts";
import { REMOVAL_INTERVAL_MS } from "../../../src/engine/runs/Sweeper.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { Store } from "../../../src/ports/Store.ts";
import {
  ARTICLE,
  assertLaws,
  balanceOf,
  CAROUSEL,
  DAY_MS,
  execute,
  openAccount,
  OPENING_BALANCE,
  read,
  runToEnd,
  submit,
  VIDEO,
  world
} from "../World.ts";

const remove = (accountId: string, id: string) => Runs.use((runs) => runs.remove(accountId, id));

const isGone = (accountId: string, id: string) =>
  Effect.match(read(accountId, id), {
    onFailure: ({ message }) => message === "There is no such extraction.",
    onSuccess: () => false
  });

const hasFiles = ({ result }: Extraction) =>
  ArtifactStore.use((artifacts) =>
    Effect.map(
      Effect.forEach(result?.artifacts ?? [], ({ name }) =>
        artifacts.size({ extractionId: "", attempt: 0, ...result?.artifactOwner, name })
      ),
      (sizes) => sizes.length > 0 && sizes.every(Option.isSome)
    )
  );

describe("a deleted extraction", () => {
  it.effect(
    "is gone with its files and cache entry; the ledger remains, and its key cannot be used again",
    () =>
      Effect.gen(function* () {
        const { openFile, list } = yield* ExtractionsModule.Extractions;
        const accountId = yield* openAccount();
        const first = yield* submit(accountId, { url: ARTICLE }, "key");
        yield* execute(first.extraction);
        const done = yield* read(accountId, first.extraction.id);
        assert.isTrue(yield* hasFiles(done));
        const before = (yield* assertLaws(accountId)).ledger;
        const ledger = before.map((entry) => ({ ...entry, extractionTitle: null }));
        yield* remove(accountId, done.id);
        assert.isTrue(yield* isGone(accountId, done.id));
        assert.isFalse(yield* hasFiles(done));
        yield* Effect.flip(openFile(accountId, done.id, "transcript.txt"));
        yield* Effect.flip(Runs.use((runs) => runs.cancel(accountId, done.id)));
        yield* Effect.flip(remove(accountId, done.id));
        assert.deepStrictEqual((yield* list(accountId, { limit: 5, cursor: null })).rows, []);
        assert.deepStrictEqual((yield* assertLaws(accountId)).ledger, ledger);
        const refused = yield* Effect.flip(submit(accountId, { url: ARTICLE }, "key"));
        assert.deepInclude(refused, {
          code: "conflict",
          details: { param: "Idempotency-Key", reason: "extraction_deleted" }
        });
        assert.deepStrictEqual((yield* assertLaws(accountId)).ledger, ledger);
        const again = yield* submit(accountId, { url: ARTICLE }, "another key");
        assert.deepInclude(again.extraction, { status: "pending", creditsDebited: 50, cachedFrom: null });
      }).pipe(Effect.provide(world()))
  );

  it.effect("remains in extractions that reuse its result, for 30 days after the original run", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const original = yield* runToEnd(accountId, { url: ARTICLE });
      yield* TestClock.adjust("20 days");
      const copy = (yield* submit(accountId, { url: ARTICLE })).extraction;
      yield* remove(accountId, original.id);
      yield* TestClock.adjust("10 days");
      const last = (yield* submit(accountId, { url: ARTICLE })).extraction;
      assert.deepStrictEqual([last.creditsDebited, last.cachedFrom], [0, original.id]);
      yield* TestClock.adjust("1 second");
      assert.strictEqual((yield* submit(accountId, { url: ARTICLE })).extraction.creditsDebited, 50);
      assert.isTrue(yield* hasFiles(copy));
    }).pipe(Effect.provide(world()))
  );

  it.effect("that is active is cancelled first, in any state", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const submitted = yield* Effect.forEach([1, 2, 3], () => submit(accountId, { url: ARTICLE }));
      for (const { extraction } of submitted) {
        yield* remove(accountId, extraction.id);
        yield* execute(extraction);
        assert.isTrue(yield* isGone(accountId, extraction.id));
        yield* assertLaws(accountId);
      }
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
    }).pipe(Effect.provide(world()))
  );

  it.effect(
    "whose result is reused keeps its files until the last extraction that serves them is deleted",
    () =>
      Effect.gen(function* () {
        const { openFile } = yield* ExtractionsModule.Extractions;
        const accountId = yield* openAccount();
        const source = yield* runToEnd(accountId, { url: ARTICLE });
        const second = (yield* submit(accountId, { url: ARTICLE })).extraction;
        const third = (yield* submit(accountId, { url: ARTICLE })).extraction;
        assert.strictEqual(third.cachedFrom, source.id);
        yield* remove(accountId, source.id);
        yield* openFile(accountId, second.id, "transcript.txt");
        yield* remove(accountId, second.id);
        assert.isTrue(yield* hasFiles(third));
        yield* remove(accountId, third.id);
        assert.isFalse(yield* hasFiles(third));
      }).pipe(Effect.provide(world()))
  );

  it.effect("between a submit's cache look-up and its decision is not served", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const source = yield* runToEnd(accountId, { url: ARTICLE });
      const real = yield* Store;
      const racing = Store.of({
        ...real,
        findReusable: (...key) =>
          Effect.tap(real.findReusable(...key), () => real.deleteExtraction(accountId, source.id))
      });
      const { extraction } = yield* Effect.provide(
        submit(accountId, { url: ARTICLE }),
        Layer.provide(Layer.fresh(ExtractionsModule.layer), Layer.succeed(Store, racing)),
        { local: true }
      );
      assert.deepInclude(extraction, { status: "pending", creditsDebited: 50, cachedFrom: null });
    }).pipe(Effect.provide(world()))
  );

  it.effect("whose files cannot be removed is gone anyway, and the sweeper removes them later", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const artifacts = yield* ArtifactStore;
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: ARTICLE });
      yield* store.deleteExtraction(accountId, done.id);
      const down = ArtifactStore.of({
        ...artifacts,
        removeAttempt: () => Effect.die(new Error("connection lost"))
      });
      yield* Effect.provideService(sweepRemovals(), ArtifactStore, down);
      assert.isTrue(yield* hasFiles(done));
      yield* TestClock.adjust(REMOVAL_INTERVAL_MS);
      yield* sweepRemovals();
      assert.isFalse(yield* hasFiles(done));
    }).pipe(Effect.provide([world(), Logger.layer([])]))
  );
});

describe("retention", () => {
  const kept = world({ plans: { default: { retentionDays: 3 } } });

  it.effect("deletes results and files older than the limit, and nothing newer or active", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const old = yield* runToEnd(accountId, { url: ARTICLE });
      yield* TestClock.adjust(1);
      const young = yield* runToEnd(accountId, { url: CAROUSEL });
      const live = (yield* submit(accountId, { url: VIDEO })).extraction;
      yield* TestClock.adjust(3 * DAY_MS - 1);
      yield* sweepRemovals();
      assert.isFalse(yield* isGone(accountId, old.id));
      yield* TestClock.adjust(1);
      yield* sweepRemovals();
      assert.isTrue(yield* isGone(accountId, old.id));
      assert.isFalse(yield* hasFiles(old));
      assert.isTrue(yield* hasFiles(young));
      assert.strictEqual((yield* read(accountId, live.id)).status, "pending");
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(kept))
  );

  it.effect("works in batches", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, { url: ARTICLE });
      for (let count = 0; count < REMOVED_MAX; count++) yield* submit(accountId, { url: ARTICLE });
      const store = yield* Store;
      const batches: Array<number> = [];
      const counting = Store.of({
        ...store,
        removeExpired: (query) =>
          Effect.tap(store.removeExpired(query), () =>
            Effect.map(store.listExtractions(accountId, { after: null, limit: 1_000 }), ({ length }) =>
              batches.push(length)
            )
          )
      });
      yield* TestClock.adjust(3 * DAY_MS + 1);
      yield* Effect.provideService(sweepRemovals(), Store, counting);
      assert.deepStrictEqual(batches, [1, 0]);
      assert.isEmpty((yield* assertLaws(accountId)).extractions);
    }).pipe(Effect.provide(kept))
  );

  it.effect("works alongside the workers", () =>
    Effect.gen(function* () {
      const worker = yield* Worker;
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: ARTICLE });
      yield* TestClock.adjust(3 * DAY_MS - REMOVAL_INTERVAL_MS);
      yield* worker.work(1);
      assert.isFalse(yield* isGone(accountId, done.id));
      yield* TestClock.adjust(2 * REMOVAL_INTERVAL_MS);
      assert.isTrue(yield* isGone(accountId, done.id));
    }).pipe(Effect.provide(kept))
  );
});
