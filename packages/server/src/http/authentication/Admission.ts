/**
 * Authenticates a key and counts the request in one round trip if the store supports it, since most requests do
 * little else.
 */
import { hashApiKey, isApiKey, type KeyHolder } from "@winnow/core/domain/access/ApiKey";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import type { RowsOfRequest } from "@winnow/core/engine/RequestRows";
import { limitByPlan } from "@winnow/core/domain/money/Plan";
import type { RateName } from "@winnow/core/domain/money/PlanLimits";
import { Plans } from "@winnow/core/ports/Plans";
import { RateLimits, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as Option from "effect/Option";
import { EndpointLimit } from "./Authorization.ts";

/** The count of this request, if it was made together with the look-up of its key. */
export class CountedRequest extends Context.Reference<RateLimitState | null>(
  "@winnow/server/http/CountedRequest",
  { defaultValue: () => null }
) {}

/** Requests that are counted together, and the plan's limit for them. */
export interface Bucket {
  readonly bucket: string;
  readonly rate: RateName;
  readonly times: number;
}

/** The rate-limit window of the endpoint. */
export const bucketOf = (endpoint: HttpApiEndpoint.Top): Bucket => {
  const { bucket, rate, times = 1 } = Context.get(endpoint.annotations, EndpointLimit);
  return { bucket: bucket ?? endpoint.identifier, rate, times };
};

/** Counts a request without a key; `prefix` separates other ways of access. */
export const makeCount = Effect.gen(function* () {
  const { planOf } = yield* Accounts;
  const { consume } = yield* RateLimits;
  return Effect.fnUntraced(function* (accountId: string, { bucket, rate, times }: Bucket, prefix = "") {
    const { limits } = yield* planOf(accountId);
    return yield* consume(accountId, { bucket: `${prefix}${bucket}`, perMinute: limits[rate] * times });
  });
});

/** `state` is null if the request still has to be counted. */
export interface Admitted {
  readonly holder: KeyHolder;
  readonly state: RateLimitState | null;
  readonly rows: RowsOfRequest;
}

export const NO_ROWS: RowsOfRequest = { account: null, extraction: null };

/** None for invalid and revoked keys. With the id of an extraction, its row is loaded too. */
export const makeAdmission = Effect.gen(function* () {
  const { authenticate } = yield* Accounts;
  const { admit } = yield* RateLimits;
  const { book } = yield* Plans;
  return Effect.fnUntraced(function* (
    key: string,
    { bucket, rate, times }: Bucket,
    extractionId: string | null = null
  ): Effect.fn.Return<Option.Option<Admitted>> {
    if (admit === undefined) {
      return Option.map(yield* authenticate(key), (holder) => ({ holder, state: null, rows: NO_ROWS }));
    }
    if (!isApiKey(key)) return Option.none();
    const perMinuteByPlan = limitByPlan(book(), rate);
    const admitted = yield* admit(hashApiKey(key), { bucket, rate, times, perMinuteByPlan }, extractionId);
    return Option.map(admitted, ({ holder, state, account, extraction: read }) => ({
      holder,
      state,
      rows: {
        account,
        extraction: extractionId === null ? null : { accountId: holder.accountId, id: extractionId, read }
      }
    }));
  });
});
