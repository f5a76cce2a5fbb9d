/**
 * Stores accounts, extractions and credits.
 *
 * The store makes no decisions: {@link Store.transact} runs a pure decider under the account's lock and
 * applies its result. Failures of the store itself are defects, since callers cannot handle them. Temporary
 * ones are Unavailable (ports/Unavailable).
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Account } from "../domain/money/Account.ts";
import type { ApiKeyRecord } from "../domain/access/ApiKey.ts";
import type { Batch, ItemState } from "../domain/run/Batch.ts";
import type { Decider, Decision, RunJob } from "../domain/run/Decision.ts";
import type { ArtifactOwner, Extraction } from "../domain/run/Extraction.ts";
import type { ExtractionFilter } from "../domain/result/ExtractionList.ts";
import type { Corrections } from "../domain/result/ResultRow.ts";
import type { IdempotencyRecord } from "../domain/request/Idempotency.ts";
import type { LedgerEntry } from "../domain/money/Ledger.ts";
import type { Retention } from "../domain/money/Plan.ts";
import type { NotFound } from "../domain/request/Refusal.ts";
import type { FailureReason } from "../domain/source/Failed.ts";
import type { SourceKind } from "../domain/source/SourceFacts.ts";
import type { KeyedUsage, PartUsageDay, SchemaUsageDay } from "../domain/run/Usage.ts";

/** Position in a list of extractions, newest first; the page starts after it. */
export interface ExtractionPosition {
  readonly createdAtMs: number;
  readonly id: string;
}

/** Maximum number of extractions that one page scans if no index covers its filters. */
export const SEARCHED_MAX = 5_000;

/** Places in the queue are counted no further: each read counts them anew. */
export const QUEUE_POSITIONS_MAX = 1_000;

export interface SearchPage {
  readonly after: ExtractionPosition | null;
  readonly limit: number;
  /** The page ends after the extraction whose request and result reach it, as JSON; absent for no limit. */
  readonly maxBytes?: number;
  readonly filter: ExtractionFilter;
}

export interface FoundExtractions {
  readonly extractions: ReadonlyArray<Extraction>;
  /**
   * Where the scan stopped after {@link SEARCHED_MAX} or `maxBytes`: continue after it. Null if it reached the end or
   * `limit`.
   */
  readonly searchedTo: ExtractionPosition | null;
}

/** A live run without recent progress. */
export interface StalledRun extends RunJob {
  readonly status: "pending" | "running";
}

/** Extractions past their retention. */
export interface ExpiryQuery {
  readonly nowMs: number;
  readonly retention: Retention;
  /** End of the previous batch; null for the first of a round. */
  readonly after: string | null;
  /** Maximum number of extractions that one batch removes. */
  readonly limit: number;
}

/** How soon orphaned files are returned again, unless they are forgotten. */
export const ORPHANS_AGAIN_MS = 60_000;

/** Files that an attempt may have stored, which no extraction serves. */
export interface OrphanedFiles extends ArtifactOwner {
  /** When the attempt ended, or was found to be over. */
  readonly endedAtMs: number;
}

/** Number of extractions per status and kind, as priced; empty combinations are left out. */
export interface LiveCount {
  readonly status: "queued" | "pending" | "running";
  readonly kind: SourceKind;
  readonly count: number;
}

export class Store extends Context.Service<
  Store,
  {
    /**
     * Locks the account, loads what the decider needs, decides, applies the changes and enqueues the jobs, in one
     * transaction: all or nothing, and serial per account. The decider is pure and may be called more than
     * once; the committed decision is returned.
     *
     * @fails NotFound no such account
     * @fails E the decider's error; nothing is written
     */
    readonly transact: <A, E>(
      accountId: string,
      decider: Decider<A, E>
    ) => Effect.Effect<Decision<A>, E | NotFound>;

    /** None for another account's extraction. */
    readonly getExtraction: (accountId: string, id: string) => Effect.Effect<Option.Option<Extraction>>;

    /** Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. */
    readonly listExtractions: (
      accountId: string,
      page: { readonly after: ExtractionPosition | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Extraction>>;

    /** Like listExtractions, with filters; may stop before the page is full. */
    readonly searchExtractions: (accountId: string, page: SearchPage) => Effect.Effect<FoundExtractions>;

    /**
     * Places in the account's queue by id of the extraction, from 1 to {@link QUEUE_POSITIONS_MAX}, in the order in which
     * they get slots (AccountView.waiting). Extractions without one are left out: those that do not wait, and items of
     * batches that are paused or cancelled.
     */
    readonly findQueuePositions: (
      accountId: string,
      extractionIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number>>;

    /** None for another account's batch. */
    readonly getBatch: (accountId: string, id: string) => Effect.Effect<Option.Option<Batch>>;

    /** Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. */
    readonly listBatches: (
      accountId: string,
      page: { readonly after: ExtractionPosition | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Batch>>;

    /** All items of the batch by index, with the state of their extractions; empty if there is no such batch. */
    readonly listBatchItems: (accountId: string, id: string) => Effect.Effect<ReadonlyArray<ItemState>>;

    /** Cancelled batches with items that have not ended, so that a process that was killed is finished by another. */
    readonly findCancelledBatches: (
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<Batch, "id" | "accountId">>>;

    /** Replaces the corrections of an extraction; empty ones are removed. Does nothing if it does not exist. */
    readonly setCorrections: (
      accountId: string,
      extractionId: string,
      corrections: Corrections,
      nowMs: number
    ) => Effect.Effect<void>;

    /** By the ids of extractions; those without corrections are left out. They are deleted with their extraction. */
    readonly findCorrections: (
      accountId: string,
      extractionIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Corrections>>;

    /** By day since `sinceDay` (`YYYY-MM-DD`, UTC), oldest first, and by API key, no key first; only what was used. */
    readonly listUsage: (accountId: string, sinceDay: string) => Effect.Effect<ReadonlyArray<KeyedUsage>>;

    /** The same by day and by schema of the library, none first. */
    readonly listSchemaUsage: (
      accountId: string,
      sinceDay: string
    ) => Effect.Effect<ReadonlyArray<SchemaUsageDay>>;

    /** The credits of {@link listUsage} by day and by part of the price, in the order of their names. */
    readonly listPartUsage: (
      accountId: string,
      sinceDay: string
    ) => Effect.Effect<ReadonlyArray<PartUsageDay>>;

    /**
     * The complete extraction with this cache key and the newest result, made at or after `sinceMs`
     * (domain/run/Extraction's resultCreatedAtMs): the run itself or, if that was deleted, an extraction that reuses its
     * result.
     */
    readonly findReusable: (
      accountId: string,
      cacheKey: string,
      sinceMs: number
    ) => Effect.Effect<Option.Option<Extraction>>;

    /** Also if the extraction of the key was deleted; the record then has only hashes. */
    readonly getIdempotency: (
      accountId: string,
      key: string
    ) => Effect.Effect<Option.Option<IdempotencyRecord>>;

    /** A taken id is a defect. */
    readonly createAccount: (account: Account) => Effect.Effect<void>;

    /**
     * Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. With `text`, accounts with
     * this id or whose name contains it, ignoring case; any text is allowed, also with a NUL character.
     */
    readonly listAccounts: (page: {
      readonly after: ExtractionPosition | null;
      readonly limit: number;
      readonly text: string | null;
    }) => Effect.Effect<ReadonlyArray<Account>>;

    readonly getAccount: (id: string) => Effect.Effect<Option.Option<Account>>;

    /**
     * The account and the number of its extractions in status `queued`, items of batches included, from one snapshot,
     * without its lock.
     */
    readonly getActivity: (
      id: string
    ) => Effect.Effect<Option.Option<{ readonly account: Account; readonly queuedCount: number }>>;

    /** Newest first, strictly before the entry `before`; at most `limit`. */
    readonly listLedger: (
      accountId: string,
      page: { readonly before: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>>;

    /** @fails NotFound no such account */
    readonly createApiKey: (record: ApiKeyRecord) => Effect.Effect<void, NotFound>;

    /** An active key, by its hash; `usedAtMs` is stored as its last use, to the minute. */
    readonly findApiKey: (hash: string, usedAtMs?: number) => Effect.Effect<Option.Option<ApiKeyRecord>>;

    /** Active keys, newest first by (createdAtMs, id). */
    readonly listApiKeys: (accountId: string) => Effect.Effect<ReadonlyArray<ApiKeyRecord>>;

    /** Takes effect at once; revoking again does nothing. False if there is no such key. */
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

    /**
     * Extractions that no worker took in time, oldest first, at most `limit`: `queued` or `pending`, and submitted before
     * domain/result/Settlement's untakenBeforeMs of their account's retention.
     */
    readonly findUntaken: (
      query: Pick<ExpiryQuery, "nowMs" | "retention" | "limit">
    ) => Effect.Effect<ReadonlyArray<Pick<RunJob, "accountId" | "extractionId">>>;

    /** Accounts with runs waiting for a slot (AccountView.waiting), by id, after `after` (all for ""). At most `limit`. */
    readonly findWaitingAccounts: (page: {
      readonly after: string;
      readonly limit: number;
    }) => Effect.Effect<ReadonlyArray<string>>;

    /**
     * Removes an extraction that has ended, and its result; its ledger entries remain, and its idempotency
     * record remains as hashes (domain/request/Idempotency's deletedKey). A live extraction is not removed. None if
     * nothing was removed, otherwise the files that became orphans with it: once no extraction serves the files of its
     * run (domain/run/Extraction's filesOwnerOf), those of all attempts.
     */
    readonly deleteExtraction: (
      accountId: string,
      id: string
    ) => Effect.Effect<Option.Option<ReadonlyArray<OrphanedFiles>>>;

    /**
     * Like deleteExtraction, for a number of extractions past their account's retention, in one transaction; with
     * the batches that ended as long ago. Returns `after` of the next transaction; null if the round is complete.
     * Locked accounts are skipped until the next round, so that several processes may run it.
     */
    readonly removeExpired: (query: ExpiryQuery) => Effect.Effect<string | null>;

    /**
     * Registers the files of an attempt that is over again, after it may have stored more. Those of the others are
     * registered by the decision that starts them, and kept by the one that completes their run.
     */
    readonly noteFiles: (owner: ArtifactOwner) => Effect.Effect<void>;

    /**
     * Registered files that no extraction serves, of attempts that are over, at most `limit`, those that are due for
     * the longest time first. They are not returned again for {@link ORPHANS_AGAIN_MS}, also to other processes.
     */
    readonly takeOrphans: (query: {
      readonly nowMs: number;
      readonly limit: number;
    }) => Effect.Effect<ReadonlyArray<OrphanedFiles>>;

    /** Files that were removed and that no more will follow; does nothing if they were noted again since. */
    readonly forgetFiles: (orphan: OrphanedFiles) => Effect.Effect<void>;

    /** Number of waiting (AccountView.waiting) and running extractions of all accounts; its cost does not depend on finished ones. */
    readonly countLive: Effect.Effect<ReadonlyArray<LiveCount>>;

    /** Number of extractions of all accounts that failed at or after the time and were not deleted, by reason. */
    readonly countFailures: (sinceMs: number) => Effect.Effect<ReadonlyMap<FailureReason, number>>;

    /** The secret stored under the name, the same for all processes: the first one that was passed. */
    readonly keepSecret: (name: string, fresh: string) => Effect.Effect<string>;

    /** Succeeds if the store responds; otherwise a defect. */
    readonly ping: Effect.Effect<void>;
  }
>()("@winnow/core/ports/Store") {}
