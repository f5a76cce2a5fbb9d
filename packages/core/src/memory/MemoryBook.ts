/** What MemoryStore keeps: the data of one account, and the payments of all. Tests: MemoryStore.test.ts. */
import * as Semaphore from "effect/Semaphore";
import { DAY_MS } from "../domain/Durations.ts";
import { type Extraction, resultCreatedAtMs } from "../domain/run/Extraction.ts";
import { nameOf } from "../domain/result/ExtractionList.ts";
import type { Corrections } from "../domain/result/ResultRow.ts";
import type { Retention } from "../domain/money/Plan.ts";
import { startsItems, type Batch, type BatchItem } from "../domain/run/Batch.ts";
import type { ExpiryQuery } from "../ports/Store.ts";
import type { Account } from "../domain/money/Account.ts";
import { deletedKey, type IdempotencyRecord } from "../domain/request/Idempotency.ts";
import type { LedgerEntry } from "../domain/money/Ledger.ts";
import type { Payment } from "../domain/money/Payment.ts";
import { PRICE_PARTS } from "../domain/money/PriceParts.ts";
import { addCount, NO_COUNT, type CountedUsage } from "../domain/result/CountedUsage.ts";
import { addUsage, NO_USAGE, type PartUsageDay, type UsageDay } from "../domain/run/Usage.ts";

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
  readonly ledger: Array<Omit<LedgerEntry, "extractionTitle">>;
  readonly idempotency: Map<string, IdempotencyRecord>;
  /** By id of the extraction. */
  readonly corrections: Map<string, Corrections>;
  readonly batches: Map<string, Batch>;
  /** Items of each batch by index. */
  readonly items: Map<string, Map<number, BatchItem>>;
  /** By day, API key and schema. */
  readonly usage: Map<string, CountedUsage>;
}

/** The payments of all accounts. */
export interface PaymentBook {
  readonly lock: Semaphore.Semaphore;
  readonly known: Map<string, Payment>;
}

export const openPayments = (): PaymentBook => ({ lock: Semaphore.makeUnsafe(1), known: new Map() });

export const openBook = (account: Account): Book => ({
  account,
  lock: Semaphore.makeUnsafe(1),
  rows: new Map(),
  ledger: [],
  idempotency: new Map(),
  corrections: new Map(),
  batches: new Map(),
  items: new Map(),
  usage: new Map()
});

const titleIn = (book: Book, extractionId: string | null): string | null => {
  const extraction = book.rows.get(extractionId ?? "")?.extraction;
  return extraction === undefined ? null : nameOf(extraction);
};

export const ledgerIn = (
  book: Book | undefined,
  { before, limit }: { readonly before: string | null; readonly limit: number }
): ReadonlyArray<LedgerEntry> => {
  if (book === undefined) return [];
  const end = before === null ? book.ledger.length : book.ledger.findIndex(({ id }) => id === before);
  const page = book.ledger.slice(0, Math.max(0, end)).toReversed().slice(0, limit);
  return page.map((entry) => ({ ...entry, extractionTitle: titleIn(book, entry.extractionId) }));
};

/** By day and what is chosen of each row, in their order. */
export const usageIn = <Of extends object>(
  book: Book | undefined,
  sinceDay: string,
  of: (row: CountedUsage) => Of
): ReadonlyArray<UsageDay & Of> => {
  const found = new Map<string, UsageDay & Of>();
  for (const row of book?.usage.values() ?? []) {
    const id = { day: row.day, ...of(row) };
    const key = Object.values(id).join(" ");
    if (row.day >= sinceDay) found.set(key, { ...id, ...addUsage(found.get(key) ?? NO_USAGE, row) });
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, usage]) => usage);
};

export const partUsageIn = (book: Book | undefined, sinceDay: string): ReadonlyArray<PartUsageDay> => {
  const rows = [...(book?.usage.values() ?? [])].filter(({ day }) => day >= sinceDay);
  const days = [...Map.groupBy(rows, ({ day }) => day)].sort(([left], [right]) => (left < right ? -1 : 1));
  return days.flatMap(([day, counted]) => {
    const { debitedByPart, refundedByPart } = counted.reduce(addCount, NO_COUNT);
    return PRICE_PARTS.filter((part) => debitedByPart[part] > 0)
      .sort()
      .map((part) => ({ day, part, debited: debitedByPart[part], refunded: refundedByPart[part] }));
  });
};

export const extractionsOf = (book: Book): Array<Extraction> =>
  [...book.rows.values()].map((row) => row.extraction);

const queuedOf = (book: Book): ReadonlyArray<Extraction> =>
  extractionsOf(book).filter(({ status }) => status === "queued");

export const waitingCountOf = (book: Book): number =>
  queuedOf(book).filter(({ batchId }) => batchId === null).length;

export const batchItemsWaitingOf = (book: Book): number => queuedOf(book).length - waitingCountOf(book);

/** In the order of their turns: items of batches after all others. */
export const waitingOf = (book: Book): ReadonlyArray<Extraction> => {
  const waiting = queuedOf(book);
  const mayStart = (batchId: string): boolean => {
    const batch = book.batches.get(batchId);
    return batch !== undefined && startsItems(batch);
  };
  return [
    ...waiting.filter(({ batchId }) => batchId === null),
    ...waiting.filter(({ batchId }) => batchId !== null && mayStart(batchId))
  ];
};

export const activityOf = (book: Book) => ({ account: book.account, queuedCount: queuedOf(book).length });

export const retentionDaysOf = ({ account }: Book, { daysByPlan, defaultDays }: Retention): number =>
  account.limits.retentionDays ?? daysByPlan[account.plan] ?? defaultDays;

/** What ended earlier has expired. */
export const keptSinceMs = (book: Book, { nowMs, retention }: ExpiryQuery): number =>
  nowMs - retentionDaysOf(book, retention) * DAY_MS;

export const recordOf = (book: Book | undefined, key: string): IdempotencyRecord | null =>
  book?.idempotency.get(key) ?? book?.idempotency.get(deletedKey(key)) ?? null;

export const newestReusable = (book: Book, cacheKey: string, sinceMs: number): Extraction | undefined =>
  extractionsOf(book)
    .filter((extraction) => extraction.status === "complete" && extraction.cacheKey === cacheKey)
    .filter((extraction) => resultCreatedAtMs(extraction) >= sinceMs)
    .sort((left, right) => resultCreatedAtMs(right) - resultCreatedAtMs(left))[0];
