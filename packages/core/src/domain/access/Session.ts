/**
 * Sign-in links, the web sessions they open, and the choice of an account in between: lifetimes and tokens.
 *
 * A link works once within 15 minutes; a session lasts 30 days or until it is revoked. Both are stored as the
 * SHA-256 of a token that is shown once. Tests: SignIn.test.ts, Token.test.ts, IdentityTicket.test.ts.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { DAY_MS } from "../Durations.ts";
import { Identity } from "./Member.ts";
import { isToken, tokenFrom } from "./Token.ts";

/** Long enough to mail and click, short enough that a leaked link is worth little. */
export const SIGN_IN_LINK_TTL_MS = 15 * 60_000;

export const SESSION_TTL_MS = 30 * DAY_MS;

/** The cookie with the session token. */
export const SESSION_COOKIE = "winnow_session";

/** Its Max-Age. */
export const SESSION_COOKIE_MAX_AGE_SECONDS = SESSION_TTL_MS / 1_000;

/** Maximum characters of the user agent: enough for people to recognise their browser. */
const USER_AGENT_CHARS_MAX = 300;

const LINK_PREFIX = "wnl_";
const SESSION_PREFIX = "wns_";

/** Stored form of an unused link. */
export const SignInLink = Schema.Struct({
  accountId: Schema.String,
  /** Hex SHA-256 of the whole token. */
  hash: Schema.String,
  createdAtMs: Schema.Int,
  /** When it expires. */
  expiresAtMs: Schema.Int
});
export type SignInLink = typeof SignInLink.Type;

/** Stored form of a session. */
export const Session = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** The member who signed in; null for a session opened by the operator's link. */
  member: Schema.NullOr(Schema.Struct({ id: Schema.String, issuer: Schema.String, subject: Schema.String })),
  /** Hex SHA-256 of the whole token. */
  hash: Schema.String,
  /** User agent at sign-in, truncated; null if there was none. */
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

/** A new session, before it is assigned to an account. */
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

// An identified person is remembered while they choose an account, by a signed text that their browser keeps. It grants
// what the sign-in that it came from granted, for a few minutes.

/** Enough time to read a page and ask a colleague. */
export const IDENTITY_TICKET_TTL_MS = 10 * 60_000;

const Ticket = Schema.fromJsonString(Schema.Struct({ identity: Identity, expiresAtMs: Schema.Int }));
const writeTicket = Schema.encodeSync(Ticket);
const readTicket = Schema.decodeUnknownOption(Ticket);

const signatureOf = (secret: string, content: string): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["identity", content]))
    .digest();

/** Two base64url texts, joined by a dot. */
export const identityTicket = (secret: string, identity: Identity, nowMs: number): string => {
  const content = writeTicket({ identity, expiresAtMs: nowMs + IDENTITY_TICKET_TTL_MS });
  return `${Buffer.from(content).toString("base64url")}.${signatureOf(secret, content).toString("base64url")}`;
};

/** None if it is not ours or has expired. */
export const ticketIdentity = (secret: string, ticket: string, nowMs: number): Option.Option<Identity> => {
  const [encoded = "", signature = ""] = ticket.split(".");
  const content = Buffer.from(encoded, "base64url").toString("utf8");
  const [actual, expected] = [Buffer.from(signature, "base64url"), signatureOf(secret, content)];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return Option.none();
  return readTicket(content).pipe(
    Option.filter(({ expiresAtMs }) => nowMs < expiresAtMs),
    Option.map(({ identity }) => identity)
  );
};
