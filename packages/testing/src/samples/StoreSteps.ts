/**
 * Steps of tests on a store, and the only worker of its queue, which records delivered jobs without running them.
 * Tests: core's MemoryStore.test.ts.
 */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import type { Vitest } from "@effect/vitest";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import type { Account } from "@winnow/core/domain/money/Account";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import {
  NO_CHANGES,
  nothing,
  type Changes,
  type Decider,
  type Needs
} from "@winnow/core/domain/run/Decision";
import { decideSettle, decideStart } from "@winnow/core/domain/result/Settlement";
import { decideSubmit, type Submit } from "@winnow/core/domain/run/Submission";
import { Store } from "@winnow/core/ports/Store";
import { sampleAccount, sampleResult } from "./samples.ts";

/** Maximum wait for an enqueued job, including on a slow machine. */
const WAIT_MS = 60_000;

/** Jobs of the store's queue, as its only worker saw them. */
export class TakenJobs extends Context.Service<
  TakenJobs,
  {
    readonly has: (extractionId: string) => Effect.Effect<boolean>;
    /** Waits until the extraction's job has been delivered. */
    readonly await: (extractionId: string) => Effect.Effect<void>;
  }
>()("@winnow/testing/samples/TakenJobs") {
  static readonly layer = Layer.effect(
    TakenJobs,
    Effect.gen(function* () {
      const queue = yield* JobQueue;
      const taken = new Map<string, Deferred.Deferred<void>>();
      const slotOf = (id: string): Deferred.Deferred<void> => {
        const found = taken.get(id) ?? Deferred.makeUnsafe<void>();
        taken.set(id, found);
        return found;
      };
      yield* queue.work(2, ({ extractionId }) => Deferred.succeed(slotOf(extractionId), undefined));
      return TakenJobs.of({
        has: (id) => Deferred.isDone(slotOf(id)),
        await: (id) =>
          Effect.timeoutOrElse(Deferred.await(slotOf(id)), {
            duration: WAIT_MS,
            orElse: () => Effect.die(new Error(`The job of ${id} was not delivered within ${WAIT_MS} ms`))
          })
      });
    })
  );
}

// Common steps of the tests of StoreSuite.

/** What a `sampleSubmit` costs: the base fee. */
export const COST = 50;

/** Limit of tests that crowd a store or wait for jobs, three of them at most. */
export const SLOW_MS = 4 * WAIT_MS;

/** More than any test writes. */
const ALL = 1_000;

export type StoreTests = Vitest.MethodsNonLive<Store | JobQueue | TakenJobs>;

/** Creates an account and returns its id. */
export const openAccount = Effect.fnUntraced(function* (over: Partial<Account> = {}) {
  const store = yield* Store;
  const account = sampleAccount(over);
  yield* store.createAccount(account);
  return account.id;
});

/** Decides and returns only the value. */
export const decide = <A, E>(accountId: string, decider: Decider<A, E>) =>
  Store.use((store) => Effect.map(store.transact(accountId, decider), ({ value }) => value));

/** What a decision with these needs sees. */
export const viewOf = (accountId: string, needs: Needs = {}) =>
  decide(accountId, { needs, decide: (view) => Result.succeed(nothing(view)) });

/** Writes changes that no decider of the domain made. */
export const write = (accountId: string, changes: Partial<Changes>, needs: Needs = {}) =>
  decide(accountId, {
    needs,
    decide: () => Result.succeed({ value: null, changes: { ...NO_CHANGES, ...changes } })
  });

export const submit = (accountId: string, submit: Submit) => decide(accountId, decideSubmit(submit));

export const start = (accountId: string, extractionId: string, nowMs = 1_700_000_001_000) =>
  decide(accountId, decideStart(extractionId, nowMs));

export const settle = (accountId: string, { id, attempt }: Extraction, nowMs = 1_700_000_002_000) =>
  decide(accountId, decideSettle(id, { attempt, nowMs, ending: { result: sampleResult(id) } }));

/** Starts and settles one extraction; false if it could not start yet. */
export const runThrough = Effect.fnUntraced(function* (accountId: string, extractionId: string) {
  const decision = yield* start(accountId, extractionId);
  if (decision._tag !== "run") return false;
  return (yield* settle(accountId, decision.extraction)) !== null;
});

/** Everything of one account: rows newest first, ledger oldest first. */
export const readAll = Effect.fnUntraced(function* (accountId: string) {
  const store = yield* Store;
  const account = Option.getOrThrow(yield* store.getAccount(accountId));
  const extractions = yield* store.listExtractions(accountId, { after: null, limit: ALL });
  const ledger = (yield* store.listLedger(accountId, { before: null, limit: ALL })).toReversed();
  return { account, extractions, ledger };
});

/** Ids of the extractions that hold a slot. */
export const liveIds = (extractions: ReadonlyArray<Extraction>): ReadonlyArray<string> =>
  extractions.filter(({ status }) => status === "pending" || status === "running").map(({ id }) => id);

/** Whether the account is among those with runs that wait for a slot, and the number of such runs of all accounts. */
export const waitingOf = Effect.fnUntraced(function* (accountId: string) {
  const store = yield* Store;
  const accounts = yield* store.findWaitingAccounts({ after: "", limit: 10_000 });
  const queued = (yield* store.countLive).filter(({ status }) => status === "queued");
  return [accounts.includes(accountId), queued.reduce((sum, { count }) => sum + count, 0)] as const;
});
