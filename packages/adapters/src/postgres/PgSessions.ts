/**
 * Sign-in links and web sessions on PostgreSQL.
 *
 * A link is used up by deleting its row, in the statement that opens the session: of many at once one finds
 * it. What is over is swept by whoever adds a row of the same account.
 */
import { Session } from "@winnow/core/domain/Session";
import { LISTED_SESSIONS_MAX, Sessions } from "@winnow/core/ports/Sessions";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import type { DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

const readSession = Schema.decodeUnknownSync(Session);

const first = (rows: ReadonlyArray<DocumentRow>) =>
  Option.map(Option.fromUndefinedOr(rows[0]), ({ document }) => readSession(document));

/** Times go in as text: the driver would take a number of this size for a smaller type. */
const ms = (timeMs: number): string => String(timeMs);

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;

  return Sessions.of({
    createLink: Effect.fn("PgSessions.createLink")(function* (link) {
      yield* sql`with swept as (
          delete from winnow.sign_in_link
          where account_id = ${link.accountId} and expires_at_ms <= ${ms(link.createdAtMs)}::bigint)
        insert into winnow.sign_in_link (hash, account_id, created_at_ms, expires_at_ms)
        values (${link.hash}, ${link.accountId}, ${ms(link.createdAtMs)}::bigint,
          ${ms(link.expiresAtMs)}::bigint)`;
    }, orUnavailable),

    redeemLink: Effect.fn("PgSessions.redeemLink")(function* (linkHash, session) {
      const nowMs = ms(session.createdAtMs);
      return first(
        yield* sql<DocumentRow>`with link as (
            delete from winnow.sign_in_link
            where hash = ${linkHash} and expires_at_ms > ${nowMs}::bigint returning account_id),
          swept as (
            delete from winnow.web_session s using link
            where s.account_id = link.account_id and s.expires_at_ms <= ${nowMs}::bigint),
          opened as (
            insert into winnow.web_session (id, account_id, hash, user_agent, created_at_ms, expires_at_ms)
            select ${session.id}, link.account_id, ${session.hash}, ${session.userAgent}, ${nowMs}::bigint,
              ${ms(session.expiresAtMs)}::bigint from link
            returning *)
          select winnow.web_session_json(o::winnow.web_session) as document from opened o`
      );
    }, orUnavailable),

    findSession: Effect.fn("PgSessions.findSession")(function* (hash, nowMs) {
      return first(
        yield* sql<DocumentRow>`select winnow.web_session_json(s) as document from winnow.web_session s
          where s.hash = ${hash} and s.expires_at_ms > ${ms(nowMs)}::bigint`
      );
    }, orUnavailable),

    listSessions: Effect.fn("PgSessions.listSessions")(function* (accountId, nowMs) {
      const rows = yield* sql<DocumentRow>`select winnow.web_session_json(s) as document
        from winnow.web_session s where s.account_id = ${accountId} and s.expires_at_ms > ${ms(nowMs)}::bigint
        order by s.created_at_ms desc, s.id desc limit ${LISTED_SESSIONS_MAX}`;
      return rows.map(({ document }) => readSession(document));
    }, orUnavailable),

    revokeSession: Effect.fn("PgSessions.revokeSession")(function* (id) {
      yield* sql`delete from winnow.web_session where id = ${id}`;
    }, orUnavailable),

    revokeAll: Effect.fn("PgSessions.revokeAll")(function* (accountId) {
      // Two statements: the second sees the session of a link that was just being redeemed.
      yield* sql`delete from winnow.sign_in_link where account_id = ${accountId}`;
      yield* sql`delete from winnow.web_session where account_id = ${accountId}`;
    }, orUnavailable)
  });
});

/** Needs a migrated database (Migrations). */
export const layer: Layer.Layer<Sessions, never, SqlClient.SqlClient> = Layer.effect(Sessions, make);
