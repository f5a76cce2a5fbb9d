/**
 * Stores sign-in links and web sessions, by the hashes of their tokens, and the members who may start sessions
 * without a link.
 *
 * Failures of the store itself are defects. Times are the Clock's, passed with each call; expired entries
 * count as deleted and may be removed at any time.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Identity, Member } from "../domain/access/Member.ts";
import type { NewSession, Session, SignInLink } from "../domain/access/Session.ts";

/** More sessions than one person uses. */
export const LISTED_SESSIONS_MAX = 100;

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The account must exist. */
    readonly createLink: (link: SignInLink) => Effect.Effect<void>;

    /**
     * Redeems the link and starts a session of its account atomically: of concurrent calls, exactly one gets
     * the session. None if the link does not exist or has expired at `session.createdAtMs`.
     */
    readonly redeemLink: (linkHash: string, session: NewSession) => Effect.Effect<Option.Option<Session>>;

    /** By the hash of its token; none if it is revoked or has expired at `nowMs`. */
    readonly findSession: (hash: string, nowMs: number) => Effect.Effect<Option.Option<Session>>;

    /**
     * Sessions that are active at `nowMs`, newest first by (createdAtMs, id); at most {@link
     * LISTED_SESSIONS_MAX}.
     */
    readonly listSessions: (accountId: string, nowMs: number) => Effect.Effect<ReadonlyArray<Session>>;

    /** Takes effect at once. Revoking a deleted session does nothing. */
    readonly revokeSession: (id: string) => Effect.Effect<void>;

    /** Revokes every session of the account and every unused link. */
    readonly revokeAll: (accountId: string) => Effect.Effect<void>;

    /** How often {@link revokeAll} was called: what was signed with an earlier count is revoked too. */
    readonly revokedAllCount: (accountId: string) => Effect.Effect<number>;

    /** The stored link that has not expired at `nowMs`; does not redeem it. */
    readonly findLink: (linkHash: string, nowMs: number) => Effect.Effect<Option.Option<SignInLink>>;

    /**
     * Stores an invitation, independently of other accounts. The account must exist. If it has already invited the
     * address, that invitation is returned with the new expiry; if the address is a member's, that member.
     */
    readonly invite: (invitation: Member) => Effect.Effect<Member>;

    /** Adds a person with an identity. The account must exist. Nothing if the identity is a member already. */
    readonly addMember: (member: Member) => Effect.Effect<void>;

    /**
     * Members and invitations that have not expired at `nowMs`, oldest first by (createdAtMs, id); at most
     * domain/access/Member's MEMBERS_MAX.
     */
    readonly listMembers: (accountId: string, nowMs: number) => Effect.Effect<ReadonlyArray<Member>>;

    /** Also ends all their sessions at once. False if the account has no such member or invitation. */
    readonly removeMember: (accountId: string, id: string) => Effect.Effect<boolean>;

    /** The member with this identity. */
    readonly findMember: (identity: Identity) => Effect.Effect<Option.Option<Member>>;

    /**
     * Invitations of this address that have not expired at `nowMs`, of all accounts, oldest first by (createdAtMs,
     * id); at most domain/access/Member's INVITATIONS_SHOWN_MAX.
     */
    readonly listInvitations: (email: string, nowMs: number) => Effect.Effect<ReadonlyArray<Member>>;

    /**
     * Makes the person a member by the invitation. False if their address has no such invitation at `nowMs`, or if
     * they are a member already: of concurrent calls for one person, exactly one succeeds.
     */
    readonly accept: (id: string, identity: Identity, nowMs: number) => Effect.Effect<boolean>;

    /** Starts a session of the account of the member with this identity. None if there is no such member. */
    readonly admit: (identity: Identity, session: NewSession) => Effect.Effect<Option.Option<Session>>;
  }
>()("@winnow/core/ports/Sessions") {}
