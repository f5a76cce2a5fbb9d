/**
 * What every implementation of RateLimits promises. Time is Effect's Clock, read when a request is counted: the suite
 * sets it, real databases included. Run by MemoryRateLimits.test.ts, PgRateLimits.test.ts.
 */
import { assert, layer as withLayer, type Vitest } from "@effect/vitest";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { decideAccountChange } from "@winnow/core/domain/run/AccountDecisions";
import { bookOf, plansFrom } from "@winnow/core/domain/money/Plan";
import { fixedPlans, Plans } from "@winnow/core/ports/Plans";
import { RateLimits, type RateLimit, type PlannedLimit } from "@winnow/core/ports/RateLimits";
import { Store } from "@winnow/core/ports/Store";
import { sampleApiKey, sampleAccount, sampleExtraction, uniqueId } from "../samples/samples.ts";
import { write } from "../samples/StoreSteps.ts";

/** Start of a minute. */
const MINUTE_MS = 1_700_000_040_000;
const SUBMITS: RateLimit = { bucket: "submit", perMinute: 6 };

/** Runs the effect with a clock fixed at `nowMs`; sleeps remain real. */
const at = (nowMs: number) =>
  Effect.updateService(Clock.Clock, (real): Clock.Clock =>
    Object.assign(Object.create(real), {
      currentTimeMillisUnsafe: () => nowMs,
      currentTimeMillis: Effect.succeed(nowMs),
      currentTimeNanosUnsafe: () => BigInt(nowMs) * 1_000_000n,
      currentTimeNanos: Effect.succeed(BigInt(nowMs) * 1_000_000n)
    })
  );

const consume = (accountId: string, nowMs = MINUTE_MS, limit = SUBMITS) =>
  RateLimits.use((limits) => limits.consume(accountId, limit)).pipe(at(nowMs));

const plans = Layer.succeed(Plans, fixedPlans(bookOf(plansFrom({ brisk: { submitsPerMinute: 2 } }))));

const PLANNED: PlannedLimit = { bucket: SUBMITS.bucket, limit: "submitsPerMinute", times: 1 };

const readWithKey = (hash: string, extractionId: string | null = null) =>
  RateLimits.use((limits) => limits.readWithKey(hash, PLANNED, extractionId)).pipe(at(MINUTE_MS));

/** An account with a key. */
const openKey = Effect.fnUntraced(function* () {
  const store = yield* Store;
  const account = sampleAccount();
  yield* store.createAccount(account);
  const [id, hash] = [uniqueId("key"), uniqueId("hash")];
  const record = sampleApiKey(account.id, { id, hash });
  yield* Effect.orDie(store.createApiKey(record));
  return { id, hash, accountId: account.id };
});

const keyed = (it: Vitest.MethodsNonLive<RateLimits | Store>): void => {
  it.effect("a key is limited by the account's own limits, else by its plan", () =>
    Effect.gen(function* () {
      const { hash, accountId } = yield* openKey();
      const store = yield* Store;
      const left = () =>
        Effect.map(
          readWithKey(hash),
          Option.map(({ state }) => [state.limit, state.remaining])
        );
      yield* store.transact(accountId, decideAccountChange({ plan: "brisk" }, 0));
      assert.deepStrictEqual(yield* left(), Option.some([2, 1]));
      const limits = { submitsPerMinute: 9 };
      yield* store.transact(accountId, decideAccountChange({ limits }, 0));
      assert.deepStrictEqual(yield* left(), Option.some([9, 7]));
      yield* store.transact(
        accountId,
        decideAccountChange({ plan: "gone", limits: { submitsPerMinute: null } }, 0)
      );
      assert.deepStrictEqual(yield* left(), Option.some([SUBMITS.perMinute, SUBMITS.perMinute - 3]));
    })
  );

  it.effect("a key and its account share one count, and a refusal names the account", () =>
    Effect.gen(function* () {
      const { hash, accountId } = yield* openKey();
      yield* consume(accountId);
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => readWithKey(hash));
      assert.deepStrictEqual(
        answers.map(Option.map(({ holder, state }) => [holder.accountId, state.allowed, state.remaining])),
        [4, 3, 2, 1, 0]
          .map((left) => Option.some([accountId, true, left]))
          .concat([Option.some([accountId, false, 0])])
      );
      const counted = yield* consume(accountId);
      assert.deepStrictEqual(
        answers
          .flatMap(Option.toArray)
          .map(({ state }) => state)
          .at(-1),
        counted
      );
    })
  );

  it.effect("an extraction of the key's account is read too, but never one of another account", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* openKey(), yield* openKey()];
      const store = yield* Store;
      const own = sampleExtraction(mine.accountId, { status: "failed" });
      yield* write(mine.accountId, { inserted: [own] });
      const read = (hash: string, id: string | null) =>
        Effect.map(
          readWithKey(hash, id),
          Option.map(({ extraction }) => extraction())
        );
      const stored = yield* store.getExtraction(mine.accountId, own.id);
      assert.isTrue(Option.isSome(stored));
      assert.deepStrictEqual(yield* read(mine.hash, own.id), Option.some(stored));
      assert.deepStrictEqual(yield* read(other.hash, own.id), Option.some(Option.none()));
      assert.deepStrictEqual(yield* read(mine.hash, uniqueId("ext")), Option.some(Option.none()));
      assert.deepStrictEqual(yield* read(mine.hash, null), Option.some(Option.none()));
    })
  );

  it.effect("a refused request reads nothing", () =>
    Effect.gen(function* () {
      const { hash, accountId } = yield* openKey();
      const own = sampleExtraction(accountId, { status: "failed" });
      yield* write(accountId, { inserted: [own] });
      const answers = yield* Effect.forEach(Array.from({ length: SUBMITS.perMinute + 1 }), () =>
        readWithKey(hash, own.id)
      );
      assert.deepStrictEqual(answers.map(Option.map(({ extraction }) => Option.isSome(extraction()))), [
        ...Array.from({ length: SUBMITS.perMinute }, () => Option.some(true)),
        Option.some(false)
      ]);
    })
  );

  it.effect("the use of a key is recorded", () =>
    Effect.gen(function* () {
      const { hash, accountId } = yield* openKey();
      const lastUse = Effect.map(
        Store.use((store) => store.listApiKeys(accountId)),
        ([key]) => key?.lastUsedAtMs
      );
      assert.isNull(yield* lastUse);
      yield* readWithKey(hash);
      assert.strictEqual(yield* lastUse, MINUTE_MS);
    })
  );

  it.effect("an invalid or revoked key is not counted", () =>
    Effect.gen(function* () {
      const { id, hash, accountId } = yield* openKey();
      assert.isTrue(Option.isNone(yield* readWithKey(uniqueId("hash"))));
      assert.isTrue(yield* Store.use((store) => store.revokeApiKey(id)));
      assert.isTrue(Option.isNone(yield* readWithKey(hash)));
      assert.strictEqual((yield* consume(accountId)).remaining, SUBMITS.perMinute - 1);
    })
  );
};

export const suite = <E>(name: string, layer: Layer.Layer<RateLimits | Store, E>): void =>
  withLayer(Layer.provide(layer, plans), { excludeTestServices: true })(`RateLimits: ${name}`, (it) => {
    keyed(it);

    it.effect("counts down to the limit and then refuses", () =>
      Effect.gen(function* () {
        const account = uniqueId("acc");
        const states = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => consume(account));
        assert.deepStrictEqual(
          states.map(({ allowed, remaining }) => [allowed, remaining]),
          [
            [true, 5],
            [true, 4],
            [true, 3],
            [true, 2],
            [true, 1],
            [true, 0],
            [false, 0],
            [false, 0]
          ]
        );
        assert.isTrue(states.every(({ limit }) => limit === 6));
      })
    );

    it.effect("windows are aligned to the epoch minute and reset together", () =>
      Effect.gen(function* () {
        const account = uniqueId("acc");
        const early = yield* consume(account, MINUTE_MS);
        const late = yield* consume(account, MINUTE_MS + 59_999);
        assert.strictEqual(early.resetAtSeconds, MINUTE_MS / 1_000 + 60);
        assert.strictEqual(early.retryAfterSeconds, 60);
        assert.strictEqual(late.resetAtSeconds, early.resetAtSeconds);
        assert.strictEqual(late.retryAfterSeconds, 1);
        assert.strictEqual(late.remaining, 4);
      })
    );

    it.effect("the next window starts full, regardless of earlier refusals", () =>
      Effect.gen(function* () {
        const account = uniqueId("acc");
        yield* Effect.forEach(Array.from({ length: 20 }), () => consume(account));
        const next = yield* consume(account, MINUTE_MS + 60_000);
        assert.strictEqual(next.allowed, true);
        assert.strictEqual(next.remaining, 5);
      })
    );

    it.effect("accounts and buckets are counted separately", () =>
      Effect.gen(function* () {
        const account = uniqueId("acc");
        yield* Effect.forEach(Array.from({ length: 6 }), () => consume(account));
        const otherBucket = yield* consume(account, MINUTE_MS, { bucket: "probe", perMinute: 10 });
        const otherAccount = yield* consume(uniqueId("acc"));
        assert.strictEqual(otherBucket.remaining, 9);
        assert.strictEqual(otherAccount.remaining, 5);
        assert.strictEqual((yield* consume(account)).allowed, false);
      })
    );

    it.effect("of fifty concurrent requests, exactly the limit is admitted", () =>
      Effect.gen(function* () {
        const account = uniqueId("acc");
        const states = yield* Effect.forEach(Array.from({ length: 50 }), () => consume(account), {
          concurrency: 50
        });
        const allowed = states.filter((state) => state.allowed);
        assert.strictEqual(allowed.length, 6);
        assert.deepStrictEqual(
          new Set(allowed.map(({ remaining }) => remaining)),
          new Set([0, 1, 2, 3, 4, 5])
        );
      })
    );
  });
