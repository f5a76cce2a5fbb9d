/**
 * Where sign-in links and web sessions are kept, by the hashes of their tokens.
 *
 * Failures of the store itself are defects. Times are the Clock's, given with each call; what is past its
 * end counts as gone and may be swept away at any time.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Session, SignInLink } from "../domain/Session.ts";

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
    readonly redeemLink: (
      linkHash: string,
      session: Omit<Session, "accountId">
    ) => Effect.Effect<Option.Option<Session>>;

    /** By the hash of its token; none when revoked or over at `nowMs`. */
    readonly findSession: (hash: string, nowMs: number) => Effect.Effect<Option.Option<Session>>;

    /** Those that are live at `nowMs`, newest first by (createdAtMs, id); at most {@link LISTED_SESSIONS_MAX}. */
    readonly listSessions: (accountId: string, nowMs: number) => Effect.Effect<ReadonlyArray<Session>>;

    /** Final at once. Revoking what is gone does nothing. */
    readonly revokeSession: (id: string) => Effect.Effect<void>;

    /** Every session of the account and every link that was not redeemed yet. */
    readonly revokeAll: (accountId: string) => Effect.Effect<void>;
  }
>()("@winnow/core/ports/Sessions") {}
