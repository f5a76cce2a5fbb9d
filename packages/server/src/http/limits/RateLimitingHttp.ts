/** Counts requests per account and endpoint, and reports how many remain. */
import { plural } from "@winnow/core/domain/text/Plural";
import type { RateLimitState } from "@winnow/core/ports/RateLimits";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { RateLimited } from "../ApiErrors.ts";
import { Principal, RateLimiting } from "../authentication/Authorization.ts";
import { bucketOf, CountedRequest, makeCount } from "../authentication/Admission.ts";
import { setAnswerHeaders } from "../answerHeaders.ts";

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

export const layer = Layer.effect(
  RateLimiting,
  Effect.gen(function* () {
    const count = yield* makeCount;
    return RateLimiting.of(
      Effect.fnUntraced(function* (handler, { endpoint }) {
        const { accountId, via } = yield* Principal;
        if (via === "process") return yield* handler;
        const bucket = bucketOf(endpoint);
        // The web app and an account's programs have separate limits.
        const prefix = via === "key" ? "" : `${via} `;
        const state = (yield* CountedRequest) ?? (yield* count(accountId, bucket, prefix));
        yield* setAnswerHeaders(rateLimitHeaders(bucket.bucket, state));
        if (state.allowed) return yield* handler;
        return yield* new RateLimited({
          error: {
            message: rateLimitMessage(state),
            details: { retryAfterSeconds: state.retryAfterSeconds }
          }
        });
      })
    );
  })
);
