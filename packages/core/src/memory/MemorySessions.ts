/**
 * Sign-in links, members and sessions within one process, lost when it ends.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { newestFirst } from "../domain/Cursor.ts";
import { isOf, MEMBERS_MAX, type Identity, type Member } from "../domain/Member.ts";
import type { NewSession, Session, SignInLink } from "../domain/Session.ts";
import { LISTED_SESSIONS_MAX, Sessions } from "../ports/Sessions.ts";

/** Deletes the entries that match. */
const drop = <Row>(rows: Map<string, Row>, fits: (row: Row) => boolean): void => {
  for (const [key, row] of rows) if (fits(row)) rows.delete(key);
};

/** Opens a session, and deletes expired ones. */
type Open = (session: NewSession, accountId: string, member: Session["member"]) => Session;

const makeMembers = (sessions: Map<string, Session>, open: Open) => {
  const members = new Map<string, Member>();

  /** The member with this identity, else one with this address who has not signed in yet. */
  const memberWith = ({ issuer, subject, email }: Member): Member | undefined =>
    [...members.values()].find((each) =>
      issuer === null || subject === null
        ? each.email === email && each.subject === null
        : isOf(each, { issuer, subject, email, name: null })
    );

  const addMember = (member: Member) =>
    Effect.sync(() => {
      const existing = memberWith(member);
      if (existing === undefined) members.set(member.id, member);
      return Option.filter(
        Option.some(existing ?? member),
        ({ accountId }) => accountId === member.accountId
      );
    });

  const listMembers = (accountId: string) =>
    Effect.sync(() =>
      [...members.values()]
        .filter((member) => member.accountId === accountId)
        .sort(newestFirst)
        .toReversed()
        .slice(0, MEMBERS_MAX)
    );

  const removeMember = (accountId: string, id: string) =>
    Effect.sync(() => {
      if (members.get(id)?.accountId !== accountId) return false;
      drop(sessions, ({ member }) => member?.id === id);
      return members.delete(id);
    });

  const admit = (identity: Identity, session: NewSession) =>
    Effect.sync(() => {
      const { issuer, subject, email } = identity;
      const all = [...members.values()];
      const member =
        all.find((each) => isOf(each, identity)) ??
        all.find((each) => email !== null && each.email === email && each.subject === null);
      if (member === undefined) return Option.none();
      members.set(member.id, { ...member, issuer, subject });
      return Option.some(open(session, member.accountId, { id: member.id, issuer, subject }));
    });

  return { addMember, listMembers, removeMember, admit };
};

const make = Effect.sync(() => {
  const links = new Map<string, SignInLink>();
  const sessions = new Map<string, Session>();

  const open: Open = (session, accountId, member) => {
    drop(sessions, ({ expiresAtMs }) => expiresAtMs <= session.createdAtMs);
    const opened = { ...session, accountId, member };
    sessions.set(session.hash, opened);
    return opened;
  };

  return Sessions.of({
    ...makeMembers(sessions, open),
    createLink: (link) =>
      Effect.sync(() => {
        drop(links, ({ expiresAtMs }) => expiresAtMs <= link.createdAtMs);
        links.set(link.hash, link);
      }),
    redeemLink: (linkHash, session) =>
      Effect.sync(() => {
        const link = links.get(linkHash);
        if (link === undefined || link.expiresAtMs <= session.createdAtMs) return Option.none();
        links.delete(linkHash);
        return Option.some(open(session, link.accountId, null));
      }),
    findSession: (hash, nowMs) =>
      Effect.sync(() =>
        Option.filter(Option.fromUndefinedOr(sessions.get(hash)), ({ expiresAtMs }) => expiresAtMs > nowMs)
      ),
    listSessions: (accountId, nowMs) =>
      Effect.sync(() =>
        [...sessions.values()]
          .filter((session) => session.accountId === accountId && session.expiresAtMs > nowMs)
          .sort(newestFirst)
          .slice(0, LISTED_SESSIONS_MAX)
      ),
    revokeSession: (id) => Effect.sync(() => drop(sessions, (session) => session.id === id)),
    revokeAll: (accountId) =>
      Effect.sync(() => {
        drop(links, (link) => link.accountId === accountId);
        drop(sessions, (session) => session.accountId === accountId);
      })
  });
});

export const layer: Layer.Layer<Sessions> = Layer.effect(Sessions, make);
