/**
 * Requests of an account for unknown paths or methods: their responses have the headers of authenticated ones too.
 * requestMiddleware decides the response.
 */
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import type { HttpServerResponse } from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import type * as Types from "effect/Types";
import { makeAdmission, makeCount, type Bucket } from "./Admission.ts";
import { setAnswerHeaders } from "../answerHeaders.ts";
import { keyOf } from "../authentication/AuthorizationHttp.ts";
import { rateLimitHeaders } from "./RateLimitingHttp.ts";

/** Counted separately and never rejected, because a rejection would cost as much as the response. */
const UNROUTED: Bucket = { bucket: "unrouted", rate: "othersPerMinute", times: 1 };

const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound";

/** Placed behind requestMiddleware, which turns the failure into a response. */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const admission = yield* makeAdmission;
    const countFor = yield* makeCount;
    const count = Effect.fnUntraced(function* () {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest;
      const key = Result.getOrElse(keyOf(headers), () => null);
      if (key === null || !url.startsWith("/v1/")) return;
      const admitted = yield* admission(key, UNROUTED);
      if (Option.isNone(admitted)) return;
      const { holder, state } = admitted.value;
      const counted = state ?? (yield* countFor(holder.accountId, UNROUTED));
      yield* setAnswerHeaders(rateLimitHeaders(UNROUTED.bucket, { ...counted, allowed: true }));
    });
    return (
      handler
    ): Effect.Effect<HttpServerResponse, Types.unhandled, HttpServerRequest.HttpServerRequest> =>
      Effect.tapError(handler, (error) => (isUnrouted(error) ? count() : Effect.void));
  }),
  { global: true }
);
