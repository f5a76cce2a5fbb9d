/**
 * Counts requests of an account in fixed one-minute windows.
 * Time is the Clock's, so that windows are the same in every implementation.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { keyHolderOf, type KeyHolder } from "../domain/access/ApiKey.ts";
import { planOf, type RequestLimit } from "../domain/money/Plan.ts";
import type { Extraction } from "../domain/run/Extraction.ts";
import { Plans } from "./Plans.ts";
import { Store } from "./Store.ts";

export interface RateLimit {
  /** Requests that share a count share a bucket name. */
  readonly bucket: string;
  readonly perMinute: number;
}

/** A limit of the account's own limits, else of its plan. */
export interface PlannedLimit {
  readonly bucket: string;
  readonly limit: RequestLimit;
  /** Multiplies it for this bucket. */
  readonly times: number;
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

/** A request with an API key. */
export interface KeyedRead {
  readonly holder: KeyHolder;
  readonly state: RateLimitState;
  /** Decoded on demand: none if the account has no such extraction, or the request was rejected. */
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
     * What most requests need: Store.findApiKey, `consume` for the key's account and, with an id,
     * Store.getExtraction. Nothing is counted if there is no active key with the hash. In a database, one statement.
     */
    readonly readWithKey: (
      keyHash: string,
      limit: PlannedLimit,
      extractionId: string | null
    ) => Effect.Effect<Option.Option<KeyedRead>>;
  }
>()("@winnow/core/ports/RateLimits") {}

/** `readWithKey` for counts that are not in the Store's database. */
export const makeReadWithKey = (
  consume: RateLimits["Service"]["consume"]
): Effect.Effect<RateLimits["Service"]["readWithKey"], never, Store> =>
  Effect.gen(function* () {
    const store = yield* Store;
    const { book } = yield* Plans;
    return Effect.fnUntraced(function* (keyHash, { bucket, limit, times }, extractionId) {
      const nowMs = yield* Clock.currentTimeMillis;
      const key = Option.getOrUndefined(yield* store.findApiKey(keyHash, nowMs));
      const account = key === undefined ? Option.none() : yield* store.getAccount(key.accountId);
      if (key === undefined || Option.isNone(account)) return Option.none();
      const { limits } = planOf(book(), account.value, nowMs);
      const state = yield* consume(key.accountId, { bucket, perMinute: limits[limit] * times });
      const isRead = extractionId !== null && state.allowed;
      const found = isRead ? yield* store.getExtraction(key.accountId, extractionId) : Option.none();
      return Option.some({ holder: keyHolderOf(key), state, extraction: () => found });
    });
  });
