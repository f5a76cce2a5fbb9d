/** The proxy of one run for the duration of a test, with shorthands for requests to it. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { Egress, type EgressProxy, type EgressSettings } from "../../src/network/index.ts";
import type { LoopbackServer } from "./LoopbackServer.ts";
import { connectVia, viaProxy } from "./ProxyClient.ts";
import { quietEgress } from "./QuietEgress.ts";

export const BUDGET_BYTES = 10_000_000;

/** Opens a proxy for which only `site` is open, and runs `body` with it. */
export const withProxy = <A, E>(
  site: LoopbackServer,
  body: (proxy: EgressProxy) => Effect.Effect<A, E, Scope.Scope | Egress>,
  {
    budgetBytes = BUDGET_BYTES,
    ...settings
  }: Partial<EgressSettings> & { readonly budgetBytes?: number } = {}
) =>
  Effect.gen(function* () {
    const egress = yield* Egress;
    return yield* body(yield* egress.openProxy({ budgetBytes }));
  }).pipe(Effect.scoped, Effect.provide(quietEgress({ allow: [site.authority], ...settings })));

export const ask = (...args: Parameters<typeof viaProxy>) => Effect.promise(() => viaProxy(...args));
export const tunnelTo = (proxyUrl: string, authority: string) =>
  Effect.promise(() => connectVia(proxyUrl, authority));
/** Whether the promise is rejected, because the connection broke. */
export const breaks = (attempt: Promise<unknown>) =>
  Effect.promise(() =>
    attempt.then(
      () => false,
      () => true
    )
  );
