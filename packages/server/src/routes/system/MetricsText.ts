/**
 * The /metrics response: metrics of this process, and the state of the database, which is read on request at most
 * once a second.
 */
import { monitorEventLoopDelay, type IntervalHistogram } from "node:perf_hooks";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import type * as Scope from "effect/Scope";
import { DAY_MS } from "@winnow/core/domain/Durations";
import { FailureReason } from "@winnow/core/domain/source/Failed";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import { FreeSpace } from "@winnow/core/ports/FreeSpace";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { SourceRoutes } from "../../SourceRoutes.ts";
import { Store } from "@winnow/core/ports/Store";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics";
import { VERSION } from "../../version.ts";

// Resource usage of this process, with the metric names of Prometheus client libraries.

/** Interval at which event loop lag is measured. */
const LAG_RESOLUTION_MS = 20;

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

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
    (Date.now() - process.uptime() * 1_000) / 1_000
  )
);

/** Since the previous call; punctual timers do not count as lag. */
const lag = (histogram: IntervalHistogram) =>
  Effect.suspend(() => {
    const seconds = (nanoseconds: number): number =>
      histogram.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - LAG_RESOLUTION_MS / 1_000);
    const description = "Event loop delay since the last scrape in seconds";
    const values = [
      ["p50", histogram.percentile(50)],
      ["p99", histogram.percentile(99)],
      ["max", histogram.max]
    ] as const;
    const reported = values.map(([statistic, value]) =>
      gauge("nodejs_eventloop_lag_seconds", description, seconds(value), { statistic })
    );
    histogram.reset();
    return Effect.all(reported);
  });

/** Sets the gauges in the caller's registry. */
const processMetrics: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.map(
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

/** docs: prometheus.io/docs/instrumenting/exposition_formats, "Text-based format". */
export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const CACHE_TTL = "1 second";

/** Scrapers time out after some seconds; the metrics of the process are returned even then. */
export const DATABASE_TIMEOUT_MS = 2_000;

const STATES = ["queued", "pending", "running"] as const;

/** All combinations, so that none disappears when its last run ends. */
const liveRuns = Effect.fnUntraced(function* () {
  const counts = yield* (yield* Store).countLive;
  for (const state of STATES) {
    for (const kind of SourceKind.literals) {
      const found = counts.find((count) => count.status === state && count.kind === kind);
      const description = "Extractions that have not ended, by state and kind of source, over all processes";
      yield* gauge("winnow_runs", description, found?.count ?? 0, { state, kind });
    }
  }
});

const FAILED_DAYS = 7;

const failedRuns = Effect.fnUntraced(function* () {
  const sinceMs = (yield* Clock.currentTimeMillis) - FAILED_DAYS * DAY_MS;
  const counts = yield* (yield* Store).countFailures(sinceMs);
  const description = `Extractions that failed in the last ${FAILED_DAYS} days, by reason, over all processes`;
  for (const reason of FailureReason.literals)
    yield* gauge("winnow_runs_failed", description, counts.get(reason) ?? 0, { reason });
});

const queueDepth = Effect.fnUntraced(function* () {
  const { waiting, active, oldestWaitingSeconds, upkeep } = yield* (yield* JobQueue).depth;
  const jobs = "Jobs of the queue, over all processes";
  yield* gauge("winnow_queue_jobs", jobs, waiting, { state: "waiting" });
  yield* gauge("winnow_queue_jobs", jobs, active, { state: "active" });
  yield* gauge(
    "winnow_queue_oldest_waiting_seconds",
    "Age of the oldest waiting job, over all processes",
    oldestWaitingSeconds
  );
  if (upkeep === undefined) return;
  yield* gauge(
    "winnow_queue_dead_rows",
    "Rows of former jobs that the database has not removed yet",
    upkeep.deadRows
  );
  yield* gauge(
    "winnow_database_oldest_transaction_seconds",
    "Age of the oldest transaction of this server's database role",
    upkeep.oldestTransactionSeconds
  );
});

const outboxDepth = Effect.fnUntraced(function* () {
  const { pending, oldestDueSeconds } = yield* (yield* WebhookOutbox).depth(yield* Clock.currentTimeMillis);
  yield* gauge("winnow_webhook_deliveries_pending", "Pending deliveries, over all processes", pending);
  yield* gauge(
    "winnow_webhook_oldest_due_seconds",
    "Time since the oldest unsent delivery was due, over all processes",
    oldestDueSeconds
  );
});

/** Whether the database could be read; otherwise the latest values are kept. */
const database = Effect.gen(function* () {
  const collected = yield* Effect.all([liveRuns(), failedRuns(), queueDepth(), outboxDepth()], {
    discard: true
  }).pipe(
    Effect.timeout(DATABASE_TIMEOUT_MS),
    Effect.as(true),
    Effect.catchCause(() => Effect.succeed(false))
  );
  yield* gauge("winnow_database_up", "1 if the database responded to this scrape", collected ? 1 : 0);
});

const disks = Effect.gen(function* () {
  const { disks } = yield* FreeSpace;
  for (const { name, freeBytes } of yield* disks) {
    yield* gauge(
      "winnow_disk_free_bytes",
      "Free space on the disks that runs write to, in bytes",
      freeBytes,
      {
        place: name
      }
    );
  }
});

const routes = Effect.gen(function* () {
  const { report } = yield* SourceRoutes;
  for (const { jar, name, resting } of yield* report) {
    const of = { route: name };
    yield* gauge("winnow_route_resting", "Hosts at which a route rests now", resting.length, of);
    if (jar?.expiresAtMs != null) {
      yield* gauge(
        "winnow_route_cookies_expire_time_seconds",
        "When the cookie file of a route expires, in seconds since the epoch",
        jar.expiresAtMs / 1_000,
        of
      );
    }
  }
});

const build = gauge("winnow_build_info", "The version of the running program", 1, {
  version: VERSION,
  node: process.versions.node
});

/** Current values go to a separate registry, so that nothing of an earlier scrape remains. */
const now = (ofProcess: Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* Effect.all([build, ofProcess, disks, routes, database], { discard: true });
    return yield* PrometheusMetrics.format();
  }).pipe(
    // Called for each scrape, because the registry must be new.
    (scrape) => Effect.suspend(() => Effect.provideService(scrape, Metric.MetricRegistry, new Map()))
  );

/** Creates the effect that returns the text. */
export const MetricsText = Effect.gen(function* () {
  const context = yield* Effect.context<Store | JobQueue | WebhookOutbox>().pipe(
    Effect.map(Context.pick(Store, JobQueue, WebhookOutbox, FreeSpace, SourceRoutes))
  );
  const ofProcess = yield* processMetrics;
  const text = Effect.zipWith(
    PrometheusMetrics.format(),
    now(ofProcess),
    (counted, current) => counted + current
  );
  return yield* Effect.cachedWithTTL(
    text.pipe(Effect.provideContext(context), Effect.withTracerEnabled(false)),
    CACHE_TTL
  );
});
