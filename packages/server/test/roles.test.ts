// @module-tag smoke: starts two servers for each case
/**
 * API and worker as two processes on one database: what each of them does, one trace across both, and how they
 * stop.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import { CLAIM_POLL_INTERVAL_MS } from "@winnow/core/engine/runs/Worker";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { collector, type CollectedSpan } from "./Collector.ts";
import { readEvents } from "./EventReader.ts";
import { patientTimers } from "./NodeOptions.ts";
import { parsePrometheus, valueOf } from "./PrometheusText.ts";
import { processesAbout, serverProcess, type ServerProcess } from "./ServerProcess.ts";
import { newDatabase } from "./SharedPostgres.ts";
import { slowSite } from "./slowSite.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";

const ADMIN_TOKEN = "admin-token-of-the-roles-test";
const TEST_MS = 360_000;

interface Asked {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Not validated against the contract: a worker has endpoints that the API does not have. */
const ask = (url: string, { headers = {}, body }: Asked = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body === undefined ? null : JSON.stringify(body)
    });
    const text = await response.text();
    return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : null };
  });

/** How long a stopping process waits for the collector: Effect's default. */
const EXPORT_WAIT_MS = 3_000;

const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };

/** Creates an account with credits; returns the header with its API key. */
const openAccount = Effect.fnUntraced(function* (api: string) {
  const { json: account } = yield* ask(`${api}/admin/v1/accounts`, { headers: admin, body: { name: "x" } });
  const path = `${api}/admin/v1/accounts/${account.id}`;
  yield* ask(`${path}/top-ups`, { headers: admin, body: { credits: 10_000 } });
  const { json } = yield* ask(`${path}/api-keys`, { headers: admin, body: { name: "x" } });
  return { "x-api-key": json.key as string };
});

const until = (url: string, headers: Record<string, string>, reached: (json: any) => boolean) =>
  ask(url, { headers }).pipe(
    Effect.repeat({ schedule: Schedule.spaced("1100 millis"), until: ({ json }) => reached(json) }),
    Effect.timeout("120 seconds")
  );

/** The metrics of a process, once `reached` is true of them; the text is cached for a second. */
const metrics = (process: ServerProcess, reached: (text: string) => boolean) =>
  ask(`${process.url}/metrics`).pipe(
    Effect.repeat({ schedule: Schedule.spaced("1100 millis"), until: ({ text }) => reached(text) }),
    Effect.timeout("60 seconds"),
    Effect.map(({ text }) => text)
  );

/** Whether the metrics of the database are included: it has a few seconds to respond. */
const isWhole = (text: string): boolean => valueOf(text, "winnow_database_up") === 1;

/** While its database is slow, a process is not ready. */
const untilReady = (process: ServerProcess) =>
  ask(`${process.url}/readyz`).pipe(
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: ({ status }) => status === 200 }),
    Effect.timeout("60 seconds")
  );

/** Two processes on a new database; `env` is for both. */
const twoProcesses = Effect.fnUntraced(function* (env: Record<string, string>) {
  const folder = yield* temporaryFolder("roles");
  const shared = {
    WINNOW_PORT: "0",
    WINNOW_DATABASE_URL: yield* newDatabase,
    WINNOW_ARTIFACTS_URL: `file://${folder}/artifacts`,
    WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
    ...env
  };
  const of = (role: string) =>
    serverProcess({ ...shared, WINNOW_ROLE: role, WINNOW_DATA_DIR: join(folder, role) });
  const api = yield* of("api");
  return { folder, api, startWorker: of("worker") };
});

const attributesOf = (span: CollectedSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

describe("an API and a worker on one database", () => {
  it.live(
    "the API accepts runs and executes none, the worker executes them and has no API, in one trace",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        site.setSlow(false);
        const otel = yield* collector;
        const { api, startWorker } = yield* twoProcesses({
          WINNOW_EGRESS_ALLOW: site.host,
          OTEL_EXPORTER_OTLP_ENDPOINT: otel.url,
          OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector,x-tenant=7",
          // The remaining spans are sent before the processes exit, and an inspection waits until yt-dlp has
          // started, however long that takes.
          ...patientTimers(EXPORT_WAIT_MS, ENGINE_DEFAULTS.inspectTimeoutMs)
        });
        yield* untilReady(api);
        const key = yield* openAccount(api.url);
        const traceId = randomBytes(16).toString("hex");
        const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
        const { json: run } = yield* ask(`${api.url}/v1/extractions?secret=in-the-query`, {
          headers: { ...key, traceparent },
          body: { url: site.pageUrl }
        });
        const waiting = yield* metrics(api, isWhole);
        assert.strictEqual(valueOf(waiting, "winnow_queue_jobs", { state: "waiting" }), 1);
        assert.strictEqual(valueOf(waiting, "winnow_runs", { state: "pending", kind: "video" }), 1);
        const upkeep = ["winnow_queue_dead_rows", "winnow_database_oldest_transaction_seconds"];
        assert.containsAllKeys(parsePrometheus(waiting), upkeep);

        const worker = yield* startWorker;
        assert.include(worker.stdout, "worker listening on");
        assert.strictEqual((yield* ask(`${worker.url}/healthz`)).status, 200);
        yield* untilReady(worker);
        for (const path of ["/v1/extractions", "/admin/v1/accounts", "/v1/openapi.json", "/docs", "/"]) {
          const { status, json } = yield* ask(`${worker.url}${path}`, { headers: { ...key } });
          assert.strictEqual(status, 404, path);
          assert.strictEqual(json.error.code, "not_found");
          assert.include(json.error.message, "WINNOW_ROLE");
        }
        const at = `${api.url}/v1/extractions/${run.id}`;
        const { json: done } = yield* until(at, key, ({ phase }) => phase === "done" || phase === "failed");
        assert.strictEqual(done.status, "complete", worker.stderr());
        const { status } = yield* ask(`${at}/files/video.mp4`, { headers: key });
        assert.strictEqual(status, 200);
        const labels = { kind: "video", state: "complete" };
        // Counted a moment after the API sees the end in the database.
        const ended = yield* metrics(worker, (text) => valueOf(text, "winnow_runs_ended_total", labels) > 0);
        assert.strictEqual(valueOf(ended, "winnow_runs_ended_total", labels), 1);
        assert.strictEqual(valueOf(ended, "winnow_ytdlp_server_starts_total"), 1);
        const { text: ofApi } = yield* ask(`${api.url}/metrics`);
        assert.strictEqual(valueOf(ofApi, "winnow_runs_ended_total", labels), 0);

        // Stopping sends the remaining spans.
        assert.strictEqual(yield* Effect.promise(() => worker.kill("SIGTERM")), 0, worker.stderr());
        assert.strictEqual(yield* Effect.promise(() => api.kill("SIGTERM")), 0, api.stderr());
        assert.deepStrictEqual([...new Set(otel.authorizations)], ["Bearer of-the-collector"]);
        assert.notInclude(api.stderr() + worker.stderr(), "of-the-collector");
        const trace = otel.spans.filter((span) => span.traceId === traceId);
        const named = (name: string) => trace.find((span) => span.name === name);
        const request = trace.find((span) => span.kind === 2);
        assert.strictEqual(request?.parentSpanId, "00f067aa0ba902b7");
        assert.strictEqual(attributesOf(request)["http.route"], "/v1/extractions");
        for (const name of [
          "Extractions.submit",
          "Worker.execute",
          "InputFetch.fetchInputs",
          "Worker.settle"
        ]) {
          assert.isDefined(named(name), `${name} is not among ${trace.map((span) => span.name).join(" ")}`);
        }
        assert.strictEqual(named("Worker.execute")?.parentSpanId, named("Extractions.submit")?.spanId);
        assert.strictEqual(attributesOf(named("Worker.execute"))["extractionId"], run.id);
        const requests = otel.spans.filter((span) => span.kind === 2);
        assert.isAbove(new Set(requests.map((span) => span.traceId)).size, 5, "requests share a trace");
        const sent = otel.bodies.join("\n");
        for (const secret of [key["x-api-key"], ADMIN_TOKEN, "in-the-query", site.pageUrl]) {
          assert.notInclude(sent, secret);
        }
        assert.notInclude(sent, "/metrics");
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "a stopping worker requeues its run, and both exit with 0, with or without a collector",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        const otel = yield* collector;
        otel.setBroken(true);
        const { api, startWorker, folder } = yield* twoProcesses({
          WINNOW_EGRESS_ALLOW: site.host,
          OTEL_EXPORTER_OTLP_ENDPOINT: otel.url
        });
        const key = yield* openAccount(api.url);
        const { json: run } = yield* ask(`${api.url}/v1/extractions`, {
          headers: key,
          body: { url: site.pageUrl }
        });
        const at = `${api.url}/v1/extractions/${run.id}`;
        const first = yield* startWorker;
        yield* until(at, key, ({ status }) => status === "running" && site.openAnswers() > 0);
        assert.strictEqual(yield* Effect.promise(() => first.kill("SIGTERM")), 0, first.stderr());
        assert.strictEqual((yield* ask(at, { headers: key })).json.status, "pending");
        site.setSlow(false);
        yield* startWorker;
        const { json: done } = yield* until(at, key, ({ phase }) => phase === "done" || phase === "failed");
        assert.strictEqual(done.status, "complete");
        assert.strictEqual(yield* Effect.promise(() => api.kill("SIGTERM")), 0, api.stderr());
        assert.isNotEmpty(otel.bodies);
        assert.isNotEmpty(processesAbout(folder), "the second worker ended by itself");
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)(
    "the API shows the worker's progress, and a cancellation there stops its programs at once",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        // The worker does not poll for cancellations here: if it stops in time, it was notified.
        const { api, startWorker } = yield* twoProcesses({
          WINNOW_EGRESS_ALLOW: site.host,
          ...patientTimers(CLAIM_POLL_INTERVAL_MS)
        });
        const key = yield* openAccount(api.url);
        yield* startWorker;
        for (let run = 0; run < 3; run++) {
          const body = { url: site.pageUrl, force: true, parts: ["video"] };
          const { json: submitted } = yield* ask(`${api.url}/v1/extractions`, { headers: key, body });
          const at = `${api.url}/v1/extractions/${submitted.id}`;
          const stream = yield* readEvents(`${at}/events`, key);
          let event = yield* stream.next;
          while (event?.event === "progress" && event.data.bytes === 0) event = yield* stream.next;
          assert.deepInclude(event?.data, { phase: "processing", step: "fetching" });
          assert.isAbove(site.openAnswers(), 0);
          yield* ask(`${at}/cancel`, { headers: key, body: {} });
          const last = (yield* stream.rest).at(-1);
          assert.deepInclude(last, { event: "result" });
          assert.strictEqual(last?.data.failure.reason, "cancelled");
          yield* Effect.sync(site.openAnswers).pipe(
            Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (open) => open === 0 }),
            Effect.timeout("60 seconds")
          );
        }
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)(
    "plans that are read again on SIGHUP start the runs that waited for a slot",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        const plans = join(yield* temporaryFolder("plans"), "plans.json");
        const allow = (runningMax: number) =>
          writeFileSync(plans, JSON.stringify({ default: { runningMax } }));
        allow(1);
        const { api, startWorker } = yield* twoProcesses({
          WINNOW_EGRESS_ALLOW: site.host,
          WINNOW_PLANS: plans,
          WINNOW_WORKERS: "3"
        });
        const key = yield* openAccount(api.url);
        const worker = yield* startWorker;
        const body = { url: site.pageUrl, force: true, parts: ["video"] };
        for (let run = 0; run < 3; run++) {
          yield* ask(`${api.url}/v1/extractions`, { headers: key, body });
        }
        const running = (count: number) =>
          until(`${api.url}/v1/extractions`, key, ({ data }) => {
            const statuses: ReadonlyArray<string> = data.map(({ status }: { status: string }) => status);
            return statuses.filter((status) => status === "running").length === count;
          });
        yield* running(1);
        allow(3);
        for (const { pid } of [api, worker]) process.kill(pid, "SIGHUP");
        yield* running(3);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
