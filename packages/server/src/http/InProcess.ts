/**
 * Requests that this process makes to its own routes, without a connection: those of an embedder's clients and of the
 * tools for models. What they say about themselves is not in the request, so nothing from outside can say it. Tests: createWinnow.test.ts.
 */
import type { MadeBy } from "@winnow/core/domain/request/Requester";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as HttpEffect from "effect/http/HttpEffect";
import type * as HttpServerRequest from "effect/http/HttpServerRequest";
import type * as HttpServerResponse from "effect/http/HttpServerResponse";
import type * as Scope from "effect/Scope";

interface InProcessCaller {
  /** May do what the operator may, without the token, and as often as it likes. */
  readonly isOperator: boolean;
  readonly madeBy: MadeBy;
}

/** Null for requests from outside. */
export const InProcess = Context.Reference<InProcessCaller | null>("@winnow/server/http/InProcess", {
  defaultValue: () => null
});

type Requirements = HttpServerRequest.HttpServerRequest | Scope.Scope;

export type Routes = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Requirements>;

/** `fetch` of a client in this process. `services` are those of each request: clock, loggers and metrics. */
export const inProcessFetch = (
  routes: Routes,
  services: Context.Context<never>,
  caller: InProcessCaller
): typeof globalThis.fetch => {
  const handle = HttpEffect.toWebHandlerWith<never, Requirements>(services)(routes);
  const context = Context.make(InProcess, caller);
  return (input, init) => handle(new Request(input, init), context);
};
