import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { InsufficientCredits } from "../../../src/domain/request/Refusal.ts";
import { queueFull } from "../../../src/domain/run/Submission.ts";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { Extractions } from "../../../src/engine/extractions/Extractions.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import type { InspectOptions } from "../../../src/ports/Downloader.ts";
import { JobQueue } from "../../../src/ports/JobQueue.ts";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
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
  SOURCES,
  submit,
  UNSEEN,
  VIDEO,
  world
} from "../World.ts";

describe("submit", () => {
  it.effect.each([
    [{ url: VIDEO }, 230],
    [{ url: VIDEO, parts: ["transcript", "audio"] }, 103],
    [{ url: ARTICLE }, 50],
    [{ url: CAROUSEL }, 70],
    [{ url: CAROUSEL, parts: ["video"] }, 50],
    [{ url: UNSEEN }, 290]
  ] as const)("debits the price of the look: %j", ([body, credits]) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction, replayed } = yield* submit(accountId, body);
      assert.strictEqual(extraction.creditsDebited, credits);
      assert.strictEqual(extraction.status, "pending");
      assert.isFalse(replayed);
      assert.match(extraction.id, /^ext_[0-9a-f]{26}$/u);
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE - credits);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(world({ sources: { ...SOURCES, [UNSEEN]: refuses("bot_blocked") } })))
  );

  it.effect.each(["host_not_public", "live", "not_extractable"] as const)(
    "refuses %s before any debit",
    (reason) =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const failure = yield* Effect.flip(submit(accountId, { url: VIDEO }));
        assert.strictEqual(failure._tag, "UnsupportedUrl");
        assert.deepInclude(failure, { details: { param: "url", reason } });
        assert.strictEqual((yield* assertLaws(accountId)).extractions.length, 0);
      }).pipe(Effect.provide(world({ sources: { [VIDEO]: refuses(reason) } })))
  );

  it.effect("says what to do about what cannot be read, where the downloader knows", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(submit(yield* openAccount(), { url: VIDEO }));
      assert.strictEqual(failure.message, "It is a scan. Ask the operator to install tesseract.");
    }).pipe(
      Effect.provide(
        world({
          sources: {
            [VIDEO]: new Failed({
              reason: "not_extractable",
              message: "It is a scan.",
              hint: "Ask the operator to install tesseract."
            })
          }
        })
      )
    )
  );

  it.effect("refuses a video that the downloader finds too long, naming the limit and no length", () =>
    Effect.gen(function* () {
      const details = { param: "url", reason: "duration_exceeded", durationSec: null, maxDurationSec: 60 };
      const failure = yield* Effect.flip(submit(yield* openAccount(), { url: VIDEO }));
      assert.deepInclude(failure, { _tag: "UnsupportedUrl", details });
    }).pipe(
      Effect.provide(
        world({ sources: { [VIDEO]: refuses("too_long") }, plans: { default: { maxDurationSec: 60 } } })
      )
    )
  );

  it.effect("refuses a video of more than 60 minutes and accepts one of exactly 60", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount(1_000_000);
      const failure = yield* Effect.flip(submit(accountId, { url: "https://example.com/longer" }));
      assert.deepInclude(failure, {
        _tag: "UnsupportedUrl",
        details: { param: "url", reason: "duration_exceeded", durationSec: 3600.4, maxDurationSec: 3600 }
      });
      const { extraction } = yield* submit(accountId, { url: "https://example.com/hour" });
      assert.strictEqual(extraction.creditsDebited, 50 + 30 + 720 + 1_800);
    }).pipe(
      Effect.provide(
        world({
          sources: {
            "https://example.com/longer": { facts: sampleFacts({ durationSeconds: 3_600.4 }) },
            "https://example.com/hour": { facts: sampleFacts({ durationSeconds: 3_600 }) }
          }
        })
      )
    )
  );

  it.effect("an inspection over its time limit counts as an unknown duration", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const fiber = yield* Effect.forkChild(submit(accountId, { url: VIDEO }));
      yield* TestClock.adjust("10 seconds");
      const { extraction } = yield* Fiber.join(fiber);
      assert.isNull(extraction.seen);
      assert.strictEqual(extraction.creditsDebited, 290);
    }).pipe(
      Effect.provide(world({ sources: { [VIDEO]: { facts: sampleFacts(), beforeInspect: Effect.never } } }))
    )
  );

  it.effect("a price over the balance is refused with both numbers", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount(0);
      const failure = yield* Effect.flip(submit(accountId, { url: ARTICLE }));
      assert.deepStrictEqual(failure, InsufficientCredits.of({ balance: 0, cost: 50 }));
    }).pipe(Effect.provide(world()))
  );

  it.effect("a third extraction waits, and one over the limit is refused before any debit", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const statuses: Array<string> = [];
      for (let count = 0; count < 4; count++) {
        statuses.push((yield* submit(accountId, { url: ARTICLE })).extraction.status);
      }
      assert.deepStrictEqual(statuses, ["pending", "pending", "queued", "queued"]);
      const balance = yield* balanceOf(accountId);
      const failure = yield* Effect.flip(submit(accountId, { url: ARTICLE }));
      assert.deepStrictEqual(failure, queueFull(2));
      assert.strictEqual(yield* balanceOf(accountId), balance);
      assert.strictEqual((yield* (yield* JobQueue).depth).waiting, 2);
    }).pipe(Effect.provide(world({ plans: { default: { waitingMax: 2 } } })))
  );

  it.effect("an AI run is refused while no model is configured, after everything else", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const schema = { type: "object" };
      const failure = yield* Effect.flip(submit(accountId, { url: VIDEO, schema }));
      assert.deepInclude(failure, { details: { param: "schema", reason: "ai_not_configured" } });
      const other = yield* Effect.flip(submit(accountId, { url: VIDEO, schema, parts: [] }));
      assert.deepInclude(other, { details: { param: "parts", reason: "excluded_by_schema" } });
    }).pipe(Effect.provide(world()))
  );
});

describe("reuse", () => {
  it.effect("an identical run within 30 days is served again, free and without a slot", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const first = yield* runToEnd(accountId, { url: ARTICLE });
      yield* TestClock.adjust(30 * DAY_MS);
      const balance = yield* balanceOf(accountId);
      const { extraction } = yield* submit(accountId, {
        url: `${ARTICLE}?utm_source=x`,
        policy: "best-effort"
      });
      assert.deepInclude(extraction, {
        status: "complete",
        creditsDebited: 0,
        cachedFrom: first.id
      });
      assert.deepStrictEqual(extraction.result, first.result);
      assert.notStrictEqual(extraction.id, first.id);
      assert.strictEqual(yield* balanceOf(accountId), balance);
      yield* assertLaws(accountId);
      yield* TestClock.adjust(1);
      const late = yield* submit(accountId, { url: ARTICLE });
      assert.strictEqual(late.extraction.creditsDebited, 50);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a reused result works with a zero balance and two running extractions", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount(1);
      yield* runToEnd(accountId, { url: ARTICLE });
      for (let count = 0; count < 2; count++) yield* submit(accountId, { url: VIDEO, parts: [] });
      while ((yield* balanceOf(accountId)) >= 50)
        yield* submit(accountId, { url: VIDEO, parts: [], force: true });
      yield* Effect.flip(submit(accountId, { url: VIDEO, parts: [] }));
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      assert.strictEqual(extraction.status, "complete");
    }).pipe(Effect.provide(world()))
  );

  it.effect("force, another account and missing artifacts cause a fresh run", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const other = yield* openAccount();
      const first = yield* runToEnd(accountId, { url: ARTICLE });
      const forced = yield* submit(accountId, { url: ARTICLE, force: true });
      const stranger = yield* submit(other, { url: ARTICLE });
      yield* ArtifactStore.use((artifacts) =>
        artifacts.removeAttempt({ extractionId: first.id, attempt: 1 })
      );
      const gone = yield* submit(accountId, { url: ARTICLE });
      for (const { extraction } of [forced, stranger, gone]) {
        assert.strictEqual(extraction.creditsDebited, 50);
        assert.isNull(extraction.cachedFrom);
      }
    }).pipe(Effect.provide(world()))
  );

  it.effect("a forced run ignores cached inspections", () => {
    const notBefore: Array<number | undefined> = [];
    const beforeInspect = ({ notBeforeMs }: InspectOptions) =>
      Effect.sync(() => void notBefore.push(notBeforeMs));
    const sources = { [ARTICLE]: { facts: SOURCES[ARTICLE].facts, beforeInspect } };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* TestClock.adjust(DAY_MS);
      yield* runToEnd(accountId, { url: ARTICLE });
      yield* runToEnd(accountId, { url: ARTICLE, force: true });
      assert.deepStrictEqual(notBefore, [undefined, undefined, DAY_MS, DAY_MS - 10_000]);
    }).pipe(Effect.provide(world({ sources })));
  });

  it.effect("a run passes the result and time of the submit's inspection to its own", () => {
    const told: Array<InspectOptions["known"]> = [];
    const beforeInspect = ({ known }: InspectOptions) => Effect.sync(() => void told.push(known));
    const sources = { [ARTICLE]: { facts: SOURCES[ARTICLE].facts, beforeInspect } };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* TestClock.adjust(DAY_MS);
      yield* runToEnd(accountId, { url: ARTICLE });
      assert.deepStrictEqual(told, [undefined, { kind: "webpage", atMs: DAY_MS }]);
    }).pipe(Effect.provide(world({ sources })));
  });

  it.effect("under strict, a run with a missing input is not reused", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const first = yield* runToEnd(accountId, { url: VIDEO });
      assert.deepStrictEqual(first.absent, ["comments"]);
      const strict = yield* submit(accountId, { url: VIDEO, policy: "strict" });
      assert.isNull(strict.extraction.cachedFrom);
      const lenient = yield* submit(accountId, { url: VIDEO, policy: "best-effort" });
      assert.strictEqual(lenient.extraction.cachedFrom, first.id);
    }).pipe(Effect.provide(world()))
  );
});

describe("reads", () => {
  it.effect("another account's extraction is not found, like an unknown one", () =>
    Effect.gen(function* () {
      const owner = yield* openAccount();
      const stranger = yield* openAccount();
      const { extraction } = yield* submit(owner, { url: ARTICLE });
      const foreign = yield* Effect.flip(read(stranger, extraction.id));
      const unknown = yield* Effect.flip(read(stranger, "ext_unknown"));
      assert.deepStrictEqual(foreign, unknown);
    }).pipe(Effect.provide(world()))
  );

  it.effect("only files listed by a complete run can be opened", () =>
    Effect.gen(function* () {
      const { openFile } = yield* Extractions;
      const accountId = yield* openAccount();
      const pending = (yield* submit(accountId, { url: ARTICLE })).extraction;
      const early = yield* Effect.flip(openFile(accountId, pending.id, "transcript.txt"));
      assert.strictEqual(early.message, "There is no such file.");
      yield* execute(pending);
      const opened = yield* openFile(accountId, pending.id, "transcript.txt");
      assert.deepStrictEqual(opened.key, { extractionId: pending.id, attempt: 1, name: "transcript.txt" });
      assert.strictEqual(opened.artifact.contentType, "text/plain; charset=utf-8");
      for (const name of ["video.mp4", "../transcript.txt", ""]) {
        assert.strictEqual(
          (yield* Effect.flip(openFile(accountId, pending.id, name))).message,
          "There is no such file."
        );
      }
    }).pipe(Effect.provide(world()))
  );
});
