/**
 * Where sign-in links and web sessions are kept, by the hashes of their tokens, and the members who may open
 * sessions without a link.
 *
 * Failures of the store itself are defects. Times are the Clock's, given with each call; what is past its
 * end counts as gone and may be swept away at any time.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Identity, Member } from "../domain/Member.ts";
import type { NewSession, Session, SignInLink } from "../domain/Session.ts";

/** More than one person is signed in with. */
export const LISTED_SESSIONS_MAX = 100;

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The account exists: whoever calls has read it. */
    readonly createLink: (link: SignInLink) => Effect.Effect<void>;

    /**
     * Uses the link up and opens the session on its account, in one step: of any number of calls at once
     * exactly one gets the session. None when there is no such link, or none any more at
     * `session.createdAtMs`.
     */
    readonly redeemLink: (linkHash: string, session: NewSession) => Effect.Effect<Option.Option<Session>>;

    /** By the hash of its token; none when revoked or over at `nowMs`. */
    readonly findSession: (hash: string, nowMs: number) => Effect.Effect<Option.Option<Session>>;

    /** Those that are live at `nowMs`, newest first by (createdAtMs, id); at most {@link LISTED_SESSIONS_MAX}. */
    readonly listSessions: (accountId: string, nowMs: number) => Effect.Effect<ReadonlyArray<Session>>;

    /** Final at once. Revoking what is gone does nothing. */
    readonly revokeSession: (id: string) => Effect.Effect<void>;

    /** Every session of the account and every link that was not redeemed yet. */
    readonly revokeAll: (accountId: string) => Effect.Effect<void>;

    /**
     * The account exists: whoever calls has read it. An identity is one member's, and an address waits in one
     * account: the same again in its account answers the member that is there; none when another account has it.
     */
    readonly addMember: (member: Member) => Effect.Effect<Option.Option<Member>>;

    /** Oldest first by (createdAtMs, id); at most domain/Member's MEMBERS_MAX. */
    readonly listMembers: (accountId: string) => Effect.Effect<ReadonlyArray<Member>>;

    /** With every session that they opened, at once. False when the account has no such member. */
    readonly removeMember: (accountId: string, id: string) => Effect.Effect<boolean>;

    /**
     * Opens the session on the account of the member that the identity is, or of the one that waits for its
     * address, who is that identity from then on. None when it is nobody's.
     */
    readonly admit: (identity: Identity, session: NewSession) => Effect.Effect<Option.Option<Session>>;
  }
>()("@winnow/core/ports/Sessions") {}
