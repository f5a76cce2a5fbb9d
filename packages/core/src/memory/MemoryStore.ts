/**
 * The reference implementation of the Store: what a database must do, in as few words as possible.
 *
 * One process, nothing survives it. Decisions of one account run one at a time; a decision is applied
 * whole, and only then are its jobs enqueued.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Semaphore from "effect/Semaphore";
import { SLOTS_MAX, type Account } from "../domain/Account.ts";
import type { ApiKeyRecord } from "../domain/ApiKey.ts";
import type { AccountView, Changes, Decider } from "../domain/Decision.ts";
import type { Extraction } from "../domain/Extraction.ts";
import type { IdempotencyRecord } from "../domain/Idempotency.ts";
import type { LedgerEntry } from "../domain/Ledger.ts";
import { NotFound } from "../domain/Refusal.ts";
import { JobQueue } from "../ports/JobQueue.ts";
import { Store, type ExtractionPosition, type StalledRun, type ViewQuery } from "../ports/Store.ts";

interface Row {
  extraction: Extraction;
  /** When its status last changed. */
  movedAtMs: number;
}

/** Everything of one account. */
interface Book {
  account: Account;
  readonly lock: Semaphore.Semaphore;
  /** In the order of submission. */
  readonly rows: Map<string, Row>;
  readonly ledger: Array<LedgerEntry>;
  readonly idempotency: Map<string, IdempotencyRecord>;
}

const openBook = (account: Account): Book => ({
  account,
  lock: Semaphore.makeUnsafe(1),
  rows: new Map(),
  ledger: [],
  idempotency: new Map()
});

const extractionsOf = (book: Book): Array<Extraction> => [...book.rows.values()].map((row) => row.extraction);

const viewOf = (book: Book, query: ViewQuery): AccountView => {
  const waiting = extractionsOf(book).filter((extraction) => extraction.status === "queued");
  const find = (id: string | undefined) =>
    id === undefined ? null : (book.rows.get(id)?.extraction ?? null);
  const idempotency = book.idempotency.get(query.idempotencyKey ?? "") ?? null;
  return {
    account: book.account,
    waitingCount: waiting.length,
    waiting: waiting.slice(0, SLOTS_MAX + 1),
    extraction: find(query.extractionId),
    idempotency,
    replayed: find(idempotency?.extractionId)
  };
};

/** What the constraints of a database would refuse; reaching it is a bug of a decider. */
const violation = (book: Book, changes: Changes): string | null => {
  const account = changes.account ?? book.account;
  if (account.balance < 0) return "balance below 0";
  if (account.slotsUsed < 0 || account.slotsUsed > SLOTS_MAX) return "slots out of range";
  if (changes.inserted.some(({ id }) => book.rows.has(id))) return "extraction id is taken";
  if (changes.updated.some(({ id }) => !book.rows.has(id))) return "no such extraction";
  const known = book.idempotency.get(changes.idempotency?.key ?? "");
  if (known !== undefined && book.rows.has(known.extractionId)) return "idempotency key is taken";
  return null;
};

const apply = (book: Book, changes: Changes, nowMs: number): void => {
  book.account = changes.account ?? book.account;
  for (const line of changes.ledger) {
    book.ledger.push({ ...line, id: String(book.ledger.length + 1), accountId: book.account.id });
  }
  for (const extraction of [...changes.inserted, ...changes.updated]) {
    const before = book.rows.get(extraction.id);
    const moved = before?.extraction.status !== extraction.status;
    book.rows.set(extraction.id, { extraction, movedAtMs: moved ? nowMs : before.movedAtMs });
  }
  if (changes.idempotency !== null) book.idempotency.set(changes.idempotency.key, changes.idempotency);
};

const isAfter =
  (position: ExtractionPosition | null) =>
  ({ createdAtMs, id }: Extraction): boolean =>
    position === null ||
    createdAtMs < position.createdAtMs ||
    (createdAtMs === position.createdAtMs && id < position.id);

const newestFirst = (left: Extraction, right: Extraction): number =>
  right.createdAtMs - left.createdAtMs || (left.id < right.id ? 1 : -1);

const newestReusable = (book: Book, cacheKey: string, sinceMs: number): Extraction | undefined =>
  extractionsOf(book)
    .filter(({ status, cachedFrom }) => status === "complete" && cachedFrom === null)
    .filter((extraction) => extraction.cacheKey === cacheKey && (extraction.completedAtMs ?? 0) >= sinceMs)
    .sort((left, right) => (right.completedAtMs ?? 0) - (left.completedAtMs ?? 0))[0];

const stalledOf = (
  books: Iterable<Book>,
  query: { readonly pendingBeforeMs: number; readonly startedBeforeMs: number; readonly limit: number }
): ReadonlyArray<StalledRun> =>
  [...books]
    .flatMap((book) => [...book.rows.values()])
    .filter(
      ({ extraction: { status, startedAtMs }, movedAtMs }) =>
        (status === "pending" && movedAtMs < query.pendingBeforeMs) ||
        (status === "running" && (startedAtMs ?? 0) < query.startedBeforeMs)
    )
    .sort((left, right) => left.extraction.createdAtMs - right.extraction.createdAtMs)
    .slice(0, query.limit)
    .map(({ extraction }) => ({
      accountId: extraction.accountId,
      extractionId: extraction.id,
      status: extraction.status as StalledRun["status"]
    }));

const make = Effect.gen(function* () {
  const queue = yield* JobQueue;
  const books = new Map<string, Book>();
  const apiKeys = new Map<string, ApiKeyRecord>();

  const bookOf = (accountId: string): Effect.Effect<Book, NotFound> =>
    Effect.suspend(() => {
      const book = books.get(accountId);
      return book === undefined ? Effect.fail(new NotFound({ what: "account" })) : Effect.succeed(book);
    });

  const decideAndApply = Effect.fnUntraced(function* <A, E>(
    book: Book,
    query: ViewQuery,
    decide: Decider<A, E>
  ) {
    const { value, changes } = yield* Effect.fromResult(decide(viewOf(book, query)));
    const refused = violation(book, changes);
    if (refused !== null) return yield* Effect.die(new Error(`MemoryStore: ${refused}`));
    apply(book, changes, yield* Clock.currentTimeMillis);
    yield* Effect.forEach(changes.jobs, queue.enqueue, { discard: true });
    return value;
  }, Effect.uninterruptible);

  return Store.of({
    transact: (accountId, query, decide) =>
      Effect.flatMap(bookOf(accountId), (book) => book.lock.withPermit(decideAndApply(book, query, decide))),
    getExtraction: (accountId, id) =>
      Effect.sync(() => Option.fromUndefinedOr(books.get(accountId)?.rows.get(id)?.extraction)),
    listExtractions: (accountId, { after, limit }) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        if (book === undefined) return [];
        return extractionsOf(book).filter(isAfter(after)).sort(newestFirst).slice(0, limit);
      }),
    findReusable: (accountId, cacheKey, sinceMs) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        return Option.fromUndefinedOr(book && newestReusable(book, cacheKey, sinceMs));
      }),
    getIdempotency: (accountId, key) =>
      Effect.sync(() => Option.fromUndefinedOr(books.get(accountId)?.idempotency.get(key))),
    createAccount: (account) =>
      Effect.suspend(() => {
        if (books.has(account.id)) return Effect.die(new Error("MemoryStore: account id is taken"));
        books.set(account.id, openBook(account));
        return Effect.void;
      }),
    getAccount: (id) => Effect.sync(() => Option.fromUndefinedOr(books.get(id)?.account)),
    listLedger: (accountId, { before, limit }) =>
      Effect.sync(() =>
        (books.get(accountId)?.ledger ?? [])
          .filter((entry) => before === null || Number(entry.id) < Number(before))
          .toReversed()
          .slice(0, limit)
      ),
    createApiKey: (record) =>
      Effect.map(bookOf(record.accountId), () => {
        apiKeys.set(record.id, record);
      }),
    findApiKey: (hash) =>
      Effect.sync(() => Option.fromUndefinedOr([...apiKeys.values()].find((record) => record.hash === hash))),
    revokeApiKey: (id) => Effect.sync(() => apiKeys.delete(id)),
    findStalled: (query) => Effect.sync(() => stalledOf(books.values(), query)),
    ping: Effect.void
  });
});

export const layer: Layer.Layer<Store, never, JobQueue> = Layer.effect(Store, make);
