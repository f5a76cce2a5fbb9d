/**
 * The shape of every decision that moves money, slots or states.
 *
 * The store locks the account, loads an {@link AccountView} with what the {@link Decider} needs, lets it decide and
 * applies its {@link Changes}, all in one transaction. Deciders are in Submission, BatchSubmission, Settlement,
 * AccountDecisions and Usage. Before a view has more: bench/submit.ts and bench/waiting.ts of packages/adapters.
 */
import * as Result from "effect/Result";
import type { Account } from "../money/Account.ts";
import type { Batch, BatchChange } from "./Batch.ts";
import type { Extraction } from "./Extraction.ts";
import type { IdempotencyRecord } from "../request/Idempotency.ts";
import type { LedgerLine } from "../money/Ledger.ts";
import type { Payment } from "../money/Payment.ts";
import type { AccountPlan } from "../money/Plan.ts";
import type { UsageCount } from "./Usage.ts";
import type { WebhookDelivery } from "../webhook/WebhookDelivery.ts";
import type { WebhookTarget } from "../webhook/WebhookEndpoint.ts";

/** Maximum waiting extractions that are loaded for a decision. */
export const WAITING_LOADED_MAX = 3;

/** The rows that a decision needs beside the account and its waiting extractions. */
export interface Needs {
  readonly extractionId?: string | null;
  readonly idempotencyKey?: string | null;
  readonly paymentId?: string | null;
  readonly batchId?: string | null;
  /** Of `view.known`. */
  readonly extractionIds?: ReadonlyArray<string>;
  readonly batchItemsWaiting?: boolean;
  /** Of `view.usedByKey`. The day is `YYYY-MM-DD`, UTC. */
  readonly usage?: { readonly apiKeyId: string; readonly day: string } | null;
}

/**
 * What a decider may read. Everything belongs to one account and is read under its lock. What the decider does not need
 * is null, empty or 0.
 */
export interface AccountView {
  readonly account: Account;
  /** The account's limits and rates at the time of the transaction. */
  readonly plan: AccountPlan;
  /** Extractions in status `queued`, without the items of batches. */
  readonly waitingCount: number;
  /**
   * The next queued extractions, at most {@link WAITING_LOADED_MAX}: in order of submission, items of batches after all
   * others, so that a single submit does not wait for a batch. Items of paused and cancelled batches are left out.
   */
  readonly waiting: ReadonlyArray<Extraction>;
  /** Null if it is another account's. */
  readonly extraction: Extraction | null;
  readonly idempotency: IdempotencyRecord | null;
  /** The extraction of that record. */
  readonly replayed: Extraction | null;
  /** The needed one, or that of the needed extraction. */
  readonly batch: Batch | null;
  /** Waiting items of all batches. */
  readonly batchItemsWaiting: number;
  /** Those of the needed extractions that exist. */
  readonly known: ReadonlyArray<KnownExtraction>;
  /** The enabled webhook endpoints in order of registration. */
  readonly webhookEndpoints: ReadonlyArray<WebhookTarget>;
  /** The stored state of the payment, which may belong to another account. */
  readonly payment: Payment | null;
  /** What the API key spent on the day. */
  readonly usedByKey: UsageCount | null;
}

/** What a decision about many extractions needs of each. */
export interface KnownExtraction extends Pick<Extraction, "id" | "status" | "cachedFrom"> {
  /** Whether it is an item of the needed batch, and no retry has replaced it. */
  readonly isItem: boolean;
}

/** A run to execute; the queue delivers it to a worker. */
export interface RunJob {
  readonly accountId: string;
  readonly extractionId: string;
  /** W3C trace context of the request that created the run; null if tracing was off. */
  readonly traceparent: string | null;
}

/** Everything a decision writes. Empty changes write nothing. */
export interface Changes {
  readonly account: Account | null;
  readonly ledger: ReadonlyArray<LedgerLine>;
  readonly inserted: ReadonlyArray<Extraction>;
  readonly updated: ReadonlyArray<Extraction>;
  readonly idempotency: IdempotencyRecord | null;
  /** The new state of the payment. */
  readonly payment: Payment | null;
  /** The new state of the batch, and its items that changed. */
  readonly batch: BatchChange | null;
  /** Enqueued in the same transaction. */
  readonly jobs: ReadonlyArray<RunJob>;
  /** Webhook events to deliver (domain/result/Announcement). */
  readonly deliveries: ReadonlyArray<WebhookDelivery>;
}

export const NO_CHANGES: Changes = {
  account: null,
  ledger: [],
  inserted: [],
  updated: [],
  idempotency: null,
  payment: null,
  batch: null,
  jobs: [],
  deliveries: []
};

/** The result of a decider: a value for the caller, and the changes to write. */
export interface Decision<A> {
  readonly value: A;
  readonly changes: Changes;
}

export interface Decider<A, E> {
  readonly needs: Needs;
  readonly decide: (view: AccountView) => Result.Result<Decision<A>, E>;
}

/** A read-only decision. */
export const nothing = <A>(value: A): Decision<A> => ({ value, changes: NO_CHANGES });
