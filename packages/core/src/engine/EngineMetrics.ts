/**
 * Metrics of the engine's work in this process, served at /metrics (docs/operations.md). Tests: the server's
 * metrics.test.ts.
 *
 * Labels have few values, all known in advance: never an id, a URL or text from a caller.
 */
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";

/** Seconds; from a cached inspection to the time limit of 10 s. */
const INSPECTION_BOUNDARIES = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Seconds; from a receiver in the same network to the time limit of 10 s. */
const WEBHOOK_BOUNDARIES = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Seconds; from an article to the default time limit of a run. */
const RUN_BOUNDARIES = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

const submits = Metric.counter("winnow_submits_total", {
  description: "Submits by outcome: fresh, reused, replayed, or refused with a code",
  incremental: true
});
const runsEnded = Metric.counter("winnow_runs_ended_total", {
  description: "Runs that ended, by kind of source, state, and reason of failure",
  incremental: true
});
export const runsReleased = Metric.counter("winnow_runs_handed_back_total", {
  description: "Runs that a stopping worker returned to the queue",
  incremental: true
});
const runDuration = Metric.histogram("winnow_run_duration_seconds", {
  description: "Time from the start of a run's last attempt to its end",
  boundaries: RUN_BOUNDARIES
});
const runWait = Metric.histogram("winnow_run_wait_seconds", {
  description: "Time from submit to the first start of a run",
  boundaries: RUN_BOUNDARIES
});
const inspectionDuration = Metric.histogram("winnow_inspection_duration_seconds", {
  description: "Duration of inspections by submit and probe, including cached ones",
  boundaries: INSPECTION_BOUNDARIES
});
export const creditsDebited = Metric.counter("winnow_credits_debited_total", {
  description: "Credits debited; the ledger is authoritative",
  incremental: true
});
export const creditsRefunded = Metric.counter("winnow_credits_refunded_total", {
  description: "Credits refunded; the ledger is authoritative",
  incremental: true
});
const creditsPaidIn = Metric.counter("winnow_credits_paid_in_total", {
  description: "Credits added to accounts, by kind of ledger entry",
  incremental: true
});

const webhookAttempts = Metric.counter("winnow_webhook_attempts_total", {
  description:
    "Delivery attempts by outcome: delivered, retry, failed permanently, or taken over by another process",
  incremental: true
});
const webhookAttemptDuration = Metric.histogram("winnow_webhook_attempt_duration_seconds", {
  description: "Duration of a delivery attempt",
  boundaries: WEBHOOK_BOUNDARIES
});

/**
 * One series of a metric per combination of label values, cached because a series is looked up by a key that
 * is expensive to build.
 */
export const byLabels = <const Label extends string>(
  metric: Metric.Metric<number, unknown>,
  labels: ReadonlyArray<Label>
) => {
  const series = new Map<string, Metric.Metric<number, unknown>>();
  return (amount: number, values: { readonly [L in Label]: string }): Effect.Effect<void> => {
    const key = labels.map((label) => values[label]).join("\n");
    let one = series.get(key);
    if (one === undefined) {
      one = Metric.withAttributes(
        metric,
        Object.fromEntries(labels.flatMap((label) => (values[label] === "" ? [] : [[label, values[label]]])))
      );
      series.set(key, one);
    }
    return Metric.update(one, amount);
  };
};

export const countSubmit = byLabels(submits, ["outcome", "code"]);
export const countRunEnd = byLabels(runsEnded, ["kind", "state", "reason"]);
export const timeRun = byLabels(runDuration, ["kind", "outcome"]);
export const timeWait = byLabels(runWait, ["kind"]);
export const recordInspection = byLabels(inspectionDuration, ["outcome"]);
export const countWebhookAttempt = byLabels(webhookAttempts, ["outcome"]);
export const timeWebhookAttempt = byLabels(webhookAttemptDuration, ["outcome"]);
export const countPaidIn = byLabels(creditsPaidIn, ["kind"]);

/** Shows the counters without labels from the start: nothing counted yet is 0, not unknown. */
export const declare: Effect.Effect<void> = Effect.forEach(
  [creditsDebited, creditsRefunded, runsReleased],
  (metric) => Metric.update(metric, 0),
  { discard: true }
);
