/**
 * The reference implementation of the Store: what a database must do, as briefly as possible.
 *
 * Within one process, lost when it ends. Decisions of one account run one at a time; a decision is applied
 * completely before its jobs are enqueued.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { Account } from "../domain/money/Account.ts";
import { LAST_USE_INTERVAL_MS, type ApiKeyRecord } from "../domain/access/ApiKey.ts";
import { isPast, newestFirst, upToBytes } from "../domain/request/Cursor.ts";
import {
  WAITING_LOADED_MAX,
  type AccountView,
  type Changes,
  type Decider,
  type Needs
} from "../domain/run/Decision.ts";
import type { Extraction } from "../domain/run/Extraction.ts";
import { fitsFilter } from "../domain/result/ExtractionList.ts";
import { addCount, NO_COUNT, usageOf, type CountedUsage } from "../domain/result/CountedUsage.ts";
import { deletedKey } from "../domain/request/Idempotency.ts";
import { planOf } from "../domain/money/Plan.ts";
import { NotFound } from "../domain/request/Refusal.ts";
import { isTerminal } from "../domain/run/Transition.ts";
import { NO_USAGE } from "../domain/run/Usage.ts";
import { JobQueue } from "../ports/JobQueue.ts";
import { Plans } from "../ports/Plans.ts";
import {
  SEARCHED_MAX,
  Store,
  type ExpiryQuery,
  type FoundExtractions,
  type SearchPage
} from "../ports/Store.ts";
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts";
import { WebhookOutbox } from "../ports/WebhookOutbox.ts";
import {
  activityOf,
  batchItemsWaitingOf,
  type Book,
  extractionsOf,
  keptSinceMs,
  ledgerIn,
  newestReusable,
  openBook,
  openPayments,
  partUsageIn,
  type PaymentBook,
  recordOf,
  usageIn,
  waitingCountOf,
  waitingOf
} from "./MemoryBook.ts";
import { batchesOf, knownIn, removeBatches, writeBatch } from "./MemoryBatches.ts";
import { makeMemoryFiles, type MemoryFiles } from "./MemoryFiles.ts";
import { liveOf } from "./MemoryLive.ts";
import { makeMemoryWebhooks, type MemoryWebhooks } from "./MemoryWebhooks.ts";

const viewOf = (
  book: Book,
  needs: Needs,
  loaded: Pick<AccountView, "payment" | "plan" | "webhookEndpoints">
): AccountView => {
  const waiting = waitingOf(book);
  const find = (id: string | null | undefined) =>
    id == null ? null : (book.rows.get(id)?.extraction ?? null);
  const idempotency = needs.idempotencyKey == null ? null : recordOf(book, needs.idempotencyKey);
  const extraction = find(needs.extractionId);
  return {
    ...loaded,
    account: book.account,
    waitingCount: waitingCountOf(book),
    waiting: waiting.slice(0, WAITING_LOADED_MAX),
    extraction,
    batch: book.batches.get(needs.batchId ?? extraction?.batchId ?? "") ?? null,
    batchItemsWaiting: needs.batchItemsWaiting === true ? batchItemsWaitingOf(book) : 0,
    known: (needs.extractionIds ?? []).flatMap((id) => knownIn(book, needs.batchId, find(id))),
    idempotency,
    replayed: find(idempotency?.extractionId),
    usedByKey:
      needs.usage == null
        ? null
        : (usageIn(book, needs.usage.day, byKey).find(
            ({ day, apiKeyId }) => day === needs.usage?.day && apiKeyId === needs.usage.apiKeyId
          ) ?? NO_USAGE)
  };
};

const byKey = ({ apiKeyId }: CountedUsage) => ({ apiKeyId });

/** What a database's constraints would reject; reaching it is a bug of a decider. */
const violation = (book: Book, changes: Changes): string | null => {
  const account = changes.account ?? book.account;
  if (account.balance < 0) return "balance below 0";
  if (account.slotsUsed < 0) return "slots out of range";
  if (changes.inserted.some(({ id }) => book.rows.has(id))) return "extraction id already exists";
  if (changes.updated.some(({ id }) => !book.rows.has(id))) return "no such extraction";
  return changes.idempotency !== null && recordOf(book, changes.idempotency.key) !== null
    ? "idempotency key already exists"
    : null;
};

const apply = (book: Book, files: MemoryFiles, changes: Changes, nowMs: number): void => {
  book.account = changes.account ?? book.account;
  for (const line of changes.ledger) {
    book.ledger.push({ ...line, id: String(book.ledger.length + 1), accountId: book.account.id });
  }
  for (const extraction of [...changes.inserted, ...changes.updated]) {
    const before = book.rows.get(extraction.id);
    files.written(before?.extraction, extraction);
    const moved = before?.extraction.status !== extraction.status;
    book.rows.set(extraction.id, { extraction, movedAtMs: moved ? nowMs : before.movedAtMs });
  }
  if (changes.idempotency !== null) book.idempotency.set(changes.idempotency.key, changes.idempotency);
  if (changes.batch !== null) writeBatch(book, changes.batch);
  for (const row of usageOf(changes)) {
    const key = JSON.stringify([row.day, row.apiKeyId, row.schemaId]);
    book.usage.set(key, { ...row, ...addCount(book.usage.get(key) ?? NO_COUNT, row) });
  }
};

const searchIn = (book: Book, { after, limit, filter, maxBytes }: SearchPage): FoundExtractions => {
  const searched = extractionsOf(book).filter(isPast(after)).sort(newestFirst).slice(0, SEARCHED_MAX);
  const found = searched.filter(fitsFilter(filter)).slice(0, limit);
  const extractions =
    maxBytes === undefined ? found : upToBytes(found, ({ request, result }) => [request, result], maxBytes);
  const last = extractions.length < found.length ? extractions.at(-1) : searched[SEARCHED_MAX - 1];
  const searchedTo =
    last === undefined || extractions.length === limit
      ? null
      : { createdAtMs: last.createdAtMs, id: last.id };
  return { extractions, searchedTo };
};

/** What was removed; undefined if there is none that has ended. */
const removeFrom = (book: Book, id: string): Extraction | undefined => {
  const found = book.rows.get(id)?.extraction;
  if (found === undefined || !isTerminal(found.status)) return undefined;
  book.rows.delete(id);
  book.corrections.delete(id);
  for (const [key, record] of book.idempotency) {
    if (record.extractionId !== id) continue;
    book.idempotency.delete(key);
    book.idempotency.set(deletedKey(key), { ...record, key: deletedKey(key), extractionId: null });
  }
  return found;
};

const expiredOf = (books: Iterable<Book>, query: ExpiryQuery) =>
  [...books]
    .flatMap((book) => {
      const completedBeforeMs = keptSinceMs(book, query);
      return extractionsOf(book).filter(
        ({ completedAtMs }) => completedAtMs !== null && completedAtMs < completedBeforeMs
      );
    })
    .sort((left, right) => (left.completedAtMs ?? 0) - (right.completedAtMs ?? 0))
    .slice(0, query.limit)
    .map(({ accountId, id }) => ({ accountId, extractionId: id }));

interface Connected {
  readonly queue: typeof JobQueue.Service;
  readonly webhooks: MemoryWebhooks;
  readonly plans: typeof Plans.Service;
  readonly payments: PaymentBook;
  readonly files: MemoryFiles;
}

const decideAndApply = Effect.fnUntraced(function* <A, E>(
  { queue, webhooks, plans, payments, files }: Connected,
  book: Book,
  { needs, decide }: Decider<A, E>
) {
  const plan = planOf(plans.book(), book.account, yield* Clock.currentTimeMillis);
  const payment = payments.known.get(needs.paymentId ?? "") ?? null;
  const view = viewOf(book, needs, { payment, plan, webhookEndpoints: webhooks.targetsOf(book.account.id) });
  const decision = yield* Effect.fromResult(decide(view));
  const { changes } = decision;
  const refused = violation(book, changes) ?? webhooks.violation(changes.deliveries);
  if (refused !== null) return yield* Effect.die(new Error(`MemoryStore: ${refused}`));
  apply(book, files, changes, yield* Clock.currentTimeMillis);
  if (changes.payment !== null) payments.known.set(changes.payment.id, changes.payment);
  webhooks.insert(changes.deliveries);
  yield* Effect.forEach(changes.jobs, queue.enqueue, { discard: true });
  return decision;
}, Effect.uninterruptible);

type BookOf = (accountId: string) => Effect.Effect<Book, NotFound>;
const makeTransact =
  (surroundings: Connected, bookOf: BookOf): (typeof Store.Service)["transact"] =>
  (accountId, decider) =>
    Effect.flatMap(bookOf(accountId), (book) => {
      const decision = book.lock.withPermit(decideAndApply(surroundings, book, decider));
      return decider.needs.paymentId == null ? decision : surroundings.payments.lock.withPermit(decision);
    });

type ApiKeyMethods = "createApiKey" | "findApiKey" | "listApiKeys" | "revokeApiKey";

const apiKeysOf = (bookOf: BookOf): Pick<typeof Store.Service, ApiKeyMethods> => {
  const apiKeys = new Map<string, ApiKeyRecord>();
  return {
    createApiKey: (record) =>
      Effect.map(bookOf(record.accountId), () => {
        apiKeys.set(record.id, record);
      }),
    findApiKey: (hash, usedAtMs) =>
      Effect.sync(() => {
        const found = [...apiKeys.values()].find((record) => record.hash === hash);
        if (found === undefined) return Option.none();
        if (usedAtMs === undefined || usedAtMs - (found.lastUsedAtMs ?? 0) < LAST_USE_INTERVAL_MS) {
          return Option.some(found);
        }
        const used = { ...found, lastUsedAtMs: usedAtMs };
        apiKeys.set(found.id, used);
        return Option.some(used);
      }),
    listApiKeys: (accountId) =>
      Effect.sync(() =>
        [...apiKeys.values()].filter((record) => record.accountId === accountId).sort(newestFirst)
      ),
    revokeApiKey: (id) => Effect.sync(() => apiKeys.delete(id))
  };
};

const removalsOf = (books: ReadonlyMap<string, Book>, webhooks: MemoryWebhooks, files: MemoryFiles) => {
  const deleteExtraction: (typeof Store.Service)["deleteExtraction"] = (accountId, id) =>
    Effect.suspend(() => {
      const book = books.get(accountId);
      if (book === undefined) return Effect.succeedNone;
      const remove = Effect.sync(() => {
        const gone = removeFrom(book, id);
        if (gone === undefined) return Option.none();
        webhooks.forgetExtraction(id);
        return Option.some(files.deleted(gone, extractionsOf(book)));
      });
      return book.lock.withPermit(remove);
    });
  return {
    deleteExtraction,
    removeExpired: Effect.fnUntraced(function* (query) {
      for (const book of books.values()) removeBatches(book, query);
      const removed = expiredOf(books.values(), query);
      for (const { accountId, extractionId } of removed) yield* deleteExtraction(accountId, extractionId);
      return removed.length < query.limit ? null : "";
    }),
    ...files.port
  } satisfies Partial<typeof Store.Service>;
};

const accountsIn = (
  books: Iterable<Book>,
  { after, limit, text }: Parameters<(typeof Store.Service)["listAccounts"]>[0]
): ReadonlyArray<Account> =>
  [...books]
    .map(({ account }) => account)
    .filter(isPast(after))
    .filter(({ id, name }) => text === null || id === text || name.toLowerCase().includes(text.toLowerCase()))
    .sort(newestFirst)
    .slice(0, limit);

const makeKeepSecret = (): (typeof Store.Service)["keepSecret"] => {
  const secrets = new Map<string, string>();
  return (name, fresh) =>
    Effect.sync(() => {
      const secret = secrets.get(name) ?? fresh;
      secrets.set(name, secret);
      return secret;
    });
};

const make = Effect.gen(function* () {
  const queue = yield* JobQueue;
  const plans = yield* Plans;
  const books = new Map<string, Book>();
  const webhooks = makeMemoryWebhooks((accountId) => books.has(accountId));
  const rowOf = (id: string) => [...books.values()].flatMap(({ rows }) => rows.get(id) ?? [])[0];
  const files = makeMemoryFiles((id) => rowOf(id)?.extraction);

  const bookOf: BookOf = (accountId) =>
    Effect.suspend(() => {
      const book = books.get(accountId);
      return book === undefined ? Effect.fail(NotFound.of("account")) : Effect.succeed(book);
    });

  const store = Store.of({
    transact: makeTransact({ queue, webhooks, plans, payments: openPayments(), files }, bookOf),
    getExtraction: (accountId, id) =>
      Effect.sync(() => Option.fromUndefinedOr(books.get(accountId)?.rows.get(id)?.extraction)),
    listExtractions: (accountId, { after, limit }) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        if (book === undefined) return [];
        return extractionsOf(book).filter(isPast(after)).sort(newestFirst).slice(0, limit);
      }),
    searchExtractions: (accountId, page) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        return book === undefined ? { extractions: [], searchedTo: null } : searchIn(book, page);
      }),
    listUsage: (accountId, sinceDay) => Effect.sync(() => usageIn(books.get(accountId), sinceDay, byKey)),
    listSchemaUsage: (accountId, sinceDay) =>
      Effect.sync(() => usageIn(books.get(accountId), sinceDay, ({ schemaId }) => ({ schemaId }))),
    listPartUsage: (accountId, sinceDay) => Effect.sync(() => partUsageIn(books.get(accountId), sinceDay)),
    findReusable: (accountId, cacheKey, sinceMs) =>
      Effect.sync(() => {
        const book = books.get(accountId);
        return Option.fromUndefinedOr(book && newestReusable(book, cacheKey, sinceMs));
      }),
    getIdempotency: (accountId, key) =>
      Effect.sync(() => Option.fromNullOr(recordOf(books.get(accountId), key))),
    createAccount: (account) =>
      Effect.suspend(() => {
        if (books.has(account.id)) return Effect.die(new Error("MemoryStore: account id already exists"));
        books.set(account.id, openBook(account));
        return Effect.void;
      }),
    listAccounts: (page) => Effect.sync(() => accountsIn(books.values(), page)),
    getAccount: (id) => Effect.sync(() => Option.fromUndefinedOr(books.get(id)?.account)),
    getActivity: (id) => Effect.sync(() => Option.map(Option.fromUndefinedOr(books.get(id)), activityOf)),
    listLedger: (accountId, page) => Effect.sync(() => ledgerIn(books.get(accountId), page)),
    ...apiKeysOf(bookOf),
    ...batchesOf(books),
    ...liveOf(books),
    ...removalsOf(books, webhooks, files),
    keepSecret: makeKeepSecret(),
    ping: Effect.void
  });

  return Context.make(Store, store).pipe(
    Context.add(WebhookEndpoints, webhooks.endpoints),
    Context.add(WebhookOutbox, webhooks.outbox)
  );
});

/** With the webhook ports, which share its data. */
export const layer: Layer.Layer<Store | WebhookEndpoints | WebhookOutbox, never, JobQueue> =
  Layer.effectContext(make);
