/**
 * The in-memory data of one account, and of the payments of all.
 */
import * as Semaphore from "effect/Semaphore";
import type { Account } from "../domain/money/Account.ts";
import { resultCreatedAtMs, type Extraction } from "../domain/run/Extraction.ts";
import { deletedKey, type IdempotencyRecord } from "../domain/request/Idempotency.ts";
import type { LedgerEntry } from "../domain/money/Ledger.ts";
import type { Payment } from "../domain/money/Payment.ts";
import type { KeyedUsage } from "../domain/run/Usage.ts";

interface Row {
  extraction: Extraction;
  /** When its status last changed. */
  movedAtMs: number;
}

/** All data of one account. */
export interface Book {
  account: Account;
  readonly lock: Semaphore.Semaphore;
  /** In submission order. */
  readonly rows: Map<string, Row>;
  readonly ledger: Array<LedgerEntry>;
  readonly idempotency: Map<string, IdempotencyRecord>;
  /** By day and API key. */
  readonly usage: Map<string, KeyedUsage>;
}

/** The payments of all accounts. */
export interface PaymentBook {
  readonly lock: Semaphore.Semaphore;
  readonly known: Map<string, Payment>;
}

export const openPayments = (): PaymentBook => ({ lock: Semaphore.makeUnsafe(1), known: new Map() });

export const usageKey = (day: string, apiKeyId: string | null): string => `${day} ${apiKeyId ?? ""}`;

export const openBook = (account: Account): Book => ({
  account,
  lock: Semaphore.makeUnsafe(1),
  rows: new Map(),
  ledger: [],
  idempotency: new Map(),
  usage: new Map()
});

export const extractionsOf = (book: Book): Array<Extraction> =>
  [...book.rows.values()].map((row) => row.extraction);

export const waitingOf = (book: Book): ReadonlyArray<Extraction> =>
  extractionsOf(book).filter(({ status }) => status === "queued");

export const activityOf = (book: Book) => ({ account: book.account, waitingCount: waitingOf(book).length });

export const recordOf = (book: Book | undefined, key: string): IdempotencyRecord | null =>
  book?.idempotency.get(key) ?? book?.idempotency.get(deletedKey(key)) ?? null;

export const newestReusable = (book: Book, cacheKey: string, sinceMs: number): Extraction | undefined =>
  extractionsOf(book)
    .filter((extraction) => extraction.status === "complete" && extraction.cacheKey === cacheKey)
    .filter((extraction) => resultCreatedAtMs(extraction) >= sinceMs)
    .sort((left, right) => resultCreatedAtMs(right) - resultCreatedAtMs(left))[0];
