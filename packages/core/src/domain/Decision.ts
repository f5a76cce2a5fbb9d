/**
 * The shape of every decision that moves money, slots or states.
 *
 * The store locks the account, loads an {@link AccountView}, calls a pure decider and applies its
 * {@link Changes}, all in one transaction. Deciders live in Submission, Dispatch, Settlement and TopUp.
 */
import * as Result from "effect/Result";
import type { Account } from "./Account.ts";
import type { Extraction } from "./Extraction.ts";
import type { IdempotencyRecord } from "./Idempotency.ts";
import type { LedgerLine } from "./Ledger.ts";
import type { Payment } from "./Payment.ts";
import type { AccountPlan } from "./Plan.ts";
import type { UsageCount } from "./Usage.ts";
import type { WebhookDelivery } from "./WebhookDelivery.ts";
import type { WebhookTarget } from "./WebhookEvent.ts";

/** Waiting extractions that a decision may look at. */
export const WAITING_SEEN_MAX = 3;

/** What a decider may look at. All of one account, all read under its lock. */
export interface AccountView {
  readonly account: Account;
  /** What the account may do, and at what rates, at the time of the transaction. */
  readonly plan: AccountPlan;
  /** Extractions in status `queued`. */
  readonly waitingCount: number;
  /** The oldest queued ones in the order of submission, at most {@link WAITING_SEEN_MAX} of them. */
  readonly waiting: ReadonlyArray<Extraction>;
  /** The one the query named, when it belongs to the account. */
  readonly extraction: Extraction | null;
  /** Record under the query's idempotency key. */
  readonly idempotency: IdempotencyRecord | null;
  /** Extraction of that record. */
  readonly replayed: Extraction | null;
  /** The enabled ones, in the order of registration. */
  readonly webhookEndpoints: ReadonlyArray<WebhookTarget>;
  /** What is known of the query's payment. */
  readonly payment: Payment | null;
  /** What the query's API key used on the query's day; null when it named none. */
  readonly usedByKey: UsageCount | null;
}

/** A run to carry out; the queue engine takes it to a worker. */
export interface RunJob {
  readonly accountId: string;
  readonly extractionId: string;
  /** W3C trace context of the request that asked for the run, while traces are collected. */
  readonly traceparent?: string;
}

/** Everything a decision writes. An empty one writes nothing. */
export interface Changes {
  readonly account: Account | null;
  readonly ledger: ReadonlyArray<LedgerLine>;
  readonly inserted: ReadonlyArray<Extraction>;
  readonly updated: ReadonlyArray<Extraction>;
  readonly idempotency: IdempotencyRecord | null;
  /** As it is known from now on. */
  readonly payment: Payment | null;
  /** Enqueued in the same transaction. */
  readonly jobs: ReadonlyArray<RunJob>;
  /** Events to be delivered (domain/Announcement). */
  readonly deliveries: ReadonlyArray<WebhookDelivery>;
}

export const NO_CHANGES: Changes = {
  account: null,
  ledger: [],
  inserted: [],
  updated: [],
  idempotency: null,
  payment: null,
  jobs: [],
  deliveries: []
};

/** What a decider answers: a value for the caller and what to write. */
export interface Decision<A> {
  readonly value: A;
  readonly changes: Changes;
}

export type Decider<A, E> = (view: AccountView) => Result.Result<Decision<A>, E>;

/** A decision that only reads. */
export const nothing = <A>(value: A): Decision<A> => ({ value, changes: NO_CHANGES });
