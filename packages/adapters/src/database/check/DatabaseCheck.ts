/**
 * Checks the consistency of the database in one snapshot, and repairs counts. Money is checked but never changed:
 * the ledger is authoritative, and a wrong balance needs an investigation.
 */
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import { FOUND_MAX, type Inconsistency, type InconsistencyKind } from "./Inconsistency.ts";

/** Each query returns id and detail of what is wrong. */
const QUERIES: ReadonlyArray<readonly [InconsistencyKind, string]> = [
  [
    "balance",
    `select a.id, format('The balance is %s, but the sum of the ledger is %s.', a.balance, coalesce(l.total, 0)) as detail
      from winnow.account a
      left join (select account_id, sum(credits) as total from winnow.ledger group by account_id) l
        on l.account_id = a.id
      where a.balance <> coalesce(l.total, 0)`
  ],
  [
    "ledger",
    `select account_id as id, format('After ledger entry %s the balance was %s, but its entry says %s.',
        entry, total, balance_after) as detail
      from (select l.id as entry, l.account_id, l.balance_after,
        sum(l.credits) over (partition by l.account_id order by l.id) as total from winnow.ledger l) s
      where balance_after <> total`
  ],
  [
    "charge",
    `select e.id, format('It says %s debited and %s refunded; the ledger says %s and %s.', e.credits_debited,
        e.credits_refunded, coalesce(l.debited, 0), coalesce(l.refunded, 0)) as detail
      from winnow.extraction e
      left join (select extraction_id, -sum(credits) filter (where kind = 'debit') as debited,
          sum(credits) filter (where kind = 'refund') as refunded
        from winnow.ledger where kind in ('debit', 'refund') group by extraction_id) l on l.extraction_id = e.id
      where e.credits_debited <> coalesce(l.debited, 0) or e.credits_refunded <> coalesce(l.refunded, 0)`
  ],
  [
    "slots",
    `select a.id, format('It counts %s used slots, but its runs use %s.', a.slots_used, coalesce(r.runs, 0)) as detail
      from winnow.account a
      left join (select account_id, count(*) as runs from winnow.extraction
        where status in ('pending', 'running') group by account_id) r on r.account_id = a.id
      where a.slots_used <> coalesce(r.runs, 0)`
  ],
  [
    "waiting",
    `select a.id, format('It counts %s waiting runs, but there are %s.', a.waiting_count, coalesce(r.runs, 0)) as detail
      from winnow.account a
      left join (select account_id, count(*) as runs from winnow.extraction
        where status = 'queued' group by account_id) r on r.account_id = a.id
      where a.waiting_count <> coalesce(r.runs, 0)`
  ],
  [
    "ending",
    `select e.id, format('It is %s with%s result, with%s failure and with%s end time.', e.status,
        case when e.result is null then 'out' else '' end || ' a',
        case when e.failure is null then 'out' else '' end || ' a',
        case when e.completed_at_ms is null then 'out' else '' end || ' a') as detail
      from winnow.extraction e
      where (e.status = 'complete') <> (e.result is not null) or (e.status = 'failed') <> (e.failure is not null)
        or (e.status in ('complete', 'failed')) <> (e.completed_at_ms is not null)`
  ]
];

interface Found {
  readonly id: string;
  readonly detail: string;
}

/** Reads all rows of accounts, extractions and ledger, which takes minutes for a large database. Takes no locks. */
export const checkDatabase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const looking = Effect.gen(function* () {
    yield* sql`set transaction isolation level repeatable read, read only`;
    const found: Array<Inconsistency> = [];
    for (const [kind, query] of QUERIES) {
      const rows = yield* sql.unsafe<Found>(`${query} order by 1 limit ${FOUND_MAX}`).unprepared;
      found.push(...rows.map(({ id, detail }) => ({ kind, id, detail })));
    }
    return found;
  });
  return yield* sql.withTransaction(looking);
});

/** Recounts an account's runs under its lock, as every decision does. */
export const repairCounts = (accountId: string) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.andThen(
        sql`select 1 from winnow.account a where a.id = ${accountId} for no key update`,
        sql`update winnow.account a set
          slots_used = (select count(*) from winnow.extraction e
            where e.account_id = a.id and e.status in ('pending', 'running')),
          waiting_count = (select count(*) from winnow.extraction e
            where e.account_id = a.id and e.status = 'queued')
          where a.id = ${accountId}`
      )
    )
  );
