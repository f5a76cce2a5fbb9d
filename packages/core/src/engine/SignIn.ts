/**
 * Signing in to the web app: one-time links, the sessions they open, and signing out. Tokens leave this
 * module once, at their creation.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { NotFound } from "../domain/Refusal.ts";
import {
  isSessionToken,
  isSignInToken,
  newSession,
  sessionTokenFrom,
  signInLinkOf,
  signInTokenFrom,
  type Session
} from "../domain/Session.ts";
import { hashToken, TOKEN_RANDOM_BYTES } from "../domain/Token.ts";
import { Sessions } from "../ports/Sessions.ts";
import { Store } from "../ports/Store.ts";
import { makeId, systemRandomBytes } from "./Ids.ts";

/** A token at its creation, the only time that it is shown. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A session that was just opened. */
export interface OpenedSession extends IssuedToken {
  readonly id: string;
  readonly accountId: string;
}

export class SignIn extends Context.Service<
  SignIn,
  {
    /** A link's token: good once, for 15 minutes. */
    readonly createLink: (accountId: string) => Effect.Effect<IssuedToken, NotFound>;

    /** Opens a session of 30 days; none when the link was used, is over, or never was. */
    readonly redeem: (
      linkToken: string,
      userAgent?: string | null
    ) => Effect.Effect<Option.Option<OpenedSession>>;

    /** The live session of a token. The store is not asked about what cannot be one. */
    readonly authenticate: (sessionToken: string) => Effect.Effect<Option.Option<Session>>;

    /** Live sessions of the account, newest first. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Session>>;

    /** Counts at once. */
    readonly signOut: (sessionId: string) => Effect.Effect<void>;

    /** Ends every session of the account and every link that was not used yet. */
    readonly signOutEverywhere: (accountId: string) => Effect.Effect<void, NotFound>;
  }
>()("@winnow/core/engine/SignIn") {}

const make = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const store = yield* Store;

  const checkAccount = Effect.fnUntraced(function* (accountId: string) {
    if (Option.isNone(yield* store.getAccount(accountId))) return yield* new NotFound({ what: "account" });
  });

  return SignIn.of({
    createLink: Effect.fn("SignIn.createLink")(function* (accountId) {
      yield* checkAccount(accountId);
      const token = signInTokenFrom(yield* systemRandomBytes(TOKEN_RANDOM_BYTES));
      const link = signInLinkOf(accountId, hashToken(token), yield* Clock.currentTimeMillis);
      yield* sessions.createLink(link);
      return { token, expiresAtMs: link.expiresAtMs };
    }),

    redeem: Effect.fn("SignIn.redeem")(function* (linkToken, userAgent = null) {
      if (!isSignInToken(linkToken)) return Option.none();
      const token = sessionTokenFrom(yield* systemRandomBytes(TOKEN_RANDOM_BYTES));
      const nowMs = yield* Clock.currentTimeMillis;
      const session = newSession(yield* makeId("ses"), hashToken(token), nowMs, userAgent);
      const opened = yield* sessions.redeemLink(hashToken(linkToken), session);
      return Option.map(opened, ({ id, accountId, expiresAtMs }) => ({ id, accountId, token, expiresAtMs }));
    }),

    authenticate: Effect.fn("SignIn.authenticate")(function* (sessionToken) {
      if (!isSessionToken(sessionToken)) return Option.none();
      return yield* sessions.findSession(hashToken(sessionToken), yield* Clock.currentTimeMillis);
    }),

    list: Effect.fn("SignIn.list")(function* (accountId) {
      return yield* sessions.listSessions(accountId, yield* Clock.currentTimeMillis);
    }),

    signOut: sessions.revokeSession,

    signOutEverywhere: Effect.fn("SignIn.signOutEverywhere")(function* (accountId) {
      yield* checkAccount(accountId);
      yield* sessions.revokeAll(accountId);
    })
  });
});

export const layer: Layer.Layer<SignIn, never, Sessions | Store> = Layer.effect(SignIn, make);
