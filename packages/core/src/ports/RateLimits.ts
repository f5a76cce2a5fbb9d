/**
 * Counts requests of an account in fixed one-minute windows (specification, "Rate limits"; contract 5).
 * Time is the Clock's, so that windows are alike in every implementation.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Account } from "../domain/Account.ts";
import type { KeyHolder } from "../domain/ApiKey.ts";
import type { Extraction } from "../domain/Extraction.ts";
import type { RateName } from "../domain/PlanLimits.ts";

export interface RateLimit {
  /** Requests that share a count share a bucket name. */
  readonly bucket: string;
  readonly perMinute: number;
}

/** A rate that an account's plan sets. */
export interface PlannedRate {
  readonly bucket: string;
  readonly rate: RateName;
  /** The bucket may hold so many times the rate. */
  readonly times: number;
  /** By the plan's name; that of `default` counts for a name that is not there. */
  readonly perMinuteByPlan: Readonly<Record<string, number>>;
}

export interface RateLimitState {
  readonly allowed: boolean;
  readonly limit: number;
  /** After this request; 0 when refused. */
  readonly remaining: number;
  /** Unix seconds when the window, aligned to the epoch minute, ends. */
  readonly resetAtSeconds: number;
  /** Whole seconds until then, at least 1. */
  readonly retryAfterSeconds: number;
}

/** A request that came with a key, counted for the key's account. */
export interface Admission {
  readonly holder: KeyHolder;
  readonly state: RateLimitState;
  /** The holder's account as it was then; read when it is asked for. */
  readonly account: () => Account;
  /** Of the extraction that was asked for: none where it is not the account's, or the request was refused. */
  readonly extraction: () => Option.Option<Extraction>;
}

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Counts one request, atomically over all processes that share the store. Refused requests do not
     * eat into the next window. Counts may be lost with the store: limits protect, they do not bill.
     */
    readonly consume: (accountId: string, limit: RateLimit) => Effect.Effect<RateLimitState>;

    /**
     * Store.findApiKey and `consume` at the rate of the account's limits or plan in one trip, for a store that
     * holds them all; absent from others. None, and nothing counted, when no key that was not revoked has the hash.
     * With an id, Store.getExtraction too: most requests read one row and do nothing else.
     */
    readonly admit?: (
      keyHash: string,
      limit: PlannedRate,
      extractionId: string | null
    ) => Effect.Effect<Option.Option<Admission>>;
  }
>()("@winnow/core/ports/RateLimits") {}
