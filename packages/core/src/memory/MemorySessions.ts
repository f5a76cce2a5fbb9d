/** Sign-in links, members and sessions within one process, lost when it ends. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { newestFirst } from "../domain/request/Cursor.ts";
import {
  INVITATIONS_SHOWN_MAX,
  isOf,
  MEMBERS_MAX,
  type Identity,
  type Member
} from "../domain/access/Member.ts";
import type { NewSession, Session, SignInLink } from "../domain/access/Session.ts";
import { LISTED_SESSIONS_MAX, Sessions } from "../ports/Sessions.ts";

/** Deletes the entries that match. */
const drop = <Row>(rows: Map<string, Row>, fits: (row: Row) => boolean): void => {
  for (const [key, row] of rows) if (fits(row)) rows.delete(key);
};

/** Opens a session, and deletes expired ones. */
type Open = (session: NewSession, accountId: string, member: Session["member"]) => Session;

const isInvitation = ({ subject }: Member): boolean => subject === null;

const isLive = ({ expiresAtMs }: Member, nowMs: number): boolean =>
  expiresAtMs === null || expiresAtMs > nowMs;

const oldestFirst = (found: ReadonlyArray<Member>, limit: number): ReadonlyArray<Member> =>
  found.toSorted(newestFirst).toReversed().slice(0, limit);

const makeMembers = (sessions: Map<string, Session>, open: Open) => {
  const members = new Map<string, Member>();
  const all = () => [...members.values()];
  const memberOf = (identity: Identity) => all().find((each) => isOf(each, identity));

  return {
    invite: (invitation: Member) =>
      Effect.sync(() => {
        const { accountId, email, expiresAtMs } = invitation;
        const known = all().filter((each) => each.accountId === accountId && each.email === email);
        const existing = known.find((each) => !isInvitation(each)) ?? known[0] ?? invitation;
        const kept = isInvitation(existing) ? { ...existing, expiresAtMs } : existing;
        members.set(kept.id, kept);
        return kept;
      }),

    addMember: (member: Member) =>
      Effect.sync(() => {
        const { issuer, subject } = member;
        if (!all().some((each) => each.issuer === issuer && each.subject === subject)) {
          members.set(member.id, member);
        }
      }),

    listMembers: (accountId: string, nowMs: number) =>
      Effect.sync(() =>
        oldestFirst(
          all().filter((member) => member.accountId === accountId && isLive(member, nowMs)),
          MEMBERS_MAX
        )
      ),

    removeMember: (accountId: string, id: string) =>
      Effect.sync(() => {
        if (members.get(id)?.accountId !== accountId) return false;
        drop(sessions, ({ member }) => member?.id === id);
        return members.delete(id);
      }),

    findMember: (identity: Identity) => Effect.sync(() => Option.fromUndefinedOr(memberOf(identity))),

    listInvitations: (email: string, nowMs: number) =>
      Effect.sync(() =>
        oldestFirst(
          all().filter((each) => isInvitation(each) && each.email === email && isLive(each, nowMs)),
          INVITATIONS_SHOWN_MAX
        )
      ),

    accept: (id: string, identity: Identity, nowMs: number) =>
      Effect.sync(() => {
        const { issuer, subject, email } = identity;
        const found = members.get(id);
        const isTheirs =
          found !== undefined && isInvitation(found) && email !== null && found.email === email;
        if (!isTheirs || !isLive(found, nowMs) || memberOf(identity) !== undefined) return false;
        members.set(id, { ...found, issuer, subject, expiresAtMs: null });
        return true;
      }),

    admit: (identity: Identity, session: NewSession) =>
      Effect.sync(() => {
        const { issuer, subject } = identity;
        return Option.map(Option.fromUndefinedOr(memberOf(identity)), ({ id, accountId }) =>
          open(session, accountId, { id, issuer, subject })
        );
      })
  };
};

const make = Effect.sync(() => {
  const links = new Map<string, SignInLink>();
  const sessions = new Map<string, Session>();
  const revokedAll = new Map<string, number>();

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
    findLink: (linkHash, nowMs) =>
      Effect.sync(() =>
        Option.filter(Option.fromUndefinedOr(links.get(linkHash)), ({ expiresAtMs }) => expiresAtMs > nowMs)
      ),
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
        revokedAll.set(accountId, (revokedAll.get(accountId) ?? 0) + 1);
      }),
    revokedAllCount: (accountId) => Effect.sync(() => revokedAll.get(accountId) ?? 0)
  });
});

export const layer: Layer.Layer<Sessions> = Layer.effect(Sessions, make);
