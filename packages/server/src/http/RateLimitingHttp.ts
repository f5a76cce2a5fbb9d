/**
 * Counts requests per account and endpoint and tells how many are left (specification, "Rate limits").
 */
import { RateLimits, type RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { RateLimited } from "../api/ApiErrors.ts";
import { EndpointLimit, Principal, RateLimiting } from "../api/Authorization.ts";
import { setAnswerHeaders } from "./answerHeaders.ts";

const headersOf = (state: RateLimitState): Record<string, string> => ({
  "x-ratelimit-limit": String(state.limit),
  "x-ratelimit-remaining": String(state.remaining),
  "x-ratelimit-reset": String(state.resetAtSeconds),
  ...(state.allowed ? {} : { "retry-after": String(state.retryAfterSeconds) })
});

export const layer = Layer.effect(
  RateLimiting,
  Effect.gen(function* () {
    const { consume } = yield* RateLimits;
    return RateLimiting.of(
      Effect.fnUntraced(function* (handler, { endpoint }) {
        const { accountId } = yield* Principal;
        const { bucket, perMinute } = Context.get(endpoint.annotations, EndpointLimit);
        const state = yield* consume(accountId, { bucket: bucket ?? endpoint.identifier, perMinute });
        yield* setAnswerHeaders(headersOf(state));
        if (state.allowed) return yield* handler;
        return yield* new RateLimited({
          error: {
            message: `${perMinute} requests a minute are allowed here; try again in ${state.retryAfterSeconds} s.`,
            details: { retryAfterSeconds: state.retryAfterSeconds }
          }
        });
      })
    );
  })
);
