/**
 * Sign-in to the web app: one-time links, members of accounts, their sessions, and signing out. Tokens are returned
 * once, when they are created.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { MEMBERS_MAX, parseMemberEmail, type Identity, type Member } from "../domain/Member.ts";
import { InvalidRequest, NotFound } from "../domain/Refusal.ts";
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
import { Accounts } from "./Accounts.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { isId, makeId, systemRandomBytes } from "./Ids.ts";

/** A new token; the only time it is shown. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A newly opened session. */
export interface OpenedSession extends IssuedToken {
  readonly id: string;
  readonly accountId: string;
}

export class SignIn extends Context.Service<
  SignIn,
  {
    /** A link's token, valid once within 15 minutes. */
    readonly createLink: (accountId: string) => Effect.Effect<IssuedToken, NotFound>;

    /** Opens a session of 30 days; none if the link was used, has expired or never existed. */
    readonly redeem: (
      linkToken: string,
      userAgent?: string | null
    ) => Effect.Effect<Option.Option<OpenedSession>>;

    /**
     * Opens a session for a member. If sign-up is open, a person without an account gets one first; otherwise
     * returns none. If one person signs in twice at the same moment, there is one member; the account created for
     * the other sign-in stays empty.
     */
    readonly admit: (
      identity: Identity,
      userAgent?: string | null
    ) => Effect.Effect<Option.Option<OpenedSession>>;

    /**
     * Allows an address to sign in through any method that verifies it. Adding it again returns the same member.
     *
     * @fails InvalidRequest {param:"email"}, {reason:"too_many_members"}, {reason:"member_elsewhere"}
     */
    readonly addMember: (
      accountId: string,
      email: string
    ) => Effect.Effect<Member, NotFound | InvalidRequest>;

    /** Oldest first. */
    readonly listMembers: (accountId: string) => Effect.Effect<ReadonlyArray<Member>>;

    /** Their sessions end immediately. */
    readonly removeMember: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /** The live session of a token. Malformed tokens are rejected without a query. */
    readonly authenticate: (sessionToken: string) => Effect.Effect<Option.Option<Session>>;

    /** Live sessions of the account, newest first. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Session>>;

    /** Takes effect immediately. */
    readonly signOut: (sessionId: string) => Effect.Effect<void>;

    /** Ends all sessions of the account and revokes its unused links. */
    readonly signOutEverywhere: (accountId: string) => Effect.Effect<void, NotFound>;
  }
>()("@winnow/core/engine/SignIn") {}

const fresh = Effect.fnUntraced(function* (userAgent: string | null) {
  const token = sessionTokenFrom(yield* systemRandomBytes(TOKEN_RANDOM_BYTES));
  const nowMs = yield* Clock.currentTimeMillis;
  return { token, session: newSession(yield* makeId("ses"), hashToken(token), nowMs, userAgent) };
});

const openedWith =
  (token: string) =>
  ({ id, accountId, expiresAtMs }: Session): OpenedSession => ({ id, accountId, token, expiresAtMs });

const refusedMember = (reason: string, message: string) =>
  new InvalidRequest({ message, details: { param: "email", reason } });

const makeMembers = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const accounts = yield* Accounts;
  const { isSignUpOpen } = yield* EngineSettings;

  const signUp = Effect.fnUntraced(function* ({ issuer, subject, email, name }: Identity) {
    const { id: accountId } = yield* accounts.create(name ?? email ?? subject);
    const createdAtMs = yield* Clock.currentTimeMillis;
    yield* sessions.addMember({ id: yield* makeId("mem"), accountId, email, issuer, subject, createdAtMs });
  });

  return {
    admit: Effect.fn("SignIn.admit")(function* (identity: Identity, userAgent: string | null = null) {
      const { token, session } = yield* fresh(userAgent);
      const opened = yield* sessions.admit(identity, session);
      if (Option.isSome(opened) || !isSignUpOpen) return Option.map(opened, openedWith(token));
      yield* signUp(identity);
      return Option.map(yield* sessions.admit(identity, session), openedWith(token));
    }),

    addMember: Effect.fn("SignIn.addMember")(function* (accountId: string, text: string) {
      const email = yield* Effect.fromResult(parseMemberEmail(text));
      yield* accounts.get(accountId);
      if ((yield* sessions.listMembers(accountId)).length >= MEMBERS_MAX) {
        return yield* refusedMember(
          "too_many_members",
          `The account already has ${MEMBERS_MAX} members; remove one first.`
        );
      }
      const createdAtMs = yield* Clock.currentTimeMillis;
      const id = yield* makeId("mem");
      const added = yield* sessions.addMember({
        id,
        accountId,
        email,
        issuer: null,
        subject: null,
        createdAtMs
      });
      return yield* Effect.mapError(Effect.fromOption(added), () =>
        refusedMember("member_elsewhere", "This address has already been added to another account.")
      );
    }),

    listMembers: (accountId: string) => sessions.listMembers(accountId),

    removeMember: Effect.fn("SignIn.removeMember")(function* (accountId: string, id: string) {
      if (!isId("mem", id) || !(yield* sessions.removeMember(accountId, id))) {
        return yield* new NotFound({ what: "member" });
      }
    })
  };
});

const make = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const store = yield* Store;

  const checkAccount = Effect.fnUntraced(function* (accountId: string) {
    if (Option.isNone(yield* store.getAccount(accountId))) return yield* new NotFound({ what: "account" });
  });

  return SignIn.of({
    ...(yield* makeMembers),
    createLink: Effect.fn("SignIn.createLink")(function* (accountId) {
      yield* checkAccount(accountId);
      const token = signInTokenFrom(yield* systemRandomBytes(TOKEN_RANDOM_BYTES));
      const link = signInLinkOf(accountId, hashToken(token), yield* Clock.currentTimeMillis);
      yield* sessions.createLink(link);
      return { token, expiresAtMs: link.expiresAtMs };
    }),

    redeem: Effect.fn("SignIn.redeem")(function* (linkToken, userAgent = null) {
      if (!isSignInToken(linkToken)) return Option.none();
      const { token, session } = yield* fresh(userAgent);
      const opened = yield* sessions.redeemLink(hashToken(linkToken), session);
      return Option.map(opened, openedWith(token));
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

export const layer: Layer.Layer<SignIn, never, Sessions | Store | Accounts> = Layer.effect(SignIn, make);
