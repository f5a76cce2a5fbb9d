/**
 * Counts requests of an account in fixed one-minute windows.
 * Time is the Clock's, so that windows are the same in every implementation.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Account } from "../domain/money/Account.ts";
import type { KeyHolder } from "../domain/access/ApiKey.ts";
import type { Extraction } from "../domain/run/Extraction.ts";
import type { RateName } from "../domain/money/PlanLimits.ts";

export interface RateLimit {
  /** Requests that share a count share a bucket name. */
  readonly bucket: string;
  readonly perMinute: number;
}

/** A rate that an account's plan sets. */
export interface PlannedRate {
  readonly bucket: string;
  readonly rate: RateName;
  /** Multiplies the rate for this bucket. */
  readonly times: number;
  /** By the plan's name; an unknown name uses the plan `default`. */
  readonly perMinuteByPlan: Readonly<Record<string, number>>;
}

export interface RateLimitState {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left after this one; 0 if it was rejected. */
  readonly remaining: number;
  /** Unix time in seconds when the window ends; windows are aligned to epoch minutes. */
  readonly resetAtSeconds: number;
  /** Whole seconds until then, at least 1. */
  readonly retryAfterSeconds: number;
}

/** A request with a key, counted for the key's account. */
export interface Admission {
  readonly holder: KeyHolder;
  readonly state: RateLimitState;
  /** The key's account at that time; read on demand. */
  readonly account: () => Account;
  /** The requested extraction: none if it does not belong to the account, or the request was rejected. */
  readonly extraction: () => Option.Option<Extraction>;
}

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Counts one request, atomically across all processes that share the store. Rejected requests do not count
     * towards the next window. Counts may be lost with the store, since they are not used for billing.
     */
    readonly consume: (accountId: string, limit: RateLimit) => Effect.Effect<RateLimitState>;

    /**
     * Store.findApiKey and `consume` at the rate of the account's limits or plan in one round trip, for stores
     * that have all of them; absent in others. None, with nothing counted, if there is no active key with the
     * hash. With an id it includes Store.getExtraction: most requests only read one row.
     */
    readonly admit?: (
      keyHash: string,
      limit: PlannedRate,
      extractionId: string | null
    ) => Effect.Effect<Option.Option<Admission>>;
  }
>()("@winnow/core/ports/RateLimits") {}
