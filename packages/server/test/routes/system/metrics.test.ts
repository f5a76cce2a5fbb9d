// @module-tag long
import { readFileSync } from "node:fs";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import * as Schedule from "effect/Schedule";
import { parsePrometheus, valueOf } from "../../PrometheusText.ts";
import { PRIVATE, STUCK, TestApp, VIDEO } from "../../TestApp.ts";

const scrape = TestApp.use(({ call }) => Effect.map(call("/metrics"), ({ text }) => text));

/** Metrics are cached for a second. */
const nextScrape = Effect.andThen(Effect.sleep("1100 millis"), scrape);

layer(TestApp.layer, { excludeTestServices: true })("GET /metrics", (it) => {
  it.effect("needs no key and is in Prometheus format", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { status, headers, text } = yield* call("/metrics");
      assert.strictEqual(status, 200);
      assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
      const families = parsePrometheus(text);
      for (const [name, { help }] of families) assert.isNotEmpty(help, `${name} has no help`);
      assert.strictEqual(families.get("process_cpu_seconds_total")?.type, "counter");
      assert.isAbove(valueOf(text, "process_cpu_seconds_total"), 0);
      assert.isAbove(valueOf(text, "process_resident_memory_bytes"), 1_000_000);
      const sinceStart = Date.now() / 1_000 - valueOf(text, "process_start_time_seconds");
      assert.approximately(sinceStart, process.uptime(), 5);
      assert.strictEqual(families.get("nodejs_eventloop_lag_seconds")?.samples.length, 3);
      const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
      assert.deepStrictEqual(families.get("winnow_build_info")?.samples[0]?.labels, {
        version: (JSON.parse(manifest) as { readonly version: string }).version,
        node: process.versions.node
      });
      assert.strictEqual(valueOf(text, "winnow_database_up"), 1);
    })
  );

  it.effect("follows runs, with all states and kinds", () =>
    Effect.gen(function* () {
      const { account, call, finished } = yield* TestApp;
      const owner = yield* account(10_000);
      const before = yield* nextScrape;
      yield* finished(owner, { url: VIDEO, parts: ["transcript"] });
      yield* call("/v1/extractions", { key: owner.key, body: { url: VIDEO, parts: ["transcript"] } });
      yield* finished(owner, { url: PRIVATE });
      const stranger = yield* account(0);
      yield* call("/v1/extractions", { key: stranger.key, body: { url: "nonsense" } });
      for (let index = 0; index < 3; index++) {
        yield* call("/v1/extractions", { key: owner.key, body: { url: STUCK, force: true } });
      }
      const after = yield* nextScrape.pipe(
        Effect.repeat({
          schedule: Schedule.recurs(40),
          until: (text) => valueOf(text, "winnow_runs", { state: "running", kind: "video" }) === 2
        })
      );
      const grown = (name: string, labels = {}) =>
        valueOf(after, name, labels) - valueOf(before, name, labels);
      assert.strictEqual(grown("winnow_submits_total", { outcome: "fresh" }), 5);
      assert.strictEqual(grown("winnow_submits_total", { outcome: "reused" }), 1);
      assert.strictEqual(grown("winnow_submits_total", { outcome: "refused", code: "invalid_url" }), 1);
      assert.strictEqual(grown("winnow_runs_ended_total", { kind: "video", state: "complete" }), 1);
      const failed = { kind: "video", state: "failed", reason: "private" };
      assert.strictEqual(grown("winnow_runs_ended_total", failed), 1);
      assert.strictEqual(
        grown("winnow_run_duration_seconds_count", { kind: "video", outcome: "complete" }),
        1
      );
      assert.isAbove(grown("winnow_credits_debited_total"), 60);
      assert.isAbove(grown("winnow_credits_refunded_total"), 0);
      assert.strictEqual(valueOf(after, "winnow_runs_failed", { reason: "private" }), 1);
      assert.strictEqual(valueOf(after, "winnow_runs_failed", { reason: "timeout" }), 0);
      assert.strictEqual(valueOf(after, "winnow_runs", { state: "running", kind: "video" }), 2);
      assert.strictEqual(valueOf(after, "winnow_runs", { state: "queued", kind: "video" }), 1);
      assert.strictEqual(valueOf(after, "winnow_queue_jobs", { state: "active" }), 2);
      assert.strictEqual(valueOf(after, "winnow_queue_oldest_waiting_seconds"), 0);
      assert.strictEqual(parsePrometheus(after).get("winnow_runs")?.samples.length, 9);
    })
  );

  it.effect("counts requests by route, without ids and caller input", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const before = yield* nextScrape;
      yield* call("/v1/extractions/ext_hidden1/files/a-hidden-word.mp4", { key });
      yield* call("/v1/extractions/ext_hidden2?token=a-hidden-word", { key });
      yield* call("/no/such/a-hidden-word", { headers: { "x-request-id": "a-hidden-word" } });
      yield* call("/v1/extractions", { method: "DELETE", key });
      yield* call("/v1/extractions", { method: "PROPFIND", key });
      const after = yield* nextScrape;
      assert.notInclude(after, "hidden");
      const grown = (labels: Record<string, string>) =>
        valueOf(after, "winnow_http_requests_total", labels) -
        valueOf(before, "winnow_http_requests_total", labels);
      assert.strictEqual(grown({ method: "GET", route: "/v1/extractions/:id/files/*", status: "404" }), 1);
      assert.strictEqual(grown({ method: "GET", route: "/v1/extractions/:id", status: "404" }), 1);
      assert.strictEqual(grown({ method: "GET", route: "other", status: "404" }), 1);
      assert.strictEqual(grown({ method: "DELETE", route: "/v1/extractions", status: "405" }), 1);
      assert.strictEqual(grown({ method: "other", route: "/v1/extractions", status: "405" }), 1);
      const timed = { method: "GET", route: "/v1/extractions/:id" };
      assert.isAbove(valueOf(after, "winnow_http_request_duration_seconds_count", timed), 0);
    })
  );

  it.effect("counts requests rejected by rate limits, by limit", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const before = yield* nextScrape;
      const statuses = yield* Effect.forEach(Array.from({ length: 7 }), () =>
        Effect.map(call("/v1/extractions", { key, body: {} }), ({ status }) => status)
      );
      const after = yield* nextScrape;
      const refused = parsePrometheus(after).get("winnow_rate_limited_requests_total")?.samples ?? [];
      const earlier = parsePrometheus(before).get("winnow_rate_limited_requests_total")?.samples ?? [];
      const sum = (samples: typeof refused) => samples.reduce((total, { value }) => total + value, 0);
      assert.strictEqual(sum(refused) - sum(earlier), statuses.filter((status) => status === 429).length);
      assert.isAbove(sum(refused), 0);
    })
  );

  it.effect("escapes labels", () =>
    Effect.gen(function* () {
      const odd = 'a "quoted" \\ back\nline';
      yield* Metric.update(
        Metric.counter("winnow_test_total", { description: "line\none", attributes: { odd } }),
        1
      );
      assert.strictEqual(valueOf(yield* nextScrape, "winnow_test_total", { odd }), 1);
    })
  );
});
