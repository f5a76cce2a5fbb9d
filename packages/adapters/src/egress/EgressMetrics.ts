/** What the guard counts, for the operator's /metrics. */
import * as Metric from "effect/Metric";

/** Connections the guard refused, by attribute `reason` (a RefusalReason). */
export const deniedConnections = Metric.counter("winnow_egress_denied_total", {
  description: "Outgoing connections refused by the egress guard",
  incremental: true
});
