/**
 * Where accounts, extractions and money live.
 *
 * The store decides nothing: {@link Store.transact} runs a pure decider under the account's lock and
 * applies what it decided. Failures of the store itself are defects: callers cannot mend them. Those that pass
 * are Unavailable (ports/Unavailable).
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Account } from "../domain/Account.ts";
import type { ApiKeyRecord } from "../domain/ApiKey.ts";
import type { Decider, Decision, RunJob } from "../domain/Decision.ts";
import type { ArtifactOwner, Extraction } from "../domain/Extraction.ts";
import type { ExtractionFilter } from "../domain/ExtractionFilter.ts";
import type { IdempotencyRecord } from "../domain/Idempotency.ts";
import type { LedgerEntry } from "../domain/Ledger.ts";
import type { Retention } from "../domain/Plan.ts";
import type { NotFound } from "../domain/Refusal.ts";
import type { SourceKind } from "../domain/SourceFacts.ts";
import type { UsageDay } from "../domain/Usage.ts";

/** Which rows of the account a decision needs besides the account and its waiting extractions. */
export interface ViewQuery {
  readonly extractionId?: string;
  readonly idempotencyKey?: string;
  readonly paymentId?: string;
  /** The day is `YYYY-MM-DD`, UTC. */
  readonly usage?: { readonly apiKeyId: string; readonly day: string };
}

/** Place in a newest-first list of extractions; the page starts after it. */
export interface ExtractionPosition {
  readonly createdAtMs: number;
  readonly id: string;
}

/** Extractions that one page looks at for filters that no index serves: what bounds its cost. */
export const SEARCHED_MAX = 5_000;

export interface SearchPage {
  readonly after: ExtractionPosition | null;
  readonly limit: number;
  readonly filter: ExtractionFilter;
}

export interface FoundExtractions {
  readonly extractions: ReadonlyArray<Extraction>;
  /** Where the search was broken off after {@link SEARCHED_MAX}: go on after it. Null when it came to its end. */
  readonly searchedTo: ExtractionPosition | null;
}

/** A live run that has not moved for a while. */
export interface StalledRun {
  readonly accountId: string;
  readonly extractionId: string;
  readonly status: "queued" | "pending" | "running";
}

/** What is over for longer than it is kept. */
export interface ExpiryQuery {
  readonly nowMs: number;
  readonly retention: Retention;
  /** Where the batch before ended; null for the first of a round. */
  readonly after: string | null;
  /** Extractions that one batch removes. */
  readonly limit: number;
}

/** Files that an attempt may have stored, which no result names. */
export interface LeftFiles extends ArtifactOwner {
  /** Time of the first removal; null before it. */
  readonly removedAtMs: number | null;
}

export interface Expired {
  readonly removed: ReadonlyArray<RunJob>;
  /** Where the next batch goes on; null when the round is over. */
  readonly next: string | null;
}

export interface DeletedExtraction {
  /** Id of the run whose files nobody serves any more; null while somebody does. */
  readonly abandoned: string | null;
}

/** Extractions of one status and kind, as priced; combinations that there are none of are left out. */
export interface LiveCount {
  readonly status: "queued" | "pending" | "running";
  readonly kind: SourceKind;
  readonly count: number;
}

export class Store extends Context.Service<
  Store,
  {
    /**
     * Locks the account, loads the view, decides, applies the changes and enqueues the jobs, in one
     * transaction: all or nothing, and serial per account. The decider is pure and may be called again; what
     * is answered is the decision that was committed.
     *
     * @fails NotFound no such account
     * @fails E what the decider refuses; nothing is written then
     */
    readonly transact: <A, E>(
      accountId: string,
      query: ViewQuery,
      decide: Decider<A, E>
    ) => Effect.Effect<Decision<A>, E | NotFound>;

    /** Another account's extraction is none. */
    readonly getExtraction: (accountId: string, id: string) => Effect.Effect<Option.Option<Extraction>>;

    /** Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. */
    readonly listExtractions: (
      accountId: string,
      page: { readonly after: ExtractionPosition | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Extraction>>;

    /** As listExtractions, of those that fit; may be broken off before the page is full. */
    readonly searchExtractions: (accountId: string, page: SearchPage) => Effect.Effect<FoundExtractions>;

    /** What was used from the day `sinceDay` (`YYYY-MM-DD`, UTC) on, oldest first; days of nothing left out. */
    readonly listUsage: (accountId: string, sinceDay: string) => Effect.Effect<ReadonlyArray<UsageDay>>;

    /** Those that were over at or after `sinceMs`, oldest first by (completedAtMs, id); at most `limit`. */
    readonly listEnded: (
      accountId: string,
      query: { readonly sinceMs: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Extraction>>;

    /**
     * The complete extraction under the key whose result was made last, at or after `sinceMs` (domain/Extraction's
     * madeAtMs): the run itself or, as where that was deleted, one that reuses its result.
     */
    readonly findReusable: (
      accountId: string,
      cacheKey: string,
      sinceMs: number
    ) => Effect.Effect<Option.Option<Extraction>>;

    /** Of a key whose extraction was deleted too; that record holds hashes alone. */
    readonly getIdempotency: (
      accountId: string,
      key: string
    ) => Effect.Effect<Option.Option<IdempotencyRecord>>;

    /** Fails as a defect when the id is taken. */
    readonly createAccount: (account: Account) => Effect.Effect<void>;

    /**
     * Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. With `text` those whose id is it
     * or whose name contains it, whatever the case.
     */
    readonly listAccounts: (page: {
      readonly after: ExtractionPosition | null;
      readonly limit: number;
      readonly text: string | null;
    }) => Effect.Effect<ReadonlyArray<Account>>;

    readonly getAccount: (id: string) => Effect.Effect<Option.Option<Account>>;

    /** Newest first, strictly before the entry `before`; at most `limit`. */
    readonly listLedger: (
      accountId: string,
      page: { readonly before: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>>;

    /** @fails NotFound no such account */
    readonly createApiKey: (record: ApiKeyRecord) => Effect.Effect<void, NotFound>;

    /** A key that exists and was not revoked, by its hash; `usedAtMs` is kept as its last use, to the minute. */
    readonly findApiKey: (hash: string, usedAtMs?: number) => Effect.Effect<Option.Option<ApiKeyRecord>>;

    /** Keys that were not revoked, newest first by (createdAtMs, id). */
    readonly listApiKeys: (accountId: string) => Effect.Effect<ReadonlyArray<ApiKeyRecord>>;

    /** Final at once; revoking twice does nothing. False when there is no such key. */
    readonly revokeApiKey: (id: string) => Effect.Effect<boolean>;

    /**
     * Live extractions, oldest first, for the sweeper: pending since before `pendingBeforeMs`, or started
     * before `startedBeforeMs`. At most `limit`.
     */
    readonly findStalled: (query: {
      readonly pendingBeforeMs: number;
      readonly startedBeforeMs: number;
      readonly limit: number;
    }) => Effect.Effect<ReadonlyArray<StalledRun>>;

    /** Accounts with runs that wait for a slot, by id, those after `after` (all after ""). At most `limit`. */
    readonly findWaitingAccounts: (page: {
      readonly after: string;
      readonly limit: number;
    }) => Effect.Effect<ReadonlyArray<string>>;

    /**
     * Removes an extraction that is over and its result; its ledger lines stay, its idempotency record stays as
     * hashes (domain/Idempotency's deletedKey), and a live one is left alone. Once no extraction serves the files of its run (domain/Extraction's
     * filesOwnerOf), they count as abandoned, in the same transaction. None when there was nothing to remove.
     */
    readonly deleteExtraction: (
      accountId: string,
      id: string
    ) => Effect.Effect<Option.Option<DeletedExtraction>>;

    /**
     * As deleteExtraction, of a batch of extractions that were over for longer than their account keeps them, in one
     * transaction. Accounts that are busy are passed over until the next round, so that several may do it at once.
     */
    readonly removeExpired: (query: ExpiryQuery) => Effect.Effect<Expired>;

    /** Ids of runs whose abandoned files were not removed yet, oldest first; at most `limit`. */
    readonly findAbandonedFiles: (limit: number) => Effect.Effect<ReadonlyArray<string>>;

    /** The files of the runs are gone. */
    readonly forgetAbandonedFiles: (extractionIds: ReadonlyArray<string>) => Effect.Effect<void>;

    /**
     * Word that the attempt will store files, given before the first of them is written, so that they are found
     * whatever becomes of it.
     */
    readonly noteFiles: (owner: ArtifactOwner) => Effect.Effect<void>;

    /**
     * Noted attempts that are over and whose files no extraction serves, at most `limit`: first those that were never
     * removed, then those removed earliest. Notes of files that an extraction serves are deleted.
     */
    readonly findLeftFiles: (limit: number) => Effect.Effect<ReadonlyArray<LeftFiles>>;

    /** The files of the attempt were removed, but its process may still be alive; the first time is kept. */
    readonly noteRemoval: (owner: ArtifactOwner, nowMs: number) => Effect.Effect<void>;

    /** The files of the attempt are gone, and no more will come. */
    readonly forgetLeftFiles: (owner: ArtifactOwner) => Effect.Effect<void>;

    /** How many extractions wait or run, over all accounts; its cost grows with those, not with the finished. */
    readonly countLive: Effect.Effect<ReadonlyArray<LiveCount>>;

    /** The secret that is kept under the name, in all processes: the first that was handed in. */
    readonly keepSecret: (name: string, fresh: string) => Effect.Effect<string>;

    /** Succeeds when the store answers; fails as a defect otherwise. */
    readonly ping: Effect.Effect<void>;
  }
>()("@winnow/core/ports/Store") {}
