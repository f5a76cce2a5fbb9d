/**
 * Who a key speaks for, counted in the same trip where the store can do both: most requests do little else.
 */
import { hashApiKey, isApiKey, type KeyHolder } from "@winnow/core/domain/ApiKey";
import { Accounts } from "@winnow/core/engine/Accounts";
import { RateLimits, type RateLimit, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as Option from "effect/Option";
import { EndpointLimit } from "../api/Authorization.ts";

/** The count of this request, when it was made together with the look at its key. */
export class CountedRequest extends Context.Reference<RateLimitState | null>(
  "@winnow/server/http/CountedRequest",
  { defaultValue: () => null }
) {}

/** The window that the endpoint's requests share. */
export const limitOf = (endpoint: HttpApiEndpoint.Top): RateLimit => {
  const { bucket, perMinute } = Context.get(endpoint.annotations, EndpointLimit);
  return { bucket: bucket ?? endpoint.identifier, perMinute };
};

/** `state` is null when the request is still to be counted. */
export interface Admitted {
  readonly holder: KeyHolder;
  readonly state: RateLimitState | null;
}

/** None for what is no key, or none any more. */
export const makeAdmission = Effect.gen(function* () {
  const { authenticate } = yield* Accounts;
  const { admit } = yield* RateLimits;
  return Effect.fnUntraced(function* (
    key: string,
    limit: RateLimit
  ): Effect.fn.Return<Option.Option<Admitted>> {
    if (admit === undefined) {
      return Option.map(yield* authenticate(key), (holder) => ({ holder, state: null }));
    }
    return isApiKey(key) ? yield* admit(hashApiKey(key), limit) : Option.none();
  });
});
