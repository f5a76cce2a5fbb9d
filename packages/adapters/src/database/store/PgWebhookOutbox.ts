/**
 * Webhook deliveries on PostgreSQL, in the database of the store. A claim is one statement; the AttemptRecorder
 * writes results.
 */
import {
  ATTEMPTS_MAX,
  DeliveryAttempt,
  DeliverySummary,
  WebhookDelivery
} from "@winnow/core/domain/webhook/WebhookDelivery";
import { WebhookEndpoint } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { WebhookOutbox, type ClaimedDelivery, type OutboxDepth } from "@winnow/core/ports/WebhookOutbox";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import { AccountTransactions } from "./AccountTransactions.ts";
import { makeAttemptRecorder } from "./AttemptRecorder.ts";
import { insertDeliveries } from "./StatementValues.ts";
import type { DocumentRow } from "./Documents.ts";
import { Values } from "./StatementValues.ts";
import { orUnavailable } from "./StorageFault.ts";

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

const CLAIM_DUE = `select winnow.claim_webhook_deliveries(
  $1, $2::bigint, $3::bigint, $4, array(select json_array_elements_text($5::json)), $6,
  array(select json_array_elements_text($7::json)), $8) as document`;

/** A receiver is queued with its first waiting delivery. */
const IS_DUE = `select exists (select 1 from winnow.webhook_receiver r
    where r.slow = false and r.turn_at_ms <= $1::bigint)
  or exists (select 1 from winnow.webhook_receiver r where r.slow = true and r.turn_at_ms <= $1::bigint) as due`;

const makeClaims = (sql: SqlClient.SqlClient, recordAttempt: WebhookOutbox["Service"]["recordAttempt"]) =>
  ({
    recordAttempt,
    claimDue: Effect.fn("PgWebhookOutbox.claimDue")(function* (query) {
      const rows = yield* sql.unsafe<DocumentRow>(CLAIM_DUE, [
        query.slow,
        String(query.nowMs),
        String(query.leaseMs),
        query.limit,
        JSON.stringify(query.busyReceivers),
        query.receiverMax,
        JSON.stringify(query.busyAccounts),
        query.accountMax
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
      ${String(nowMs)}::bigint, ${ATTEMPTS_MAX}) d`;

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
    isDue: Effect.fn("PgWebhookOutbox.isDue")(function* (nowMs) {
      const [row] = yield* sql.unsafe<{ readonly due: boolean }>(IS_DUE, [String(nowMs)]);
      return row?.due === true;
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
      const recordAttempt = yield* makeAttemptRecorder(sql);
      return WebhookOutbox.of({
        ...makeLog(sql),
        ...makeClaims(sql, recordAttempt),
        ...makeRedeliveries(sql, yield* AccountTransactions)
      });
    })
  );
