/**
 * Sign-in links and the web sessions they open: how long they live and what their secrets look like.
 *
 * A link is good once and for a quarter of an hour; a session for 30 days or until it is revoked. Both are
 * kept as the SHA-256 of a token that is shown once.
 */
import * as Schema from "effect/Schema";
import { isToken, tokenFrom } from "./Token.ts";

/** Long enough to be mailed and clicked, short enough to be worth little when found later. */
export const SIGN_IN_LINK_TTL_MS = 15 * 60_000;

export const SESSION_TTL_MS = 30 * 24 * 60 * 60_000;

/** The cookie that carries the session's token. */
export const SESSION_COOKIE = "winnow_session";

/** Its Max-Age. */
export const SESSION_COOKIE_MAX_AGE_SECONDS = SESSION_TTL_MS / 1_000;

/** Of what a browser calls itself, in characters: enough to tell one's own apart. */
const USER_AGENT_CHARS_MAX = 300;

const LINK_PREFIX = "wnl_";
const SESSION_PREFIX = "wns_";

/** Stored form of a link that was not redeemed yet. */
export interface SignInLink {
  readonly accountId: string;
  /** Hex SHA-256 of the whole token. */
  readonly hash: string;
  readonly createdAtMs: number;
  /** From here on it is worth nothing. */
  readonly expiresAtMs: number;
}

/** Stored form of a session. */
export const Session = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** Who signed in; null for whoever opened a link of the operator. */
  member: Schema.NullOr(Schema.Struct({ id: Schema.String, issuer: Schema.String, subject: Schema.String })),
  /** Hex SHA-256 of the whole token. */
  hash: Schema.String,
  /** As the browser called itself when it signed in, cut; null when it said nothing. */
  userAgent: Schema.NullOr(Schema.String),
  createdAtMs: Schema.Int,
  expiresAtMs: Schema.Int
});
export type Session = typeof Session.Type;

export const signInTokenFrom = (random: Uint8Array): string => tokenFrom(LINK_PREFIX, random);
export const isSignInToken = (text: string): boolean => isToken(LINK_PREFIX, text);

export const sessionTokenFrom = (random: Uint8Array): string => tokenFrom(SESSION_PREFIX, random);
export const isSessionToken = (text: string): boolean => isToken(SESSION_PREFIX, text);

export const signInLinkOf = (accountId: string, hash: string, nowMs: number): SignInLink => ({
  accountId,
  hash,
  createdAtMs: nowMs,
  expiresAtMs: nowMs + SIGN_IN_LINK_TTL_MS
});

/** A session before what opens it told whose it is. */
export type NewSession = Omit<Session, "accountId" | "member">;

export const newSession = (
  id: string,
  hash: string,
  nowMs: number,
  userAgent: string | null = null
): NewSession => ({
  id,
  hash,
  userAgent: userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
  createdAtMs: nowMs,
  expiresAtMs: nowMs + SESSION_TTL_MS
});
