/** Tokens of the language model: the limit of a run, and the daily allowance for those of refunded runs. */
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { Accounts } from "../../../src/engine/accounts/Accounts.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { CurrentRun } from "../../../src/ports/CurrentRun.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import {
  ARTICLE,
  assertLaws,
  balanceOf,
  execute,
  openAccount,
  read,
  runToEnd,
  submit,
  world
} from "../World.ts";

const SCHEMA = { type: "object", minProperties: 1 };
const AI = { url: ARTICLE, schema: SCHEMA, force: true };
const TOKENS = 60;

/** A model that reads the content and never gives a valid answer. */
const useless = FakeAnalyst.layer(() =>
  Effect.gen(function* () {
    const { meter } = yield* CurrentRun;
    yield* meter.reserve(TOKENS);
    return yield* new Failed({ reason: "invalid_model_output", message: "It does not match." });
  })
);

const tokensOf = (accountId: string) =>
  Accounts.use((accounts) => accounts.get(accountId)).pipe(
    Effect.map(({ refundedModelUse }) => refundedModelUse?.tokens ?? 0)
  );

describe("tokens of the language model", () => {
  it.effect("of refunded runs are limited per day, before any debit and for AI runs only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 5, 23, 59, 30));
      const accountId = yield* openAccount();
      const before = yield* balanceOf(accountId);
      for (let run = 0; run < 2; run++) {
        const { extraction } = yield* submit(accountId, AI);
        yield* execute(extraction);
        assert.strictEqual((yield* read(accountId, extraction.id)).creditsRefunded, 100);
      }
      const refused = yield* Effect.flip(submit(accountId, AI));
      assert.deepInclude(refused, {
        _tag: "RateLimited",
        code: "rate_limited",
        details: { reason: "refunded_model_use", tokensToday: 2 * TOKENS, tokensPerDayMax: 100 }
      });
      assert.include(refused, { retryAfterSeconds: 30 });
      assert.strictEqual(yield* balanceOf(accountId), before);
      yield* submit(accountId, { url: ARTICLE });
      yield* TestClock.adjust("30 seconds");
      yield* submit(accountId, AI);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(world({ analyst: useless, settings: { refundedTokensPerDayMax: 100 } })))
  );

  it.effect("of a run that is cancelled while the model reads count too", () => {
    const begun = Deferred.makeUnsafe<void>();
    const reading = FakeAnalyst.layer(() =>
      Effect.gen(function* () {
        const { meter } = yield* CurrentRun;
        yield* meter.reserve(TOKENS);
        yield* Deferred.succeed(begun, undefined);
        return yield* Effect.never;
      })
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, AI);
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* Deferred.await(begun);
      yield* Runs.use((runs) => runs.cancel(accountId, extraction.id));
      yield* Fiber.join(worker);
      assert.strictEqual(yield* tokensOf(accountId), TOKENS);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(world({ analyst: reading })));
  });

  it.effect("of a complete run do not count", () => {
    const good = FakeAnalyst.layer(() =>
      Effect.gen(function* () {
        const { meter } = yield* CurrentRun;
        yield* Effect.orDie(meter.reserve(TOKENS));
        return { outcome: "ok", verdictReason: null, extraction: { isFound: true } } as const;
      })
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, AI);
      yield* execute(extraction);
      assert.strictEqual((yield* read(accountId, extraction.id)).status, "complete");
      assert.strictEqual(yield* tokensOf(accountId), 0);
    }).pipe(Effect.provide(world({ analyst: good })));
  });

  it.effect("are limited for one run, which fails with a full refund and says so", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const before = yield* balanceOf(accountId);
      const { extraction } = yield* submit(accountId, AI);
      yield* execute(extraction);
      const { failure, creditsRefunded } = yield* read(accountId, extraction.id);
      assert.strictEqual(failure?.reason, "model_error");
      assert.include(failure?.message, "more than 50 tokens");
      assert.include(failure?.hint, "WINNOW_LLM_MAX_TOKENS_PER_RUN");
      assert.strictEqual(creditsRefunded, 100);
      assert.strictEqual(yield* balanceOf(accountId), before);
      assert.strictEqual(yield* tokensOf(accountId), 0);
    }).pipe(Effect.provide(world({ analyst: useless, settings: { llmTokensPerRunMax: 50 } })))
  );
});

describe("what the models reported", () => {
  const reporting = FakeAnalyst.layer(() =>
    Effect.gen(function* () {
      const { meter } = yield* CurrentRun;
      yield* meter.report({ inputTokens: 900, outputTokens: 40, requests: 1, audioSeconds: null });
      yield* meter.report({ inputTokens: 100, outputTokens: null, requests: 1, audioSeconds: 12.5 });
      return { outcome: "ok", verdictReason: null, extraction: { isFound: true } } as const;
    })
  );

  const usageOf = Effect.fnUntraced(function* (body: object) {
    const accountId = yield* openAccount();
    const run = yield* runToEnd(accountId, { url: ARTICLE, ...body });
    const view = resultView(run, "https://winnow.example");
    assert.strictEqual(view.status, "complete");
    const again = yield* submit(accountId, { url: ARTICLE, ...body });
    assert.deepStrictEqual(again.extraction.result?.usage, run.result?.usage, "a reused result has it too");
    return "usage" in view ? view.usage : undefined;
  });

  it.effect("is in the result of an AI run, in sum, and null where nothing was reported", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* usageOf({ schema: SCHEMA }), {
        inputTokens: 1_000,
        outputTokens: 40,
        requests: 2,
        audioSeconds: 12.5,
        model: FakeAnalyst.FAKE_MODEL
      });
      assert.isUndefined(yield* usageOf({}));
    }).pipe(Effect.provide(world({ analyst: reporting })))
  );

  it.effect("is null for a model that reports nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* usageOf({ schema: SCHEMA }), {
        inputTokens: null,
        outputTokens: null,
        requests: null,
        audioSeconds: null,
        model: FakeAnalyst.FAKE_MODEL
      });
    }).pipe(Effect.provide(world({ analyst: FakeAnalyst.layer() })))
  );
});
