/** Counts requests per account and endpoint, and reports how many remain. */
import { isRefusal, RateLimited } from "@winnow/core/domain/request/Refusal";
import { plural } from "@winnow/core/domain/text/Plural";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { type PlannedLimit, RateLimits, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Principal, limitOf, RateLimiting } from "../authentication/Authorization.ts";
import { retryAfter } from "../ApiErrors.ts";
import { setResponseHeaders } from "../handlers.ts";

const WINDOW_SECONDS = 60;

export const rateLimitMessage = ({ limit, retryAfterSeconds }: RateLimitState): string =>
  `${plural(limit, "request")} a minute ${limit === 1 ? "is" : "are"} allowed here; try again in ${retryAfterSeconds} s.`;

/** Both `X-RateLimit-*` and the structured fields of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitHeaders = (bucket: string, state: RateLimitState): Record<string, string> => ({
  "x-ratelimit-limit": String(state.limit),
  "x-ratelimit-remaining": String(state.remaining),
  "x-ratelimit-reset": String(state.resetAtSeconds),
  "ratelimit-policy": `"${bucket}";q=${state.limit};w=${WINDOW_SECONDS}`,
  ratelimit: `"${bucket}";r=${state.remaining};t=${state.retryAfterSeconds}`,
  ...(state.allowed ? {} : { "retry-after": String(state.retryAfterSeconds) })
});

/** Counts a request, unless it was counted with its key. Each way of access has its own count. */
export const makeCount = Effect.gen(function* () {
  const { planOf } = yield* Accounts;
  const { consume } = yield* RateLimits;
  return Effect.fnUntraced(function* (
    { accountId, via, read }: Principal["Service"],
    { bucket, limit, times }: PlannedLimit
  ) {
    if (read !== null) return read.state;
    const { limits } = yield* planOf(accountId);
    return yield* consume(accountId, { bucket: `${via} ${bucket}`, perMinute: limits[limit] * times });
  });
});

const toldWhenToRetry = (error: unknown) =>
  isRefusal(error) ? setResponseHeaders(retryAfter(error)) : Effect.void;

export const layer = Layer.effect(
  RateLimiting,
  Effect.gen(function* () {
    const count = yield* makeCount;
    return RateLimiting.of(
      Effect.fnUntraced(function* (handler, { endpoint }) {
        const principal = yield* Principal;
        const answered = Effect.tapError(handler, toldWhenToRetry);
        if (principal.via === "process") return yield* answered;
        const limit = limitOf(endpoint);
        const state = yield* count(principal, limit);
        yield* setResponseHeaders(rateLimitHeaders(limit.bucket, state));
        if (state.allowed) return yield* answered;
        return yield* new RateLimited({
          message: rateLimitMessage(state),
          details: { retryAfterSeconds: state.retryAfterSeconds }
        });
      })
    );
  })
);
