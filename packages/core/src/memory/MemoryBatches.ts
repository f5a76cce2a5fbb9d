/** What MemoryStore does with the queue, batches and corrections. Tests: MemoryStore.test.ts. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { isPast, newestFirst } from "../domain/request/Cursor.ts";
import type { KnownExtraction } from "../domain/run/Decision.ts";
import type { Extraction } from "../domain/run/Extraction.ts";
import type { BatchChange, BatchItem, ItemState } from "../domain/run/Batch.ts";
import { QUEUE_POSITIONS_MAX, type ExpiryQuery, type Store } from "../ports/Store.ts";
import { keptSinceMs, waitingOf, type Book } from "./MemoryBook.ts";

export const writeBatch = (book: Book, { batch, items }: BatchChange): void => {
  const rows = book.items.get(batch.id) ?? new Map<number, BatchItem>();
  for (const item of items) rows.set(item.index, item);
  book.items.set(batch.id, rows);
  book.batches.set(batch.id, batch);
};

const itemStatesOf = (book: Book, batchId: string): ReadonlyArray<ItemState> =>
  [...(book.items.get(batchId)?.values() ?? [])]
    .map((item) => ({ ...item, status: book.rows.get(item.extractionId ?? "")?.extraction.status ?? null }))
    .sort((left, right) => left.index - right.index);

export const knownIn = (
  book: Book,
  batchId: string | null | undefined,
  found: Extraction | null
): ReadonlyArray<KnownExtraction> => {
  if (found === null) return [];
  const items = [...(book.items.get(batchId ?? "")?.values() ?? [])];
  return [{ ...found, isItem: items.some(({ extractionId }) => extractionId === found.id) }];
};

export const removeBatches = (book: Book, query: ExpiryQuery): void => {
  for (const { id, completedAtMs } of book.batches.values()) {
    if (completedAtMs === null || completedAtMs >= keptSinceMs(book, query)) continue;
    book.batches.delete(id);
    book.items.delete(id);
    for (const [key, record] of book.idempotency) {
      if (record.batchId === id) book.idempotency.set(key, { ...record, batchId: null });
    }
  }
};

const correctionsOf = (books: ReadonlyMap<string, Book>) =>
  ({
    setCorrections: (accountId, extractionId, corrections) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        if (book?.rows.has(extractionId) !== true) return;
        if (Object.keys(corrections).length === 0) book.corrections.delete(extractionId);
        else book.corrections.set(extractionId, corrections);
      }),
    findCorrections: (accountId, extractionIds) =>
      Effect.sync(() => {
        const kept = books.get(accountId)?.corrections;
        return new Map(
          extractionIds.flatMap((id) => {
            const corrections = kept?.get(id);
            return corrections === undefined ? [] : [[id, corrections] as const];
          })
        );
      })
  }) satisfies Partial<Store["Service"]>;

/** The queue, batches, their items and the corrections of results. */
export const batchesOf = (books: ReadonlyMap<string, Book>) =>
  ({
    ...correctionsOf(books),
    findQueuePositions: (accountId, extractionIds) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        const waiting = book === undefined ? [] : waitingOf(book).slice(0, QUEUE_POSITIONS_MAX);
        const wanted = new Set(extractionIds);
        return new Map(
          waiting.map(({ id }, index) => [id, index + 1] as const).filter(([id]) => wanted.has(id))
        );
      }),
    getBatch: (accountId, id) =>
      Effect.sync(() => Option.fromUndefinedOr(books.get(accountId)?.batches.get(id))),
    listBatches: (accountId, { after, limit }) =>
      Effect.sync(() =>
        [...(books.get(accountId)?.batches.values() ?? [])]
          .filter(isPast(after))
          .sort(newestFirst)
          .slice(0, limit)
      ),
    listBatchItems: (accountId, id) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        return book === undefined ? [] : itemStatesOf(book, id);
      }),
    findCancelledBatches: (limit) =>
      Effect.sync(() =>
        [...books.values()]
          .flatMap(({ batches }) => [...batches.values()])
          .filter(({ status, completedAtMs }) => status === "cancelled" && completedAtMs === null)
          .slice(0, limit)
          .map(({ id, accountId }) => ({ id, accountId }))
      )
  }) satisfies Partial<Store["Service"]>;
