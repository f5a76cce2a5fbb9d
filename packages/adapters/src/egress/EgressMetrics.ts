/** What the guard counts and logs of its refusals, for the operator. */
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import type { Refused } from "./Refusal.ts";

/** Connections the guard refused, by attribute `reason` (a RefusalReason). */
export const deniedConnections = Metric.counter("winnow_egress_denied_total", {
  description: "Outgoing connections refused by the egress guard",
  incremental: true
});

export const countRefusal = ({ reason }: Refused): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deniedConnections, { reason }), 1);

/** Counted and logged: by the name as asked for, never by what it resolved to. */
export const recordRefusal = (refused: Refused): Effect.Effect<void> => {
  const { host, port, reason } = refused;
  const logged = Effect.logWarning("Outgoing connection refused").pipe(
    Effect.annotateLogs({ host, port, reason })
  );
  return Effect.andThen(countRefusal(refused), logged);
};
