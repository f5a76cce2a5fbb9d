/**
 * One account in MemoryStore, for tests of deciders: it decides at once, by the plans and at the time that a test sets,
 * and the laws hold after every decision.
 */
import { assert } from "@effect/vitest";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import { BUILT_IN_PLANS, type PlanBook } from "../../../src/domain/money/Plan.ts";
import { decideTopUp } from "../../../src/domain/run/AccountDecisions.ts";
import type { Changes, Decider, Decision } from "../../../src/domain/run/Decision.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { isTerminal } from "../../../src/domain/run/Transition.ts";
import * as MemoryJobQueue from "../../../src/memory/MemoryJobQueue.ts";
import * as MemoryStore from "../../../src/memory/MemoryStore.ts";
import { Plans } from "../../../src/ports/Plans.ts";
import { Store } from "../../../src/ports/Store.ts";
import { VirtualClock } from "@winnow/testing/fakes/VirtualClock";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import { sampleAccount } from "@winnow/testing/samples/samples";
import type { Account } from "../../../src/domain/money/Account.ts";
import type { LedgerLine } from "../../../src/domain/money/Ledger.ts";

const ID = "acc_1";

/** More than any test writes. */
const ALL = 10_000;

export class MemoryAccount {
  book: PlanBook = BUILT_IN_PLANS;
  nowMs = 0;
  #ended: ReadonlyArray<Extraction> = [];
  readonly #paymentIds = new Set<string>();
  readonly #runtime = ManagedRuntime.make(
    Layer.provideMerge(
      Layer.provide(MemoryStore.layer, MemoryJobQueue.layer),
      Layer.succeed(Plans, { book: () => this.book, replacementOf: () => Effect.never })
    )
  );

  /** Without `credits` the bonus is still to come; with them they were topped up, and it is not. */
  constructor(credits?: number) {
    const account = sampleAccount({ id: ID, bonusGranted: credits !== undefined });
    this.run(Store.use((store) => store.createAccount(account)));
    if (credits !== undefined && credits > 0) this.transact(decideTopUp(credits, 0));
  }

  run<A, E>(effect: Effect.Effect<A, E, Store>): A {
    return this.#runtime.runSync(Effect.provideService(effect, Clock.Clock, new VirtualClock(this.nowMs)));
  }

  get account(): Account {
    return Option.getOrThrow(this.run(Store.use((store) => store.getAccount(ID))));
  }

  /** In the order of posting. */
  get ledger(): ReadonlyArray<LedgerLine> {
    return this.run(Store.use((store) => store.listLedger(ID, { before: null, limit: ALL }))).toReversed();
  }

  /** In the order of submission, if each was submitted at a time of its own. */
  get extractions(): ReadonlyArray<Extraction> {
    return this.run(
      Store.use((store) => store.listExtractions(ID, { after: null, limit: ALL }))
    ).toReversed();
  }

  find(id: string): Extraction | undefined {
    return this.extractions.find((extraction) => extraction.id === id);
  }

  withStatus(status: Extraction["status"]): ReadonlyArray<Extraction> {
    return this.extractions.filter((extraction) => extraction.status === status);
  }

  /** Without the laws: a free slot may wait for a promotion. */
  decide<A, E>(decider: Decider<A, E>): Result.Result<Decision<A>, E> {
    const { paymentId } = decider.needs;
    if (paymentId != null) this.#paymentIds.add(paymentId);
    const decided = Store.use((store) => Effect.result(store.transact(ID, decider)));
    return this.run(decided) as Result.Result<Decision<A>, E>;
  }

  transact<A, E>(decider: Decider<A, E>): Result.Result<Decision<A>, E> {
    const decided = this.decide(decider);
    const { extractions } = this.run(assertLaws(ID, [...this.#paymentIds]));
    const after = new Map(extractions.map((extraction) => [extraction.id, extraction]));
    for (const ended of this.#ended)
      assert.deepStrictEqual(after.get(ended.id), ended, "what had ended changed");
    this.#ended = extractions.filter(({ status }) => isTerminal(status));
    if (Result.isSuccess(decided)) assertJobs(decided.success.changes);
    return decided;
  }

  delete(id: string): void {
    this.run(Store.use((store) => store.deleteExtraction(ID, id)));
    this.#ended = this.#ended.filter((ended) => ended.id !== id);
  }
}

const assertJobs = ({ jobs, inserted, updated }: Changes): void => {
  const pending = [...inserted, ...updated].filter(({ status }) => status === "pending");
  assert.sameMembers(
    jobs.map(({ extractionId }) => extractionId),
    pending.map(({ id }) => id),
    "one job for each run that becomes pending"
  );
};
