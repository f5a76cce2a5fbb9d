/** How the handlers of a route are made, and answer. */
import * as Effect from "effect/Effect";
import * as HttpApi from "effect/http-api/HttpApi";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpEffect from "effect/http/HttpEffect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { apiErrorOf, retryAfterSecondsOf, type ApiErrorOf } from "./ApiErrors.ts";

/** The API as far as the handlers of one group know it: all groups are in routes/Api. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("winnow").add(group);

/** Sets headers of the current response before the response is known. */
export const setResponseHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  );

/** Refusals become the errors of the contract, with `Retry-After` where waiting helps. */
export const withApiErrors = <A, E, R>(
  use: Effect.Effect<A, E, R>
): Effect.Effect<A, ApiErrorOf<E>, R | HttpServerRequest> =>
  use.pipe(
    Effect.catch((error) => {
      const seconds = retryAfterSecondsOf(error);
      const failed = Effect.fail(apiErrorOf(error));
      return seconds === null
        ? failed
        : Effect.andThen(setResponseHeaders({ "retry-after": String(seconds) }), failed);
    })
  );
