/**
 * What every implementation of Store promises. The layer includes the Store and the JobQueue it enqueues on; the suite
 * is that queue's only worker. Run by MemoryStore.test.ts, PgStore.test.ts.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import { decideSettle } from "@winnow/core/domain/result/Settlement";
import { Failed } from "@winnow/core/domain/source/Failed";
import { SLOTS_MAX } from "@winnow/core/domain/money/Plan";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { Store } from "@winnow/core/ports/Store";
import {
  sampleSubmit,
  uniqueId,
  sampleAccount,
  sampleExtraction,
  sampleRequest
} from "../../samples/samples.ts";
import {
  COST,
  decide,
  liveIds,
  openAccount,
  readAll,
  runThrough,
  SLOW_MS,
  submit,
  TakenJobs,
  settle,
  start,
  type StoreTests,
  viewOf,
  write
} from "../../samples/StoreSteps.ts";
import * as Exit from "effect/Exit";
import { InsufficientCredits, NotFound } from "@winnow/core/domain/request/Refusal";
import { decideTopUp } from "@winnow/core/domain/run/AccountDecisions";
import * as Layer from "effect/Layer";
import type { JobQueue } from "@winnow/core/ports/JobQueue";
import { batches } from "./StoreBatches.ts";
import { refunds, submits } from "./StoreMoney.ts";
import * as Reads from "./StoreReads.ts";
import { searches, usage } from "./StoreSearches.ts";
import { files } from "./StoreFiles.ts";
import * as Removals from "./StoreRemovals.ts";

// The two slots of an account, and the jobs that go with them.

const submitMany = (accountId: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(submit(accountId, sampleSubmit(accountId)), ({ extraction }) => extraction.id)
  );

const slots = (it: StoreTests): void => {
  it.effect(
    "concurrent submits, starts and settlements never use a third slot",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: 1_000_000 });
        let most = 0;
        const runOne = Effect.gen(function* () {
          const { account, extractions } = yield* readAll(accountId);
          const live = liveIds(extractions);
          most = Math.max(most, live.length, account.slotsUsed);
          yield* Effect.forEach(live, (id) => runThrough(accountId, id), { concurrency: SLOTS_MAX });
          return live.length;
        });
        const submitAndRun = Effect.andThen(
          Effect.suspend(() => submit(accountId, sampleSubmit(accountId))),
          runOne
        );
        yield* Effect.forEach(Array.from({ length: 30 }), () => submitAndRun, { concurrency: 8 });
        yield* Effect.repeat(runOne, { until: (count) => count === 0 });
        assert.isAtMost(most, SLOTS_MAX);
        const { account, extractions } = yield* readAll(accountId);
        assert.strictEqual(extractions.length, 30);
        assert.isTrue(extractions.every(({ status }) => isTerminal(status)));
        assert.strictEqual(account.slotsUsed, 0);
      }),
    SLOW_MS
  );

  it.effect("an account is read together with the number of its waiting extractions", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000_000 });
      yield* submitMany(accountId, SLOTS_MAX + 3);
      const { account } = yield* readAll(accountId);
      assert.deepStrictEqual(yield* store.getActivity(accountId), Option.some({ account, queuedCount: 3 }));
      assert.strictEqual(account.slotsUsed, SLOTS_MAX);
      assert.deepStrictEqual(yield* store.getActivity(uniqueId("acc")), Option.none());
    })
  );

  it.effect(
    "waiting extractions get slots in submission order",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: 1_000_000 });
        // All have the same millisecond and unordered ids, so only the order of submission counts.
        const ids = yield* submitMany(accountId, 8);
        for (const [turn, id] of ids.entries()) {
          const { extractions } = yield* readAll(accountId);
          assert.sameMembers([...liveIds(extractions)], ids.slice(turn, turn + SLOTS_MAX));
          assert.isTrue(yield* runThrough(accountId, id));
        }
      }),
    SLOW_MS
  );

  it.effect("the view has the number of waiting extractions and the oldest of them", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 1_000_000 });
      const ids = yield* submitMany(accountId, 7);
      const last = ids.at(-1) ?? "";
      const view = yield* viewOf(accountId, { extractionId: last });
      assert.strictEqual(view.waitingCount, 5);
      assert.deepStrictEqual(
        view.waiting.map(({ id }) => id),
        ids.slice(SLOTS_MAX, 2 * SLOTS_MAX + 1)
      );
      assert.strictEqual(view.extraction?.id, last);
      assert.deepStrictEqual([view.idempotency, view.replayed], [null, null]);
    })
  );
};

const jobs = (it: StoreTests): void => {
  it.effect(
    "a run with a slot reaches a worker; a waiting one only when it gets a slot",
    () =>
      Effect.gen(function* () {
        const taken = yield* TakenJobs;
        const accountId = yield* openAccount({ balance: COST * 3 });
        const [first = "", second = "", waiting = ""] = yield* submitMany(accountId, 3);
        yield* taken.await(first);
        yield* taken.await(second);
        assert.isFalse(yield* taken.has(waiting));
        yield* runThrough(accountId, first);
        yield* taken.await(waiting);
      }),
    SLOW_MS
  );

  it.effect(
    "a refused submit enqueues no job",
    () =>
      Effect.gen(function* () {
        const taken = yield* TakenJobs;
        const accountId = yield* openAccount({ balance: COST });
        const refused = sampleSubmit(accountId, {
          seen: { kind: "photos", title: null, durationSeconds: null, imageCount: 1 }
        });
        const dear = { ...refused, request: { ...refused.request, modalities: ["comments" as const] } };
        yield* Effect.flip(submit(accountId, dear));
        const accepted = yield* submit(accountId, sampleSubmit(accountId));
        yield* taken.await(accepted.extraction.id);
        assert.isFalse(yield* taken.has(dear.id));
      }),
    SLOW_MS
  );
};

// What a transaction writes, and what it must not.

const rows = (it: StoreTests): void => {
  it.effect("an extraction is read exactly as it was last written", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 500 });
      const request = sampleRequest({
        modalities: ["transcript"],
        range: { startSec: 65.001, endSec: null },
        schema: { type: "object", properties: { 'é\n"': { const: [1.5, null, true] } } },
        prompt: "Grüße 🙂 \u0000 \ud800",
        maxSpendCredits: 12.5,
        webhookUrl: "https://example.com/hook"
      });
      const made = (yield* submit(accountId, sampleSubmit(accountId, { request }))).extraction;
      const read = store.getExtraction(accountId, made.id);
      assert.deepStrictEqual(yield* read, Option.some(made));
      const decision = yield* start(accountId, made.id);
      if (decision._tag !== "run") return assert.fail("the run did not start");
      assert.deepStrictEqual(yield* read, Option.some(decision.extraction));
      const done = yield* settle(accountId, decision.extraction);
      assert.strictEqual(done?.status, "complete");
      assert.deepStrictEqual(yield* read, Option.fromNullOr(done));
    })
  );

  it.effect("an account is read as it was written, and its id is unique", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const account = sampleAccount({ name: "Grüße", balance: 9_007_199_254, bonusGranted: true });
      yield* store.createAccount(account);
      assert.deepStrictEqual(yield* store.getAccount(account.id), Option.some(account));
      assert.isTrue(Exit.hasDies(yield* Effect.exit(store.createAccount(account))));
      assert.deepStrictEqual(yield* store.getAccount(uniqueId("acc")), Option.none());
    })
  );

  it.effect("an account is read as a decision last wrote it, with all that it may lack", () =>
    Effect.gen(function* () {
      const before = sampleAccount();
      yield* (yield* Store).createAccount(before);
      const whole = {
        ...before,
        owedCredits: 7,
        slotsUsed: 1,
        bonusGranted: true,
        plan: "gold",
        limits: { runningMax: 5, retentionDays: 3 },
        plansBefore: [{ plan: "default", changedAtMs: 1_700_000_000_000 }],
        refundedModelUse: { day: "2026-01-05", tokens: 507 }
      };
      for (const account of [whole, { ...before, balance: 5 }]) {
        yield* write(before.id, { account });
        assert.deepStrictEqual((yield* readAll(before.id)).account, account);
      }
    })
  );

  it.effect("what a run failed with is read as it was written", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 500 });
      const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
      const failed = new Failed({
        reason: "unreachable",
        message: "The source could not be reached.",
        unreachableCause: "dns",
        retryAfterSeconds: 30,
        hint: "Wait."
      });
      yield* start(accountId, extraction.id);
      const settle = { attempt: 1, nowMs: 1_700_000_002_000, ending: { failure: failed } };
      yield* decide(accountId, decideSettle(extraction.id, settle));
      const { failure } = yield* Effect.fromOption(
        yield* Store.use((store) => store.getExtraction(accountId, extraction.id))
      );
      assert.isTrue(failure instanceof Failed);
      assert.strictEqual(JSON.stringify(failure), JSON.stringify(failed));
    })
  );

  it.effect("a committed decision is returned with its changes", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const decisions: Array<unknown> = [];
      const { needs, decide } = decideTopUp(100, 1_700_000_000_000);
      const committed = yield* store.transact(accountId, {
        needs,
        decide: (view) => Result.map(decide(view), (decision) => (decisions.push(decision), decision))
      });
      assert.deepStrictEqual(committed, decisions.at(-1));
      assert.strictEqual((yield* viewOf(accountId)).account.balance, committed.value);
    })
  );
};

const refusals = (it: StoreTests): void => {
  it.effect("a refused decision writes nothing and keeps the key usable", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: COST - 1 });
      const idempotency = { key: "again", bodyDigest: "digest" };
      const failure = yield* Effect.flip(submit(accountId, sampleSubmit(accountId, { idempotency })));
      assert.deepStrictEqual(failure, InsufficientCredits.of({ balance: COST - 1, cost: COST }));
      const { account, extractions, ledger } = yield* readAll(accountId);
      assert.strictEqual(account.balance, COST - 1);
      assert.deepStrictEqual([extractions.length, ledger.length], [0, 0]);
      assert.deepStrictEqual(yield* store.getIdempotency(accountId, "again"), Option.none());
    })
  );

  it.effect("an unknown account is rejected", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(viewOf(uniqueId("acc")));
      assert.deepStrictEqual(failure, NotFound.of("account"));
    })
  );

  it.effect("a duplicate extraction id is a defect, and the decision writes nothing", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 500 });
      const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
      const duplicate = sampleExtraction(accountId, { id: extraction.id });
      const { account: before } = yield* readAll(accountId);
      const changes = { account: { ...before, balance: 7 }, inserted: [duplicate] };
      assert.isTrue(Exit.hasDies(yield* Effect.exit(write(accountId, changes))));
      const { account } = yield* readAll(accountId);
      assert.strictEqual(account.balance, 500 - COST);
    })
  );

  it.effect("another account's extraction cannot be read", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const owner = yield* openAccount({ balance: 500 });
      const otherAccount = yield* openAccount();
      const { extraction } = yield* submit(owner, sampleSubmit(owner));
      assert.deepStrictEqual(yield* store.getExtraction(otherAccount, extraction.id), Option.none());
      assert.isNull((yield* viewOf(otherAccount, { extractionId: extraction.id })).extraction);
    })
  );
};

/** Every export of StoreReads and StoreRemovals is a part. */
const PARTS: ReadonlyArray<(it: StoreTests) => void> = [
  batches,
  submits,
  refunds,
  slots,
  jobs,
  rows,
  refusals,
  searches,
  usage,
  files,
  ...Object.values(Reads),
  ...Object.values(Removals)
];

export const suite = <E>(name: string, layer: Layer.Layer<Store | JobQueue, E>): void =>
  withLayer(Layer.provideMerge(TakenJobs.layer, layer), { excludeTestServices: true })(
    `Store: ${name}`,
    (it) => {
      for (const part of PARTS) part(it);
    }
  );
