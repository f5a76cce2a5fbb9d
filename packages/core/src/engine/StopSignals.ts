/**
 * Tells attempts of this process at once that their run is over. Those of other processes find out by
 * looking at their claim.
 */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as RcMap from "effect/RcMap";
import type * as Scope from "effect/Scope";

export interface StopSignals {
  /** Completes when the run is to stop. Hears every signal from now on until the scope closes. */
  readonly listen: (extractionId: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>;
  readonly stop: (extractionId: string) => Effect.Effect<void>;
}

export const makeStopSignals: Effect.Effect<StopSignals, never, Scope.Scope> = Effect.map(
  RcMap.make({ lookup: (_extractionId: string) => Deferred.make<void>() }),
  (signals): StopSignals => ({
    listen: (id) => Effect.map(RcMap.get(signals, id), Deferred.await),
    stop: (id) =>
      Effect.scoped(
        Effect.flatMap(RcMap.get(signals, id), (signal) => Effect.asVoid(Deferred.succeed(signal, undefined)))
      )
  })
);
