// @module-tag long
/**
 * What only a real database can get wrong: lost connections, broken constraints, odd characters.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import type { LedgerLine } from "@winnow/core/domain/money/Ledger";
import { decideSubmit } from "@winnow/core/domain/run/Submission";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { Store } from "@winnow/core/ports/Store";
import {
  sampleAccount,
  sampleExtraction,
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleSubmit,
  uniqueId
} from "@winnow/testing/samples/samples";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgStore from "../../../src/database/store/PgStore.ts";
import { storeLayer } from "./TestPostgres.ts";
import { write } from "@winnow/testing/samples/StoreSteps";

const makeAccount = Effect.fnUntraced(function* (balance: number) {
  const account = sampleAccount({ balance });
  yield* Store.use((store) => store.createAccount(account));
  return account;
});

const submit = (accountId: string, over: Parameters<typeof sampleSubmit>[1] = {}) =>
  Store.use((store) =>
    Effect.map(store.transact(accountId, decideSubmit(sampleSubmit(accountId, over))), ({ value }) => value)
  );

/** Runs the effect at this time; sleeping is real. */
const at = (nowMs: number) =>
  Effect.updateService(Clock.Clock, (real): Clock.Clock => ({
    ...real,
    sleep: (duration) => real.sleep(duration),
    currentTimeMillisUnsafe: () => nowMs,
    currentTimeMillis: Effect.succeed(nowMs),
    currentTimeNanosUnsafe: () => BigInt(nowMs) * 1_000_000n,
    currentTimeNanos: Effect.succeed(BigInt(nowMs) * 1_000_000n)
  }));

/** There is no trace of a submit: no row, ledger entry, slot, debit or job. */
const assertUntouched = Effect.fnUntraced(function* (accountId: string, balance: number) {
  const store = yield* Store;
  const queue = yield* JobQueue;
  assert.deepStrictEqual(yield* store.listExtractions(accountId, { after: null, limit: 10 }), []);
  assert.deepStrictEqual(yield* store.listLedger(accountId, { before: null, limit: 10 }), []);
  const account = Option.getOrThrow(yield* store.getAccount(accountId));
  assert.strictEqual(account.balance, balance);
  assert.strictEqual(account.slotsUsed, 0);
  assert.deepInclude(yield* queue.depth, { waiting: 0, active: 0 });
});

/** The store with a queue that enqueues as usual and then causes a fault, before the transaction commits. */
const storeWithFault = (fault: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue;
    const sql = yield* SqlClient.SqlClient;
    const faulty = JobQueue.of({
      ...queue,
      enqueue: (job) => queue.enqueue(job).pipe(Effect.andThen(Effect.orDie(fault(sql))), Effect.asVoid)
    });
    const layer = Layer.fresh(PgStore.layer).pipe(Layer.provide(Layer.succeed(JobQueue, faulty)));
    return yield* Effect.provide(Store, layer);
  });

withLayer(storeLayer, { excludeTestServices: true })("PgStore under faults", (it) => {
  it.effect("a connection that dies before the commit leaves nothing behind, not even a job", () =>
    Effect.gen(function* () {
      const { id } = yield* makeAccount(1_000);
      const store = yield* storeWithFault((sql) => sql`select pg_terminate_backend(pg_backend_pid())`);
      const exit = yield* Effect.exit(store.transact(id, decideSubmit(sampleSubmit(id))));
      assert.isTrue(Exit.hasDies(exit));
      yield* assertUntouched(id, 1_000);
      const { extraction } = yield* submit(id);
      assert.strictEqual(extraction.status, "pending", "the account stayed locked or its slot taken");
    })
  );

  it.effect("a job that cannot be enqueued rolls back the whole decision", () =>
    Effect.gen(function* () {
      const queue = yield* JobQueue;
      const { waiting, active } = yield* queue.depth;
      const { id } = yield* makeAccount(1_000);
      const store = yield* storeWithFault((sql) => sql`select 1 / 0`);
      const exit = yield* Effect.exit(store.transact(id, decideSubmit(sampleSubmit(id))));
      assert.isTrue(Exit.hasDies(exit));
      assert.deepInclude(yield* queue.depth, { waiting, active });
      const account = Option.getOrThrow(yield* (yield* Store).getAccount(id));
      assert.strictEqual(account.balance, 1_000);
    })
  );

  it.effect("an interrupted caller rolls back the whole decision", () =>
    Effect.gen(function* () {
      const { id } = yield* makeAccount(1_000);
      const store = yield* storeWithFault(() => Effect.interrupt);
      yield* Effect.exit(store.transact(id, decideSubmit(sampleSubmit(id))));
      const account = Option.getOrThrow(yield* (yield* Store).getAccount(id));
      assert.strictEqual(account.balance, 1_000);
      assert.strictEqual(account.slotsUsed, 0);
    })
  );

  it.effect("a decider that changes a missing row writes nothing", () =>
    Effect.gen(function* () {
      const account = yield* makeAccount(1_000);
      const updated = [sampleExtraction(account.id)];
      const writing = write(account.id, { account: { ...account, balance: 1 }, updated });
      assert.isTrue(Exit.hasDies(yield* Effect.exit(writing)));
      const store = yield* Store;
      assert.strictEqual(Option.getOrThrow(yield* store.getAccount(account.id)).balance, 1_000);
    })
  );

  it.effect("every field of a row may change, the request too", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { id } = yield* makeAccount(0);
      const extraction = sampleExtraction(id);
      const changed = sampleExtraction(id, {
        ...extraction,
        request: sampleRequest({ url: "https://example.com/other", prompt: "Other" }),
        cacheKey: "other",
        status: "running",
        attempt: 2,
        startedAtMs: 5
      });
      yield* write(id, { inserted: [extraction] });
      yield* write(id, { updated: [changed] }, { extractionId: extraction.id });
      assert.deepStrictEqual(yield* store.getExtraction(id, extraction.id), Option.some(changed));
    })
  );

  it.effect("a run that is written without a move is as stalled as before", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { id } = yield* makeAccount(0);
      const extraction = sampleExtraction(id);
      yield* write(id, { inserted: [extraction] }).pipe(at(1_000));
      yield* write(id, { updated: [extraction] }, { extractionId: extraction.id }).pipe(at(9_000));
      const stalled = yield* store.findStalled({ pendingBeforeMs: 1_001, startedBeforeMs: 0, limit: 100 });
      assert.include(
        stalled.map(({ extractionId }) => extractionId),
        extraction.id
      );
    })
  );

  it.effect("text of a hostile page survives: NUL, lone surrogates, quotes, other planes", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { id } = yield* makeAccount(0);
      const title = "\u0000 \ud800 \udc00 \\u0000 ' \" $1 $$ \u{1f600} \u202e";
      const extractionId = uniqueId("ext");
      const extraction = sampleExtraction(id, {
        id: extractionId,
        status: "complete",
        completedAtMs: 1,
        result: sampleResult(extractionId, { facts: sampleFacts({ title }) })
      });
      yield* write(id, { inserted: [extraction] });
      assert.deepStrictEqual(yield* store.getExtraction(id, extractionId), Option.some(extraction));
    })
  );
});

const line = (over: Partial<LedgerLine>): LedgerLine => ({
  kind: "debit",
  credits: -10,
  balanceAfter: 90,
  extractionId: "ext_1",
  batchId: null,
  note: "",
  createdAtMs: 0,
  ...over
});

withLayer(storeLayer, { excludeTestServices: true })("The database's own checks", (it) => {
  const post = (accountId: string, lines: ReadonlyArray<LedgerLine>) =>
    Effect.exit(write(accountId, { ledger: lines }));

  const refusesSecond = (first: LedgerLine, second: LedgerLine) =>
    Effect.gen(function* () {
      const { id } = yield* makeAccount(100);
      assert.isTrue(Exit.isSuccess(yield* post(id, [first])));
      assert.isTrue(Exit.hasDies(yield* post(id, [second])));
      const entries = yield* Store.use((store) => store.listLedger(id, { before: null, limit: 10 }));
      assert.strictEqual(entries.length, 1);
    });

  it.effect("one debit an extraction", () => {
    const extractionId = uniqueId("ext");
    return refusesSecond(line({ extractionId }), line({ extractionId, balanceAfter: 80 }));
  });

  it.effect("one refund an extraction", () => {
    const refund = line({ kind: "refund", credits: 10, extractionId: uniqueId("ext") });
    return refusesSecond(refund, { ...refund, balanceAfter: 100 });
  });

  it.effect("one bonus an account", () => {
    const bonus = line({ kind: "bonus", credits: 1_000, extractionId: null });
    return refusesSecond(bonus, bonus);
  });

  it.effect("no balance and no number of slots below 0", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const account = yield* makeAccount(100);
      for (const broken of [
        { ...account, balance: -1 },
        { ...account, slotsUsed: -1 }
      ]) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(write(account.id, { account: broken }))));
      }
      assert.deepStrictEqual(yield* store.getAccount(account.id), Option.some(account));
    })
  );

  it.effect("a line of the ledger can be neither changed nor removed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const { id } = yield* makeAccount(100);
      yield* post(id, [line({ extractionId: uniqueId("ext") })]);
      for (const change of [
        sql`update winnow.ledger set credits = 0 where account_id = ${id}`,
        sql`delete from winnow.ledger where account_id = ${id}`,
        sql`truncate winnow.ledger`
      ]) {
        const refused = yield* Effect.flip(change);
        assert.strictEqual(refused.reason._tag, "ConstraintError");
      }
    })
  );
});
