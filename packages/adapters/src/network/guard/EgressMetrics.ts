/** Metrics and log lines of denied connections, for the operator. */
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import type { EgressRefused } from "./EgressRefused.ts";

/** Denied connections, by attribute `reason` (a RefusalReason). */
export const deniedConnections = Metric.counter("winnow_egress_denied_total", {
  description: "Outgoing connections refused by the egress guard",
  incremental: true
});

export const countRefusal = ({ reason }: EgressRefused): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deniedConnections, { reason }), 1);

/** Counts and logs a denial with the requested name, never with its address. */
export const recordRefusal = (refused: EgressRefused): Effect.Effect<void> => {
  const { host, port, reason } = refused;
  const logged = Effect.logWarning("Outgoing connection refused").pipe(
    Effect.annotateLogs({
      host,
      port,
      reason,
      ...(reason === "address" || reason === "host_name"
        ? { remedy: `to allow it: WINNOW_EGRESS_ALLOW=${host}` }
        : {})
    })
  );
  return Effect.andThen(countRefusal(refused), logged);
};
