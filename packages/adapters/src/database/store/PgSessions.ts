/**
 * Sign-in links, members and web sessions on PostgreSQL.
 *
 * A link is consumed by deleting its row in the statement that opens the session, so that only one of several
 * concurrent requests succeeds. Expired rows are deleted when a row of the same account is added.
 */
import { INVITATIONS_SHOWN_MAX, Member, MEMBERS_MAX, type Identity } from "@winnow/core/domain/access/Member";
import { type NewSession, Session, SignInLink } from "@winnow/core/domain/access/Session";
import { LISTED_SESSIONS_MAX, Sessions } from "@winnow/core/ports/Sessions";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import { isSqlError } from "effect/sql/SqlError";
import type { DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

const readSession = Schema.decodeUnknownSync(Session);
const readLink = Schema.decodeUnknownSync(SignInLink);
const readMember = Schema.decodeUnknownSync(Member);

const firstOf = <A>(rows: ReadonlyArray<DocumentRow>, read: (document: unknown) => A) =>
  Option.map(Option.fromUndefinedOr(rows[0]), ({ document }) => read(document));

const first = (rows: ReadonlyArray<DocumentRow>) => firstOf(rows, readSession);

/** Times are passed as text, because the driver would choose a too small type. */
const ms = (timeMs: number): string => String(timeMs);

/** Another transaction made the same person a member first. */
const isTaken = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "UniqueViolation";

const memberDocument = "winnow.account_member_json(m) as document from winnow.account_member m";

const makeInvitations = Effect.map(SqlClient.SqlClient, (sql) => {
  const selected = sql.literal(`select ${memberDocument}`);

  return {
    invite: Effect.fn("PgSessions.invite")(function* (invitation: Member) {
      const { id, accountId, email, createdAtMs, expiresAtMs, invitedBy } = invitation;
      const member = yield* sql<DocumentRow>`${selected}
        where m.account_id = ${accountId} and m.email = ${email} and m.subject is not null limit 1`;
      if (member[0] !== undefined) return readMember(member[0].document);
      const [row] = yield* sql<DocumentRow>`with invited as (
          insert into winnow.account_member (id, account_id, email, created_at_ms, expires_at_ms, invited_by)
          values (${id}, ${accountId}, ${email}, ${ms(createdAtMs)}::bigint, ${String(expiresAtMs)}::bigint,
            ${invitedBy})
          on conflict (account_id, email) where subject is null
            do update set expires_at_ms = excluded.expires_at_ms
          returning *)
        select winnow.account_member_json(i::winnow.account_member) as document from invited i`;
      return readMember(row?.document);
    }, orUnavailable),

    listInvitations: Effect.fn("PgSessions.listInvitations")(function* (email: string, nowMs: number) {
      const rows = yield* sql<DocumentRow>`${selected}
        where m.email = ${email} and m.subject is null and m.expires_at_ms > ${ms(nowMs)}::bigint
        order by m.created_at_ms, m.id limit ${INVITATIONS_SHOWN_MAX}`;
      return rows.map(({ document }) => readMember(document));
    }, orUnavailable),

    accept: Effect.fn("PgSessions.accept")(function* (id: string, identity: Identity, nowMs: number) {
      const { issuer, subject, email } = identity;
      const accepting = sql`update winnow.account_member m
        set issuer = ${issuer}, subject = ${subject}, expires_at_ms = null
        where m.id = ${id} and m.email = ${email} and m.subject is null and m.expires_at_ms > ${ms(nowMs)}::bigint
          and not exists (select 1 from winnow.account_member o
            where o.issuer = ${issuer} and o.subject = ${subject})
        returning m.id`;
      const rows = yield* Effect.catchIf(accepting, isTaken, () => Effect.succeed([]));
      return rows.length > 0;
    }, orUnavailable)
  };
});

const makeMembers = Effect.map(SqlClient.SqlClient, (sql) => {
  const selected = sql.literal(`select ${memberDocument}`);

  return {
    addMember: Effect.fn("PgSessions.addMember")(function* (member: Member) {
      const { id, accountId, email, issuer, subject, createdAtMs } = member;
      yield* sql`insert into winnow.account_member (id, account_id, email, issuer, subject, created_at_ms)
        values (${id}, ${accountId}, ${email}, ${issuer}, ${subject}, ${ms(createdAtMs)}::bigint)
        on conflict do nothing`;
    }, orUnavailable),

    listMembers: Effect.fn("PgSessions.listMembers")(function* (accountId: string, nowMs: number) {
      const rows = yield* sql<DocumentRow>`${selected}
        where m.account_id = ${accountId}
          and (m.subject is not null or m.expires_at_ms > ${ms(nowMs)}::bigint)
        order by m.created_at_ms, m.id limit ${MEMBERS_MAX}`;
      return rows.map(({ document }) => readMember(document));
    }, orUnavailable),

    removeMember: Effect.fn("PgSessions.removeMember")(function* (accountId: string, id: string) {
      // Sessions are deleted with the row (on delete cascade).
      const rows = yield* sql`delete from winnow.account_member
        where account_id = ${accountId} and id = ${id} returning id`;
      return rows.length > 0;
    }, orUnavailable),

    findMember: Effect.fn("PgSessions.findMember")(function* ({ issuer, subject }: Identity) {
      const rows = yield* sql<DocumentRow>`${selected}
        where m.issuer = ${issuer} and m.subject = ${subject}`;
      return firstOf(rows, readMember);
    }, orUnavailable),

    admit: Effect.fn("PgSessions.admit")(function* ({ issuer, subject }: Identity, session: NewSession) {
      const nowMs = ms(session.createdAtMs);
      return first(
        yield* sql<DocumentRow>`with member as (
            select id, account_id from winnow.account_member
            where issuer = ${issuer} and subject = ${subject} for key share),
          swept as (
            delete from winnow.web_session s using member
            where s.account_id = member.account_id and s.expires_at_ms <= ${nowMs}::bigint),
          opened as (
            insert into winnow.web_session
              (id, account_id, hash, user_agent, created_at_ms, expires_at_ms, member_id, issuer, subject)
            select ${session.id}, member.account_id, ${session.hash}, ${session.userAgent}, ${nowMs}::bigint,
              ${ms(session.expiresAtMs)}::bigint, member.id, ${issuer}, ${subject} from member
            returning *)
          select winnow.web_session_json(o::winnow.web_session) as document from opened o`
      );
    }, orUnavailable)
  };
});

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;

  return Sessions.of({
    ...(yield* makeInvitations),
    ...(yield* makeMembers),
    createLink: Effect.fn("PgSessions.createLink")(function* (link) {
      yield* sql`with swept as (
          delete from winnow.sign_in_link
          where account_id = ${link.accountId} and expires_at_ms <= ${ms(link.createdAtMs)}::bigint)
        insert into winnow.sign_in_link (hash, account_id, created_at_ms, expires_at_ms)
        values (${link.hash}, ${link.accountId}, ${ms(link.createdAtMs)}::bigint,
          ${ms(link.expiresAtMs)}::bigint)`;
    }, orUnavailable),

    findLink: Effect.fn("PgSessions.findLink")(function* (linkHash, nowMs) {
      const rows = yield* sql<DocumentRow>`select json_build_object('hash', hash, 'accountId', account_id,
          'createdAtMs', created_at_ms, 'expiresAtMs', expires_at_ms) as document from winnow.sign_in_link
        where hash = ${linkHash} and expires_at_ms > ${ms(nowMs)}::bigint`;
      return firstOf(rows, readLink);
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
      // Two statements: the second sees the session of a link that was being redeemed concurrently.
      yield* sql`delete from winnow.sign_in_link where account_id = ${accountId}`;
      yield* sql`delete from winnow.web_session where account_id = ${accountId}`;
      yield* sql`update winnow.account set sign_outs = sign_outs + 1 where id = ${accountId}`;
    }, orUnavailable),

    revokedAllCount: Effect.fn("PgSessions.revokedAllCount")(function* (accountId) {
      const [row] = yield* sql<{ readonly count: number }>`select sign_outs as count
        from winnow.account where id = ${accountId}`;
      return row?.count ?? 0;
    }, orUnavailable)
  });
});

/** Needs a migrated database (Migrations). */
export const layer: Layer.Layer<Sessions, never, SqlClient.SqlClient> = Layer.effect(Sessions, make);
