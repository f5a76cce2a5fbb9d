/**
 * Sign-in links and sessions within one process; nothing survives it.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { newestFirst } from "../domain/Cursor.ts";
import type { Session, SignInLink } from "../domain/Session.ts";
import { LISTED_SESSIONS_MAX, Sessions } from "../ports/Sessions.ts";

/** Drops what fits, by the key it is kept under. */
const drop = <Row>(rows: Map<string, Row>, fits: (row: Row) => boolean): void => {
  for (const [key, row] of rows) if (fits(row)) rows.delete(key);
};

const make = Effect.sync(() => {
  const links = new Map<string, SignInLink>();
  const sessions = new Map<string, Session>();

  return Sessions.of({
    createLink: (link) =>
      Effect.sync(() => {
        drop(links, ({ expiresAtMs }) => expiresAtMs <= link.createdAtMs);
        links.set(link.hash, link);
      }),
    redeemLink: (linkHash, { id, hash, userAgent, createdAtMs, expiresAtMs }) =>
      Effect.sync(() => {
        const link = links.get(linkHash);
        if (link === undefined || link.expiresAtMs <= createdAtMs) return Option.none();
        links.delete(linkHash);
        drop(sessions, (session) => session.expiresAtMs <= createdAtMs);
        const session = { id, accountId: link.accountId, hash, userAgent, createdAtMs, expiresAtMs };
        sessions.set(hash, session);
        return Option.some(session);
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
