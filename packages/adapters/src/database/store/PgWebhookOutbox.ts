/**
 * Webhook deliveries on PostgreSQL, in the database of the store. A claim is one statement; attempts that end together
 * are recorded by one. Tests: PgWebhooks.test.ts.
 */
import {
  afterAttempt,
  DELIVERY_ATTEMPTS_MAX,
  DeliveryAttempt,
  DeliverySummary,
  ENDPOINT_DISABLED,
  freshSchedule,
  WebhookDelivery
} from "@winnow/core/domain/webhook/WebhookDelivery";
import { FAILING_MS_MAX, WebhookEndpoint } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { WebhookOutbox, type ClaimedDelivery, type OutboxDepth } from "@winnow/core/ports/WebhookOutbox";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { AccountTransactions } from "./AccountTransactions.ts";
import type { DocumentRow } from "./Documents.ts";
import { insertDeliveries } from "./insertDeliveries.ts";
import { jsonOf, Values } from "./StatementValues.ts";
import { orUnavailable } from "./StorageFault.ts";
import { makeWriteBatches } from "./WriteBatches.ts";

const readDelivery = Schema.decodeUnknownSync(WebhookDelivery);

const readSummary = Schema.decodeUnknownSync(DeliverySummary);

const readClaimed: (document: unknown) => ClaimedDelivery = Schema.decodeUnknownSync(
  Schema.Struct({
    delivery: WebhookDelivery,
    claim: Schema.Int,
    signer: Schema.NullOr(WebhookEndpoint)
  })
);

const readDetails = Schema.decodeUnknownSync(
  Schema.Struct({ delivery: WebhookDelivery, attempts: Schema.Array(DeliveryAttempt) })
);

/**
 * Takes the first due deliveries of each receiver with pending ones, so that a long backlog of one, even of one at its
 * limit, is not read. `turn` counts what is in flight to the receiver or of the account, and this delivery.
 */
export const CLAIM_DUE = `with recursive in_flight as (
    select f."accountId" as account_id, f.receiver
    from json_to_recordset($3::json) as f ("accountId" text, receiver text)
  ), busy_receiver as (
    select f.receiver, count(*) as attempts from in_flight f group by 1
  ), busy_account as (
    select f.account_id, count(*) as attempts from in_flight f group by 1
  ), waiting as (
    -- The first delivery of each receiver: from one receiver to the next in the index.
    (select d.receiver, d.due_at_ms from winnow.webhook_delivery d where d.status = 'pending'
      order by d.receiver, d.due_at_ms limit 1)
    union all
    select n.receiver, n.due_at_ms from waiting w cross join lateral (
      select d.receiver, d.due_at_ms from winnow.webhook_delivery d
      where d.status = 'pending' and d.receiver > w.receiver order by d.receiver, d.due_at_ms limit 1) n
  ), of_receiver as (
    select n.id, n.account_id, n.due_at_ms, coalesce(b.attempts, 0)
      + row_number() over (partition by w.receiver order by n.due_at_ms, n.id) as turn
    from waiting w left join busy_receiver b using (receiver) cross join lateral (
      select d.id, d.account_id, d.due_at_ms from winnow.webhook_delivery d
      where d.status = 'pending' and d.receiver = w.receiver and d.due_at_ms <= $1::bigint
      order by d.due_at_ms, d.id limit greatest(0, $4::integer - coalesce(b.attempts, 0))) n
    where w.due_at_ms <= $1::bigint
  ), of_account as (
    select o.id, o.due_at_ms, coalesce(b.attempts, 0)
      + row_number() over (partition by o.account_id order by o.turn, o.due_at_ms, o.id) as turn
    from of_receiver o left join busy_account b using (account_id)
  ), chosen as (
    select o.id from of_account o where o.turn <= $5::integer order by o.turn, o.due_at_ms, o.id limit $6::integer
  ), taken as materialized (
    select d.id from winnow.webhook_delivery d where d.id in (select c.id from chosen c)
      and d.status = 'pending' and d.due_at_ms <= $1::bigint for update skip locked
  )
  update winnow.webhook_delivery d set claim = d.claim + 1, due_at_ms = $1::bigint + $2::bigint
  from taken t where d.id = t.id
  returning json_build_object(
    'delivery', winnow.webhook_delivery_json(d, d.body),
    'claim', d.claim,
    'signer', case when d.endpoint_id is null
      then (select winnow.webhook_endpoint_json(w) from winnow.webhook_endpoint w
        where w.account_id = d.account_id order by w.position limit 1)
      else (select winnow.webhook_endpoint_json(w) from winnow.webhook_endpoint w
        where w.id = d.endpoint_id) end) as document`;

const RECORD_ATTEMPTS = "select id, claim, renewed from winnow.record_webhook_attempts($1::json, $2)";

/** An attempt that counts; `renewed`: its delivery was made due again while it was in flight. */
interface RecordedAttempt {
  readonly id: string;
  readonly claim: number;
  readonly renewed: boolean;
}

interface Ended {
  readonly delivery: WebhookDelivery;
  readonly claim: number;
  readonly attempt: DeliveryAttempt;
  readonly nowMs: number;
}

const afterOf = ({ delivery, attempt, nowMs }: Ended, renewed: boolean): WebhookDelivery =>
  afterAttempt(renewed ? { ...delivery, ...freshSchedule(nowMs) } : delivery, attempt, nowMs);

const parameterOf = (ended: Ended): object => {
  const { claim, attempt, nowMs } = ended;
  const { id, status, attemptsLeft, nextAttemptAtMs } = afterOf(ended, false);
  const renewed = afterOf(ended, true);
  return {
    id,
    claim,
    at_ms: attempt.atMs,
    headers: attempt.requestHeaders,
    answer: attempt.status,
    // Untrusted text is JSON within JSON, so that any character passes, including NUL and unpaired surrogates.
    error: jsonOf(attempt.error),
    duration_ms: attempt.durationMs,
    snippet: jsonOf(attempt.responseSnippet),
    status,
    attempts_left: attemptsLeft,
    next_attempt_at_ms: nextAttemptAtMs,
    renewed_status: renewed.status,
    renewed_attempts_left: renewed.attemptsLeft,
    renewed_next_attempt_at_ms: renewed.nextAttemptAtMs,
    now_ms: nowMs,
    give_up_before_ms: nowMs - FAILING_MS_MAX
  };
};

/** Null for an attempt whose claim was lost. */
const recordAll = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (ended: ReadonlyArray<Ended>) {
    const parameters = JSON.stringify(ended.map(parameterOf));
    const rows = yield* sql.unsafe<RecordedAttempt>(RECORD_ATTEMPTS, [parameters, ENDPOINT_DISABLED]);
    const renewed = new Map(rows.map((row) => [`${row.id} ${row.claim}`, row.renewed]));
    return ended.map((one) => {
      const isRenewed = renewed.get(`${one.delivery.id} ${one.claim}`);
      return isRenewed === undefined ? null : afterOf(one, isRenewed);
    });
  });

const makeClaims = (
  sql: SqlClient.SqlClient,
  record: (ended: Ended) => Effect.Effect<WebhookDelivery | null, SqlError>
) =>
  ({
    recordAttempt: Effect.fn("PgWebhookOutbox.recordAttempt")(
      ({ delivery, claim }, attempt, nowMs) => record({ delivery, claim, attempt, nowMs }),
      orUnavailable
    ),
    claimDue: Effect.fn("PgWebhookOutbox.claimDue")(function* (query) {
      const rows = yield* sql.unsafe<DocumentRow>(CLAIM_DUE, [
        String(query.nowMs),
        String(query.leaseMs),
        JSON.stringify(query.inFlight),
        query.receiverMax,
        query.accountMax,
        query.limit
      ]);
      return rows.map(({ document }) => readClaimed(document));
    }, orUnavailable),
    release: Effect.fn("PgWebhookOutbox.release")(function* (claims) {
      for (const { delivery, claim } of claims) {
        yield* sql`update winnow.webhook_delivery set due_at_ms = next_attempt_at_ms
          where id = ${delivery.id} and claim = ${claim} and status = 'pending'`;
      }
    }, orUnavailable)
  }) satisfies Partial<WebhookOutbox["Service"]>;

/** Deliveries made due per statement; an outage may leave any number. */
const REDELIVERED_MAX = 500;

const makeRedeliveries = (sql: SqlClient.SqlClient, transactions: AccountTransactions["Service"]) => {
  /** Makes deliveries due again; its rows are those that changed. */
  const again = (accountId: string, ids: ReadonlyArray<string>, nowMs: number) =>
    sql`winnow.redeliver_webhooks(${accountId},
      array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)),
      ${String(nowMs)}::bigint, ${DELIVERY_ATTEMPTS_MAX}) d`;

  /** Why a delivery was not made due. */
  const whyNot = Effect.fnUntraced(function* (accountId: string, id: string) {
    const [row] = yield* sql<{ readonly disabled: boolean }>`
      select d.body is not null and w.disabled_at_ms is not null as disabled
      from winnow.webhook_delivery d left join winnow.webhook_endpoint w on w.id = d.endpoint_id
      where d.id = ${id} and d.account_id = ${accountId}`;
    if (row === undefined) return { _tag: "gone" as const };
    return row.disabled ? { _tag: "disabled" as const } : { _tag: "unsendable" as const };
  });

  return {
    redeliver: Effect.fn("PgWebhookOutbox.redeliver")(function* (accountId, id, nowMs) {
      const [row] = yield* transactions.run(
        accountId,
        sql<DocumentRow>`select winnow.webhook_delivery_json(d, d.body) as document
          from ${again(accountId, [id], nowMs)}`
      );
      if (row === undefined) return yield* whyNot(accountId, id);
      return { _tag: "pending" as const, delivery: readDelivery(row.document) };
    }, orUnavailable),
    redeliverFailed: Effect.fn("PgWebhookOutbox.redeliverFailed")(function* (accountId, sinceMs, nowMs) {
      let after = { createdAtMs: String(sinceMs), id: "" };
      for (let count = 0; ;) {
        // Not `=`, for the reason given in `list`.
        const failed = yield* sql<typeof after>`select d.created_at_ms::text as "createdAtMs", d.id
          from winnow.webhook_delivery d
          where d.account_id = any(array[${accountId}]::text[]) and d.status = 'failed'
            and (d.created_at_ms, d.id) > (${after.createdAtMs}::bigint, ${after.id})
          order by d.account_id desc, d.created_at_ms, d.id limit ${REDELIVERED_MAX}`;
        const ids = failed.map(({ id }) => id);
        const [made] = yield* transactions.run(
          accountId,
          sql<{ readonly count: number }>`
            select count(*)::integer as count from ${again(accountId, ids, nowMs)}`
        );
        count += made?.count ?? 0;
        after = failed.at(-1) ?? after;
        if (failed.length < REDELIVERED_MAX) return count;
      }
    }, orUnavailable)
  } satisfies Partial<WebhookOutbox["Service"]>;
};

const makeLog = (sql: SqlClient.SqlClient) =>
  ({
    insert: Effect.fn("PgWebhookOutbox.insert")(function* (delivery) {
      const values = new Values();
      const text = insertDeliveries(values, [delivery]);
      yield* sql.unsafe(text, values.list);
    }, orUnavailable),
    list: Effect.fn("PgWebhookOutbox.list")(function* (accountId, { after, limit, status }) {
      const older =
        after === null
          ? sql.literal("")
          : sql`and (d.created_at_ms, d.id) < (${String(after.createdAtMs)}::bigint, ${after.id})`;
      // Not `=`: the index over all accounts would then provide the order too (see listLedger in PgStore).
      const ofStatus = status === null ? sql.literal("") : sql`and d.status = ${status}`;
      const rows = yield* sql<DocumentRow>`select winnow.webhook_delivery_json(d, null) as document
        from winnow.webhook_delivery d where d.account_id = any(array[${accountId}]::text[]) ${ofStatus} ${older}
        order by d.account_id, d.created_at_ms desc, d.id desc limit ${limit}`;
      return rows.map(({ document }) => readSummary(document));
    }, orUnavailable),
    get: Effect.fn("PgWebhookOutbox.get")(function* (accountId, id) {
      const [row] = yield* sql<DocumentRow>`select json_build_object(
          'delivery', winnow.webhook_delivery_json(d, d.body), 'attempts', winnow.webhook_attempts_json(d.id)) as document
        from winnow.webhook_delivery d where d.id = ${id} and d.account_id = ${accountId}`;
      return Option.map(Option.fromUndefinedOr(row), ({ document }) => readDetails(document));
    }, orUnavailable),
    removeOld: Effect.fn("PgWebhookOutbox.removeOld")(function* (createdBeforeMs, limit) {
      // Locked rows are skipped until next time, because their locks are taken in another order.
      const removed = yield* sql`with old as materialized (
          select o.id from winnow.webhook_delivery o where o.created_at_ms < ${String(createdBeforeMs)}::bigint
          order by o.created_at_ms limit ${limit} for update skip locked)
        delete from winnow.webhook_delivery d using old where d.id = old.id returning d.id`;
      return removed.length;
    }, orUnavailable),
    depth: Effect.fn("PgWebhookOutbox.depth")(function* (nowMs) {
      const [row] = yield* sql<OutboxDepth>`select count(*)::integer as pending,
          greatest(0, ${String(nowMs)}::bigint - min(d.due_at_ms))::float8 / 1000 as "oldestDueSeconds"
        from winnow.webhook_delivery d where d.status = 'pending'`;
      return { pending: row?.pending ?? 0, oldestDueSeconds: row?.oldestDueSeconds ?? 0 };
    }, orUnavailable)
  }) satisfies Partial<WebhookOutbox["Service"]>;

/** Needs a migrated database (Migrations). */
export const layer: Layer.Layer<WebhookOutbox, never, SqlClient.SqlClient | AccountTransactions> =
  Layer.effect(
    WebhookOutbox,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const record = yield* makeWriteBatches(recordAll(sql));
      return WebhookOutbox.of({
        ...makeLog(sql),
        ...makeClaims(sql, record),
        ...makeRedeliveries(sql, yield* AccountTransactions)
      });
    })
  );
