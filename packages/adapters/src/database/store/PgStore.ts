/**
 * The Store on PostgreSQL.
 *
 * A decision is one transaction of five round trips: BEGIN, lock and view, one statement that writes (more for
 * a batch), the jobs, COMMIT. Every decision locks the account's row before reading anything else, so decisions are
 * serial per account and cannot deadlock. Transactions without writes are rolled back, which avoids a disk flush.
 * Before you add a round trip or a query: bench/submit.ts, bench/waiting.ts, bench/rows.ts.
 */
import {
  WAITING_LOADED_MAX,
  type AccountView,
  type Changes,
  type Decider,
  type Decision,
  type Needs,
  type RunJob
} from "@winnow/core/domain/run/Decision";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import type { FailureReason } from "@winnow/core/domain/source/Failed";
import { UNKNOWN_FACTS } from "@winnow/core/domain/source/SourceFacts";
import { LAST_USE_INTERVAL_MS } from "@winnow/core/domain/access/ApiKey";
import { NO_USAGE, type UsageCount } from "@winnow/core/domain/run/Usage";
import { NotFound } from "@winnow/core/domain/request/Refusal";
import { planOf } from "@winnow/core/domain/money/Plan";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { Plans } from "@winnow/core/ports/Plans";
import { Store, type LiveCount, type StalledRun } from "@winnow/core/ports/Store";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import * as SqlClient from "effect/sql/SqlClient";
import { AccountTransactions } from "./AccountTransactions.ts";
import { changesStatements } from "./ChangesStatement.ts";
import {
  readAccount,
  readApiKey,
  readExtraction,
  readIdempotency,
  readLedgerEntry,
  readPayment,
  readView,
  type DocumentRow
} from "./Documents.ts";
import { makeBatches } from "./PgBatches.ts";
import { makeCorrections } from "./PgCorrections.ts";
import { makeLists, USAGE_SUMS } from "./PgLists.ts";
import { makeRemovals } from "./PgRemovals.ts";
import { jsonOf } from "./StatementValues.ts";
import { orUnavailable } from "./StorageFault.ts";

/** A PostgreSQL array of ids, which have no quotes. */
const arrayOf = (ids: ReadonlyArray<string>): string => `{${ids.join(",")}}`;

/** Ends a transaction that has nothing to write. */
class RolledBack<A, E> {
  readonly _tag = "RolledBack";
  readonly result: Result.Result<Decision<A>, E>;
  constructor(result: Result.Result<Decision<A>, E>) {
    this.result = result;
  }
}

/** The form of ledger ids; other values cannot exist, and bigint would reject them. */
const LEDGER_ID = /^[1-9]\d{0,17}$/u;

// Statement texts of every request, built once.
const FIND_API_KEY = `select winnow.api_key_json(k) as document
  from winnow.api_key k where k.hash = $1 and k.revoked_at is null`;
const GET_EXTRACTION = `select winnow.extraction_json(e) as document
  from winnow.extraction e where e.id = $1 and e.account_id = $2`;
const USED_BY_KEY = `select ${USAGE_SUMS}
  from winnow.usage_day u where u.account_id = $1 and u.api_key_id = $2 and u.day = $3::date group by u.day`;
const USE_API_KEY = `update winnow.api_key k set last_used_at_ms = $2::bigint
  where k.hash = $1 and k.revoked_at is null and coalesce(k.last_used_at_ms, 0) <= $2::bigint - ${LAST_USE_INTERVAL_MS}`;
// Waits for a concurrent transaction of another account with the same payment. Rolled back if nothing is written.
const CLAIM_PAYMENT = `insert into winnow.payment (account_id, id, document) values ($1, $2, 'null')
  on conflict (id) do nothing`;
const PAYMENT = "select document from winnow.payment where id = $1";
/** PostgreSQL rejects NUL, so nothing that is stored has it. */
const isStorable = (text: string): boolean => !text.includes("\0");

const LOCK_VIEW = "select winnow.lock_view($1, $2, $3, $4, $5, $6::text[], $7) as document";

const FIND_UNTAKEN = `select u.account_id as "accountId", u.id as "extractionId"
  from winnow.untaken($1::bigint, $2::json, $3, $4) u`;

const isEmpty = (changes: Changes): boolean =>
  changes.account === null &&
  changes.idempotency === null &&
  changes.payment === null &&
  changes.batch === null &&
  [changes.ledger, changes.inserted, changes.updated, changes.jobs, changes.deliveries].every(
    (list) => list.length === 0
  );

const makeTransact = (
  sql: SqlClient.SqlClient,
  transactions: AccountTransactions["Service"],
  enqueue: JobQueue["Service"]["enqueue"],
  plans: (typeof Plans)["Service"]
): Store["Service"]["transact"] => {
  const apply = Effect.fnUntraced(function* (view: AccountView, changes: Changes) {
    for (const statement of changesStatements(view, changes, yield* Clock.currentTimeMillis)) {
      const [written] = yield* sql.unsafe<{ readonly rows: number }>(statement.text, statement.values);
      if (written?.rows !== statement.rows) {
        return yield* Effect.die(new Error("A decision changed a row that does not exist"));
      }
    }
    for (const job of changes.jobs) yield* enqueue(job);
  });

  /** A separate round trip, only for keys with a daily limit. */
  const usedBy = Effect.fnUntraced(function* (
    accountId: string,
    { apiKeyId, day }: NonNullable<Needs["usage"]>
  ) {
    const [row] = yield* sql.unsafe<UsageCount>(USED_BY_KEY, [accountId, apiKeyId, day]);
    return row ?? NO_USAGE;
  });

  /** Two more round trips, only for payment notices. */
  const paymentOf = Effect.fnUntraced(function* (accountId: string, id: string) {
    yield* sql.unsafe(CLAIM_PAYMENT, [accountId, id]);
    const [row] = yield* sql.unsafe<DocumentRow>(PAYMENT, [id]);
    return readPayment(row?.document ?? null);
  });

  const attempt = Effect.fnUntraced(function* <A, E>(accountId: string, { needs, decide }: Decider<A, E>) {
    const {
      extractionId = null,
      idempotencyKey = null,
      paymentId = null,
      usage = null,
      batchId = null
    } = needs;
    const { extractionIds = [], batchItemsWaiting = false } = needs;
    const [row] = yield* sql.unsafe<DocumentRow>(LOCK_VIEW, [
      accountId,
      extractionId,
      idempotencyKey,
      WAITING_LOADED_MAX,
      batchId,
      arrayOf(extractionIds),
      batchItemsWaiting
    ]);
    const locked = readView(row?.document);
    const rollBack = (result: Result.Result<Decision<A>, E | NotFound>) =>
      Effect.fail(new RolledBack(result));
    if (locked === null) return yield* rollBack(Result.fail(NotFound.of("account")));
    const view = {
      ...locked,
      payment: paymentId === null ? null : yield* paymentOf(accountId, paymentId),
      plan: planOf(plans.book(), locked.account, yield* Clock.currentTimeMillis),
      usedByKey: usage === null ? null : yield* usedBy(accountId, usage)
    };
    const decided = decide(view);
    if (Result.isFailure(decided)) return yield* rollBack(Result.fail(decided.failure));
    const decision = decided.success;
    if (isEmpty(decision.changes)) return yield* rollBack(Result.succeed(decision));
    yield* apply(view, decision.changes);
    return decision;
  });

  return <A, E>(accountId: string, decider: Decider<A, E>) =>
    isStorable(accountId)
      ? transactions.run(accountId, attempt(accountId, decider)).pipe(
          orUnavailable,
          Effect.catch((ended) => Effect.fromResult(ended.result))
        )
      : Effect.fail(NotFound.of("account"));
};

const makeExtractionReads = (sql: SqlClient.SqlClient) => {
  const read = (rows: ReadonlyArray<DocumentRow>): ReadonlyArray<Extraction> =>
    rows.map(({ document }) => readExtraction(document));
  const first = (rows: ReadonlyArray<DocumentRow>) => Option.fromUndefinedOr(read(rows)[0]);

  return {
    getExtraction: Effect.fn("PgStore.getExtraction")(function* (accountId, id) {
      return first(yield* sql.unsafe<DocumentRow>(GET_EXTRACTION, [id, accountId]));
    }, orUnavailable),
    findReusable: Effect.fn("PgStore.findReusable")(function* (accountId, cacheKey, sinceMs) {
      return first(
        // Two queries, because each has a partial index that ends it at the first row.
        yield* sql<DocumentRow>`select found.document from (
          (select winnow.extraction_json(e) as document, e.completed_at_ms as made_at_ms from winnow.extraction e
            where e.account_id = ${accountId} and e.cache_key = ${cacheKey} and e.status = 'complete'
              and e.cached_from is null and e.completed_at_ms >= ${String(sinceMs)}::bigint
            order by e.completed_at_ms desc limit 1)
          union all
          (select winnow.extraction_json(e), e.made_at_ms from winnow.extraction e
            where e.account_id = ${accountId} and e.cache_key = ${cacheKey} and e.status = 'complete'
              and e.made_at_ms is not null and e.made_at_ms >= ${String(sinceMs)}::bigint
            order by e.made_at_ms desc limit 1)) found
          order by found.made_at_ms desc limit 1`
      );
    }, orUnavailable),
    findStalled: Effect.fn("PgStore.findStalled")(function* (query) {
      return yield* sql<StalledRun>`
        select e.account_id as "accountId", e.id as "extractionId", e.request ->> 'traceparent' as traceparent,
          e.status from winnow.extraction e
        where e.status in ('pending', 'running') and case e.status
          when 'pending' then e.moved_at_ms < ${String(query.pendingBeforeMs)}::bigint
          else coalesce(e.started_at_ms, 0) < ${String(query.startedBeforeMs)}::bigint end
        order by e.created_at_ms limit ${query.limit}`;
    }, orUnavailable),
    findUntaken: Effect.fn("PgStore.findUntaken")(function* ({ nowMs, retention, limit }) {
      const { defaultDays, daysByPlan } = retention;
      const parameters = [String(nowMs), JSON.stringify(daysByPlan), defaultDays, limit];
      return yield* sql.unsafe<Pick<RunJob, "accountId" | "extractionId">>(FIND_UNTAKEN, parameters);
    }, orUnavailable),
    // Skips from account to account along the index of waiting runs, however many each has.
    findWaitingAccounts: Effect.fn("PgStore.findWaitingAccounts")(function* ({ after, limit }) {
      const rows = yield* sql<{ readonly id: string }>`
        with recursive waiting (id) as (
          (select e.account_id from winnow.extraction e
            where e.status = 'queued' and e.turn is not null and e.account_id > ${after} order by e.account_id limit 1)
          union all
          select (select e.account_id from winnow.extraction e
            where e.status = 'queued' and e.turn is not null and e.account_id > w.id order by e.account_id limit 1)
          from waiting w where w.id is not null)
        select w.id from waiting w where w.id is not null limit ${limit}`;
      return rows.map(({ id }) => id);
    }, orUnavailable),
    // Two queries, because each reads a partial index completely.
    countLive: sql<LiveCount>`
      select e.status, coalesce(e.seen ->> 'kind', ${UNKNOWN_FACTS.kind}) as kind, count(*)::integer as count
      from winnow.extraction e where e.status = 'queued' and e.turn is not null group by 1, 2
      union all
      select e.status, coalesce(e.seen ->> 'kind', ${UNKNOWN_FACTS.kind}), count(*)::integer
      from winnow.extraction e where e.status in ('pending', 'running') group by 1, 2`.pipe(
      orUnavailable,
      Effect.withSpan("PgStore.countLive")
    ),
    countFailures: Effect.fn("PgStore.countFailures")(function* (sinceMs) {
      const rows = yield* sql<{ readonly reason: FailureReason; readonly count: number }>`
        select e.failure ->> 'reason' as reason, count(*)::integer as count from winnow.extraction e
        where e.status = 'failed' and e.completed_at_ms >= ${String(sinceMs)}::bigint group by 1`;
      return new Map(rows.map(({ reason, count }) => [reason, count]));
    }, orUnavailable)
  } satisfies Partial<Store["Service"]>;
};

const makeAccounts = (sql: SqlClient.SqlClient) =>
  ({
    createAccount: Effect.fn("PgStore.createAccount")(function* (account) {
      yield* sql`insert into winnow.account (id, name, balance, owed_credits, slots_used,
          bonus_granted, plan, limits, created_at_ms)
        values (${account.id}, ${account.name}, ${account.balance}, ${account.owedCredits}, ${account.slotsUsed},
          ${account.bonusGranted}, ${account.plan}, ${jsonOf(account.limits)}::json,
          ${account.createdAtMs})`;
    }, orUnavailable),
    listAccounts: Effect.fn("PgStore.listAccounts")(function* ({ after, limit, text }) {
      if (text !== null && !isStorable(text)) return [];
      const past =
        after === null
          ? sql.literal("")
          : sql`and (a.created_at_ms, a.id) < (${String(after.createdAtMs)}::bigint, ${after.id})`;
      const fits =
        text === null
          ? sql.literal("")
          : sql`and (a.id = ${text} or strpos(lower(a.name), lower(${text})) > 0)`;
      const rows = yield* sql<DocumentRow>`select winnow.account_json(a) as document from winnow.account a
        where true ${past} ${fits} order by a.created_at_ms desc, a.id desc limit ${limit}`;
      return rows.map(({ document }) => readAccount(document));
    }, orUnavailable),
    getAccount: Effect.fn("PgStore.getAccount")(function* (id) {
      if (!isStorable(id)) return Option.none();
      const [row] = yield* sql<DocumentRow>`
        select winnow.account_json(a) as document from winnow.account a where a.id = ${id}`;
      return Option.map(Option.fromUndefinedOr(row), ({ document }) => readAccount(document));
    }, orUnavailable),
    getActivity: Effect.fn("PgStore.getActivity")(function* (id) {
      const [row] = yield* sql<DocumentRow & { readonly queuedCount: number }>`
        select winnow.account_json(a) as document, (select count(*)::integer from winnow.extraction e
          where e.account_id = a.id and e.status = 'queued') as "queuedCount"
        from winnow.account a where a.id = ${id}`;
      return Option.map(Option.fromUndefinedOr(row), ({ document, queuedCount }) => ({
        account: readAccount(document),
        queuedCount
      }));
    }, orUnavailable),
    getIdempotency: Effect.fn("PgStore.getIdempotency")(function* (accountId, key) {
      const [row] = yield* sql<DocumentRow>`select winnow.idempotency_json(i) as document
        from winnow.find_idempotency(${accountId}, ${key}) i`;
      return Option.map(Option.fromUndefinedOr(row), ({ document }) => readIdempotency(document));
    }, orUnavailable),
    listLedger: Effect.fn("PgStore.listLedger")(function* (accountId, { before, limit }) {
      if (before !== null && !LEDGER_ID.test(before)) return [];
      // Not `=`: the primary key would then provide the order too, and to find the entries of an inactive account the
      // planner might scan it past those of all others.
      const olderThan = before === null ? sql.literal("") : sql`and l.id < ${before}::bigint`;
      const rows = yield* sql<DocumentRow & { readonly name: string | null }>`
        select winnow.ledger_json(l) as document, e.name
        from winnow.ledger l left join winnow.extraction e on e.id = l.extraction_id
        where l.account_id = any(array[${accountId}]::text[]) ${olderThan}
        order by l.account_id, l.id desc limit ${limit}`;
      return rows.map(({ document, name }) => readLedgerEntry(document, name));
    }, orUnavailable)
  }) satisfies Partial<Store["Service"]>;

const makeApiKeys = (sql: SqlClient.SqlClient) =>
  ({
    createApiKey: Effect.fn("PgStore.createApiKey")(function* (record) {
      const created = yield* orUnavailable(sql`
        insert into winnow.api_key (id, account_id, name, hash, start, daily_credits, last_used_at_ms, created_by, created_at_ms)
        select ${record.id}, a.id, ${record.name}, ${record.hash}, ${record.start}, ${record.dailyCredits}::bigint,
          ${record.lastUsedAtMs}::bigint, ${record.createdBy}, ${record.createdAtMs}
        from winnow.account a where a.id = ${record.accountId} returning id`);
      if (created.length === 0) return yield* NotFound.of("account");
    }),
    findApiKey: Effect.fn("PgStore.findApiKey")(function* (hash, usedAtMs) {
      if (usedAtMs !== undefined) yield* sql.unsafe(USE_API_KEY, [hash, String(usedAtMs)]);
      const [row] = yield* sql.unsafe<DocumentRow>(FIND_API_KEY, [hash]);
      return Option.map(Option.fromUndefinedOr(row), ({ document }) => readApiKey(document));
    }, orUnavailable),
    listApiKeys: Effect.fn("PgStore.listApiKeys")(function* (accountId) {
      const rows = yield* sql<DocumentRow>`select winnow.api_key_json(k) as document
        from winnow.api_key k where k.account_id = ${accountId} and k.revoked_at is null
        order by k.created_at_ms desc, k.id desc`;
      return rows.map(({ document }) => readApiKey(document));
    }, orUnavailable),
    revokeApiKey: Effect.fn("PgStore.revokeApiKey")(function* (id) {
      const revoked = yield* sql`update winnow.api_key set revoked_at = now()
        where id = ${id} and revoked_at is null returning id`;
      return revoked.length > 0;
    }, orUnavailable)
  }) satisfies Partial<Store["Service"]>;

/**
 * Requires a migrated database (Migrations) and a queue on the same database, so that jobs share the transaction.
 */
export const layer: Layer.Layer<Store, never, SqlClient.SqlClient | AccountTransactions | JobQueue> =
  Layer.effect(
    Store,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const transactions = yield* AccountTransactions;
      const queue = yield* JobQueue;
      // A queue that is not ours finds the transaction there.
      const enqueue = (job: RunJob) => Effect.provideService(queue.enqueue(job), SqlClient.SqlClient, sql);
      return Store.of({
        transact: makeTransact(sql, transactions, enqueue, yield* Plans),
        ...makeExtractionReads(sql),
        ...makeLists(sql),
        ...makeBatches(sql),
        ...makeCorrections(sql),
        ...makeAccounts(sql),
        ...makeApiKeys(sql),
        ...makeRemovals(sql, transactions),
        keepSecret: Effect.fn("PgStore.keepSecret")(function* (name, fresh) {
          // Two statements: the loser of a race reads what the winner wrote.
          yield* sql`insert into winnow.secret (name, value) values (${name}, ${fresh}) on conflict do nothing`;
          const [row] = yield* sql<{ value: string }>`select value from winnow.secret where name = ${name}`;
          return row?.value ?? fresh;
        }, orUnavailable),
        ping: Effect.asVoid(orUnavailable(sql`select 1`))
      });
    })
  );
