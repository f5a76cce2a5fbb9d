/**
 * Sign-in to the web app: one-time links, identified people and the invitations they choose from, their sessions, and
 * signing out. Tokens are returned once, when they are created.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { Account } from "../../domain/money/Account.ts";
import {
  identityTicket,
  isSessionToken,
  isSignInToken,
  newSession,
  type Session,
  sessionTokenFrom,
  signInLinkOf,
  signInTokenFrom,
  ticketIdentity
} from "../../domain/access/Session.ts";
import { accountNameOf, type Identity, type Member } from "../../domain/access/Member.ts";
import { NotFound } from "../../domain/request/Refusal.ts";
import { hashToken, TOKEN_RANDOM_BYTES } from "../../domain/access/Token.ts";
import { Sessions } from "../../ports/Sessions.ts";
import { Store } from "../../ports/Store.ts";
import { Accounts } from "./Accounts.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { isId, makeId, systemRandomBytes } from "../Ids.ts";
import { makeSigningSecret } from "../SigningSecret.ts";

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

/** An invitation, as the person it is for sees it. */
export interface ReceivedInvitation {
  readonly id: string;
  readonly account: Account;
  readonly invitedAtMs: number;
}

/** What an identified person may do. All three may be empty: then they have no access. */
export interface Welcome {
  /** The account they are a member of; null if they are not a member yet. */
  readonly account: Account | null;
  /** Empty for members. */
  readonly invitations: ReadonlyArray<ReceivedInvitation>;
  /** Whether they may create an account of their own. */
  readonly canSignUp: boolean;
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

    /** The account that a link opens, without redeeming it; none if {@link redeem} would open none. */
    readonly linkAccount: (linkToken: string) => Effect.Effect<Option.Option<Account>>;

    /** What an identified person may do. */
    readonly welcome: (identity: Identity) => Effect.Effect<Welcome>;

    /** Opens a session for a member; none for others. */
    readonly admit: (
      identity: Identity,
      userAgent?: string | null
    ) => Effect.Effect<Option.Option<OpenedSession>>;

    /**
     * Gives a person an account of their own and opens a session; none if sign-up is not open. If one person signs
     * up twice at the same moment, there is one member; the account created for the other sign-up stays empty.
     */
    readonly signUp: (
      identity: Identity,
      userAgent?: string | null
    ) => Effect.Effect<Option.Option<OpenedSession>>;

    /** Makes the person a member by an invitation of their address and opens a session; none if there is none. */
    readonly accept: (
      identity: Identity,
      invitationId: string,
      userAgent?: string | null
    ) => Effect.Effect<Option.Option<OpenedSession>>;

    /** Withdraws an invitation of the person's address, if there is one. */
    readonly decline: (identity: Identity, invitationId: string) => Effect.Effect<void>;

    /** A signed text that names an identified person for a few minutes. */
    readonly ticketOf: (identity: Identity) => Effect.Effect<string>;

    /** None if the ticket is not ours or has expired. */
    readonly identityOf: (ticket: string) => Effect.Effect<Option.Option<Identity>>;

    /** The live session of a token. Malformed tokens are rejected without a query. */
    readonly authenticate: (sessionToken: string) => Effect.Effect<Option.Option<Session>>;

    /** Live sessions of the account, newest first. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Session>>;

    /** Takes effect immediately. */
    readonly signOut: (sessionId: string) => Effect.Effect<void>;

    /** Ends all sessions of the account and revokes its unused links. */
    readonly signOutEverywhere: (accountId: string) => Effect.Effect<void, NotFound>;
  }
>()("@winnow/core/engine/accounts/SignIn") {}

const fresh = Effect.fnUntraced(function* (userAgent: string | null) {
  const token = sessionTokenFrom(yield* systemRandomBytes(TOKEN_RANDOM_BYTES));
  const nowMs = yield* Clock.currentTimeMillis;
  return { token, session: newSession(yield* makeId("ses"), hashToken(token), nowMs, userAgent) };
});

const openedWith =
  (token: string) =>
  ({ id, accountId, expiresAtMs }: Session): OpenedSession => ({ id, accountId, token, expiresAtMs });

const makeTickets = Effect.gen(function* () {
  const secret = yield* makeSigningSecret("identity-tickets");

  return {
    ticketOf: Effect.fn("SignIn.ticketOf")(function* (identity: Identity) {
      return identityTicket(yield* secret, identity, yield* Clock.currentTimeMillis);
    }),
    identityOf: Effect.fn("SignIn.identityOf")(function* (ticket: string) {
      return ticketIdentity(yield* secret, ticket, yield* Clock.currentTimeMillis);
    })
  };
});

const makePeople = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const accounts = yield* Accounts;
  const { isSignUpOpen } = yield* EngineSettings;

  const admit = Effect.fn("SignIn.admit")(function* (identity: Identity, userAgent: string | null = null) {
    const { token, session } = yield* fresh(userAgent);
    return Option.map(yield* sessions.admit(identity, session), openedWith(token));
  });

  const invitationsOf = Effect.fnUntraced(function* ({ email }: Identity) {
    return email === null ? [] : yield* sessions.listInvitations(email, yield* Clock.currentTimeMillis);
  });

  const received = Effect.fnUntraced(function* ({ id, accountId, createdAtMs }: Member) {
    return { id, account: yield* Effect.orDie(accounts.get(accountId)), invitedAtMs: createdAtMs };
  });

  return {
    admit,

    welcome: Effect.fn("SignIn.welcome")(function* (identity: Identity) {
      const member = yield* sessions.findMember(identity);
      if (Option.isSome(member)) {
        const account = yield* Effect.orDie(accounts.get(member.value.accountId));
        return { account, invitations: [], canSignUp: false };
      }
      const invitations = yield* Effect.forEach(yield* invitationsOf(identity), received);
      return { account: null, invitations, canSignUp: isSignUpOpen };
    }),

    signUp: Effect.fn("SignIn.signUp")(function* (identity: Identity, userAgent: string | null = null) {
      if (!isSignUpOpen) return Option.none();
      if (Option.isNone(yield* sessions.findMember(identity))) {
        const { issuer, subject, email } = identity;
        const { id: accountId } = yield* accounts.create(accountNameOf(identity));
        const [id, createdAtMs] = [yield* makeId("mem"), yield* Clock.currentTimeMillis];
        const known = { id, accountId, email, issuer, subject, createdAtMs };
        yield* sessions.addMember({ ...known, expiresAtMs: null, invitedBy: null });
      }
      return yield* admit(identity, userAgent);
    }),

    accept: Effect.fn("SignIn.accept")(function* (
      identity: Identity,
      invitationId: string,
      userAgent: string | null = null
    ) {
      const nowMs = yield* Clock.currentTimeMillis;
      const isAccepted = isId("mem", invitationId) && (yield* sessions.accept(invitationId, identity, nowMs));
      return isAccepted ? yield* admit(identity, userAgent) : Option.none();
    }),

    decline: Effect.fn("SignIn.decline")(function* (identity: Identity, invitationId: string) {
      const found = (yield* invitationsOf(identity)).find(({ id }) => id === invitationId);
      if (found !== undefined) yield* sessions.removeMember(found.accountId, found.id);
    })
  };
});

const make = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const store = yield* Store;

  const checkAccount = Effect.fnUntraced(function* (accountId: string) {
    if (Option.isNone(yield* store.getAccount(accountId))) return yield* NotFound.of("account");
  });

  return SignIn.of({
    ...(yield* makePeople),
    ...(yield* makeTickets),
    createLink: Effect.fn("SignIn.createLink")(function* (accountId) {
      yield* checkAccount(accountId);
      const token = signInTokenFrom(yield* systemRandomBytes(TOKEN_RANDOM_BYTES));
      const link = signInLinkOf(accountId, hashToken(token), yield* Clock.currentTimeMillis);
      yield* sessions.createLink(link);
      return { token, expiresAtMs: link.expiresAtMs };
    }),

    linkAccount: Effect.fn("SignIn.linkAccount")(function* (linkToken) {
      if (!isSignInToken(linkToken)) return Option.none();
      const link = yield* sessions.findLink(hashToken(linkToken), yield* Clock.currentTimeMillis);
      return Option.isNone(link) ? Option.none() : yield* store.getAccount(link.value.accountId);
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
