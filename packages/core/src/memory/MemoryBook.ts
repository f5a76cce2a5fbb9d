/**
 * The in-memory data of one account.
 */
import * as Semaphore from "effect/Semaphore";
import type { Account } from "../domain/Account.ts";
import type { Extraction } from "../domain/Extraction.ts";
import { deletedKey, type IdempotencyRecord } from "../domain/Idempotency.ts";
import type { LedgerEntry } from "../domain/Ledger.ts";
import type { Payment } from "../domain/Payment.ts";
import type { KeyedUsage } from "../domain/Usage.ts";

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
  readonly payments: Map<string, Payment>;
  /** By day and API key. */
  readonly usage: Map<string, KeyedUsage>;
}

export const usageKey = (day: string, apiKeyId: string | null): string => `${day} ${apiKeyId ?? ""}`;

export const openBook = (account: Account): Book => ({
  account,
  lock: Semaphore.makeUnsafe(1),
  rows: new Map(),
  ledger: [],
  idempotency: new Map(),
  payments: new Map(),
  usage: new Map()
});

export const extractionsOf = (book: Book): Array<Extraction> =>
  [...book.rows.values()].map((row) => row.extraction);

export const recordOf = (book: Book | undefined, key: string): IdempotencyRecord | null =>
  book?.idempotency.get(key) ?? book?.idempotency.get(deletedKey(key)) ?? null;
