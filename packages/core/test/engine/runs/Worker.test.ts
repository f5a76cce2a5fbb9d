import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { decideCancel, decideStart } from "../../../src/domain/result/Settlement.ts";
import { sweepRemovals } from "../../../src/engine/extractions/Removal.ts";
import { Worker } from "../../../src/engine/runs/Worker.ts";
import { REMOVAL_INTERVAL_MS } from "../../../src/engine/runs/Sweeper.ts";
import { sourceMetadata } from "../../../src/domain/source/SourceMetadata.ts";
import { ArtifactStore, type ArtifactKey, type ArtifactSource } from "../../../src/ports/ArtifactStore.ts";
import { Store } from "../../../src/ports/Store.ts";
import { sampleFacts } from "@winnow/testing/samples/samples";
import {
  ARTICLE,
  assertLaws,
  balanceOf,
  engine,
  execute,
  openAccount,
  OPENING_BALANCE,
  ports,
  read,
  runToEnd,
  SOURCES,
  submit,
  VIDEO,
  world
} from "../World.ts";

const videoThat = (beforeFetch: Effect.Effect<unknown, Failed>) =>
  world({ sources: { ...SOURCES, [VIDEO]: { facts: sampleFacts({ durationSeconds: 213 }), beforeFetch } } });

const isStored = Effect.fnUntraced(function* (extractionId: string, attempt: number, name = "video.mp4") {
  const artifacts = yield* ArtifactStore;
  return Option.isSome(yield* artifacts.size({ extractionId, attempt, name }));
});

describe("a run that succeeds", () => {
  it.effect("stores its files, keeps the facts and refunds missing parts", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* TestClock.adjust(5_000);
      const { status, result, creditsDebited, creditsRefunded, completedAtMs, warnings } = yield* runToEnd(
        accountId,
        {
          url: VIDEO
        }
      );
      assert.deepStrictEqual([status, creditsDebited, creditsRefunded], ["complete", 230, 20]);
      assert.deepStrictEqual(
        result?.artifacts.map(({ name }) => name),
        [
          "video.mp4",
          "audio.m4a",
          "transcript.txt",
          "transcript.json",
          "subtitles.en.vtt",
          "subtitles.en.srt",
          "thumbnail.jpg",
          "description.txt",
          "metadata.json"
        ]
      );
      for (const { name, sizeBytes } of result?.artifacts ?? []) {
        const artifacts = yield* ArtifactStore;
        const size = yield* artifacts.size({ ...(result?.artifactOwner ?? assert.fail()), name });
        assert.deepStrictEqual(size, Option.some(sizeBytes));
      }
      const written = yield* ArtifactStore.use((artifacts) =>
        Stream.mkString(
          Stream.decodeText(
            artifacts.read({ ...(result?.artifactOwner ?? assert.fail()), name: "metadata.json" }, null)
          )
        )
      );
      assert.deepStrictEqual(JSON.parse(written), sourceMetadata(result?.facts ?? assert.fail()));
      assert.deepInclude(result, { outcome: null, extraction: null });
      assert.deepStrictEqual(warnings, ["There are no comments: the source shows none."]);
      assert.deepStrictEqual(
        [result?.startedAtMs, result?.finishedAtMs, completedAtMs],
        [5_000, 5_000, 5_000]
      );
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE - 210);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(world()))
  );

  it.effect("an unknown duration is settled at the measured one", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO, parts: ["video"] });
      assert.deepStrictEqual([done.creditsDebited, done.creditsRefunded], [200, 140]);
    }).pipe(
      Effect.provide(
        world({
          sources: {
            [VIDEO]: { facts: sampleFacts({ durationSeconds: null }), measuredDurationSeconds: 20 }
          }
        })
      )
    )
  );

  it.effect("a supposed video that is an article costs the article", () => {
    let looks = 0;
    const beforeInspect = Effect.suspend(() => {
      looks += 1;
      return looks === 1 ? Effect.fail(new Failed({ reason: "timeout", message: "" })) : Effect.void;
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: ARTICLE });
      assert.deepStrictEqual([done.creditsDebited, done.creditsRefunded], [290, 240]);
      assert.deepStrictEqual([done.absent, done.warnings], [[], []]);
    }).pipe(
      Effect.provide(world({ sources: { [ARTICLE]: { facts: SOURCES[ARTICLE].facts, beforeInspect } } }))
    );
  });

  it.effect("its end starts the extraction that has waited longest", () =>
    Effect.gen(function* () {
      const worker = yield* Worker;
      const accountId = yield* openAccount();
      const submitted = yield* Effect.forEach([1, 2, 3, 4], () =>
        submit(accountId, { url: ARTICLE, force: true })
      );
      yield* worker.work(2);
      yield* Effect.repeat(
        Effect.andThen(
          Effect.yieldNow,
          Effect.forEach(submitted, ({ extraction }) => read(accountId, extraction.id))
        ),
        { until: (all) => all.every(({ status }) => status === "complete") }
      );
      const { account } = yield* assertLaws(accountId);
      assert.deepStrictEqual([account.balance, account.slotsUsed], [OPENING_BALANCE - 200, 0]);
    }).pipe(Effect.provide(world()))
  );
});

describe("a run that fails", () => {
  it.effect("reports the source's reason, refunds in full and leaves no file", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO });
      assert.deepInclude(done.failure, { reason: "private", message: "Only for friends." });
      assert.deepStrictEqual([done.status, done.creditsRefunded], ["failed", 230]);
      assert.isNotNull(done.completedAtMs);
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
      yield* assertLaws(accountId);
    }).pipe(
      Effect.provide(videoThat(Effect.fail(new Failed({ reason: "private", message: "Only for friends." }))))
    )
  );

  it.effect("a host that turns out during the run not to be public is named as at a submit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO });
      assert.strictEqual(done.failure?.reason, "host_not_public");
    }).pipe(Effect.provide(videoThat(Effect.fail(new Failed({ reason: "host_not_public", message: "" })))))
  );

  it.effect("exceeds its time limit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      const fiber = yield* Effect.forkChild(execute(extraction));
      yield* TestClock.adjust("30 minutes");
      yield* Fiber.join(fiber);
      const { failure } = yield* read(accountId, extraction.id);
      assert.strictEqual(failure?.reason, "timeout");
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(videoThat(Effect.never)))
  );

  it.effect.each([
    ["measured", { measuredDurationSeconds: 3_602 }],
    ["measured within a container's rounding", { measuredDurationSeconds: 3_600.5 }]
  ] as const)("a length over 60 minutes that shows only by then: %s", ([name, source]) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO });
      assert.strictEqual(done.failure?.reason, name === "measured" ? "too_long" : undefined);
    }).pipe(
      Effect.provide(
        world({ sources: { [VIDEO]: { facts: sampleFacts({ durationSeconds: null }), ...source } } })
      )
    )
  );

  it.effect("a defect is reported in general terms only", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO });
      assert.deepInclude(done.failure, { reason: "internal", message: "Internal error." });
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
    }).pipe(Effect.provide(videoThat(Effect.die(new Error("/srv/secret: EACCES")))))
  );
});

describe("a run whose worker stops", () => {
  it.effect("interrupted, it is requeued without its files and completes in the next attempt", () => {
    const reached = Deferred.makeUnsafe<void>();
    let fetches = 0;
    const beforeFetch = Effect.suspend(() => {
      fetches += 1;
      return fetches === 1 ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never) : Effect.void;
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      const fiber = yield* Effect.forkChild(execute(extraction));
      yield* Deferred.await(reached);
      yield* Fiber.interrupt(fiber);
      const back = yield* read(accountId, extraction.id);
      assert.deepInclude(back, { status: "pending", attempt: 1, startedAtMs: null });
      yield* assertLaws(accountId);
      yield* execute(extraction);
      const done = yield* read(accountId, extraction.id);
      assert.deepInclude(done, { status: "complete", attempt: 2 });
      assert.strictEqual(done.result?.artifactOwner.attempt, 2);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(videoThat(beforeFetch)));
  });

  it.effect("interrupted while storing, it leaves no files behind", () => {
    const reached = Deferred.makeUnsafe<void>();
    const stuck = Layer.effect(
      ArtifactStore,
      Effect.map(ArtifactStore, (real) => ({
        ...real,
        put: (key: ArtifactKey, source: ArtifactSource) =>
          key.name === "description.txt"
            ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
            : real.put(key, source)
      }))
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      const fiber = yield* Effect.forkChild(execute(extraction));
      yield* Deferred.await(reached);
      yield* sweepRemovals();
      assert.isTrue(yield* isStored(extraction.id, 1));
      yield* Fiber.interrupt(fiber);
      yield* sweepRemovals();
      assert.isFalse(yield* isStored(extraction.id, 1));
    }).pipe(Effect.provide(Layer.provideMerge(engine(), Layer.provideMerge(stuck, ports()))));
  });

  it.effect("a stopping worker requeues its runs", () => {
    const reached = Deferred.makeUnsafe<void>();
    let fetches = 0;
    const beforeFetch = Effect.suspend(() => {
      fetches += 1;
      return fetches === 1 ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never) : Effect.void;
    });
    return Effect.gen(function* () {
      const worker = yield* Worker;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      yield* Effect.scoped(Effect.andThen(worker.work(2), Deferred.await(reached)));
      assert.strictEqual((yield* read(accountId, extraction.id)).status, "pending");
      yield* worker.work(2);
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, read(accountId, extraction.id)), {
        until: ({ status }) => status === "complete"
      });
      assert.strictEqual((yield* read(accountId, extraction.id)).attempt, 2);
    }).pipe(Effect.provide(videoThat(beforeFetch)));
  });

  it.effect(
    "after a take-over, the late attempt cannot settle, and its files are removed, also one that arrives later",
    () => {
      const reached = Deferred.makeUnsafe<void>();
      const late = Deferred.makeUnsafe<void>();
      let fetches = 0;
      const beforeFetch = Effect.suspend(() => {
        fetches += 1;
        return fetches === 1
          ? Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(late))
          : Effect.void;
      });
      return Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { extraction } = yield* submit(accountId, { url: VIDEO });
        const first = yield* Effect.forkChild(execute(extraction));
        yield* Deferred.await(reached);
        yield* execute(extraction);
        const done = yield* read(accountId, extraction.id);
        assert.deepInclude(done, { status: "complete", attempt: 2 });
        yield* Deferred.succeed(late, undefined);
        yield* Fiber.join(first);
        assert.deepStrictEqual(yield* read(accountId, extraction.id), done);
        yield* sweepRemovals();
        assert.isFalse(yield* isStored(extraction.id, 1));
        const { put } = yield* ArtifactStore;
        yield* put(
          { extractionId: extraction.id, attempt: 1, name: "video.mp4" },
          { _tag: "Bytes", bytes: new Uint8Array(1) }
        );
        yield* TestClock.adjust(REMOVAL_INTERVAL_MS);
        yield* sweepRemovals();
        assert.isFalse(yield* isStored(extraction.id, 1));
        assert.isTrue(yield* isStored(extraction.id, 2));
        yield* assertLaws(accountId);
      }).pipe(Effect.provide(videoThat(beforeFetch)));
    }
  );

  it.effect("after three starts it is abandoned with a full refund", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      const { transact } = yield* Store;
      // Three workers that died.
      for (let start = 0; start < 3; start++) {
        yield* transact(accountId, decideStart(extraction.id, 0));
      }
      assert.strictEqual((yield* read(accountId, extraction.id)).attempt, 3);
      yield* execute(extraction);
      const done = yield* read(accountId, extraction.id);
      assert.deepStrictEqual([done.status, done.failure?.reason], ["failed", "internal"]);
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(videoThat(Effect.never)))
  );

  it.effect("if it was cancelled, its end changes nothing and its files are removed", () => {
    const reached = Deferred.makeUnsafe<void>();
    const go = Deferred.makeUnsafe<void>();
    const beforeFetch = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go));
    return Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: VIDEO });
      const fiber = yield* Effect.forkChild(execute(extraction));
      yield* Deferred.await(reached);
      yield* store.transact(accountId, decideCancel(extraction.id, 1));
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.join(fiber);
      assert.strictEqual((yield* read(accountId, extraction.id)).failure?.reason, "cancelled");
      yield* sweepRemovals();
      assert.isFalse(yield* isStored(extraction.id, 1));
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(videoThat(beforeFetch)));
  });

  it.effect("a job whose run has ended or is unknown is skipped", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: ARTICLE });
      const done = yield* read(accountId, id);
      yield* execute(done);
      yield* execute({ accountId, id: "ext_unknown" });
      yield* execute({ accountId: "acc_unknown", id: done.id });
      assert.deepStrictEqual(yield* read(accountId, done.id), done);
    }).pipe(Effect.provide(world()))
  );
});
