/** Resource usage of this process, with the metric names of Prometheus client libraries. */
import { monitorEventLoopDelay, type IntervalHistogram } from "node:perf_hooks";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import type * as Scope from "effect/Scope";

/** Interval at which event loop lag is measured. */
const LAG_RESOLUTION_MS = 20;

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const MILLISECONDS = 1e3;

const gauge = (name: string, description: string, value: number, attributes: Record<string, string> = {}) =>
  Metric.update(Metric.gauge(name, { description, attributes }), value);

const memory = Effect.suspend(() => {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return Effect.all([
    gauge("process_resident_memory_bytes", "Resident memory size in bytes", rss),
    gauge("nodejs_heap_size_used_bytes", "Used heap of the main thread in bytes", heapUsed),
    gauge("nodejs_heap_size_total_bytes", "Heap of the main thread in bytes", heapTotal),
    gauge("nodejs_external_memory_bytes", "Memory outside the heap in bytes", external)
  ]);
});

const cpu = Effect.suspend(() => {
  const { user, system } = process.cpuUsage();
  const seconds = Metric.counter("process_cpu_seconds_total", {
    description: "User and system CPU time of the process in seconds"
  });
  return Metric.update(seconds, (user + system) / MICROSECONDS);
});

const start = Effect.suspend(() =>
  gauge(
    "process_start_time_seconds",
    "Start of the process in seconds since the epoch",
    (Date.now() - process.uptime() * MILLISECONDS) / MILLISECONDS
  )
);

/** Since the previous call; punctual timers do not count as lag. */
const lag = (histogram: IntervalHistogram) =>
  Effect.suspend(() => {
    const seconds = (nanoseconds: number): number =>
      histogram.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - LAG_RESOLUTION_MS / MILLISECONDS);
    const description = "Event loop delay since the last scrape in seconds";
    const values = [
      ["0.5", histogram.percentile(50)],
      ["0.99", histogram.percentile(99)],
      ["1", histogram.max]
    ] as const;
    const reported = values.map(([quantile, value]) =>
      gauge("nodejs_eventloop_lag_seconds", description, seconds(value), { quantile })
    );
    histogram.reset();
    return Effect.all(reported);
  });

/** Sets the gauges in the caller's registry. */
export const processMetrics: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
      histogram.enable();
      return histogram;
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  ),
  (histogram) => Effect.asVoid(Effect.all([memory, cpu, start, lag(histogram)]))
);
