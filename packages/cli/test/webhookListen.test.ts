// @module-tag long
/** `winnow webhook listen` as a program, with a real server and with one that fails. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { lookUntil } from "@winnow/server/test/lookUntil";
import { PRIVATE, STUCK, TestApp, VIDEO } from "@winnow/server/test/TestApp";
import { BIN } from "@winnow/server/test/WinnowLauncher";

/** Several polls, on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

/** Running for the scope; `until` waits for a text on standard output or error. */
const listening = (url: string, key: string, ...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const texts = { stdout: "", stderr: "" };
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [BIN, "webhook", "listen", "--url", url, "--api-key", key, ...more], {
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    );
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (chunk: string) => (texts[name] += chunk));
    const until = (holds: (written: typeof texts) => boolean) =>
      lookUntil(
        Effect.sync(() => texts),
        holds
      );
    yield* until(({ stderr }) => stderr.includes("Listening for events"));
    return { texts, until };
  });

interface Line {
  readonly id: string;
  readonly event: string;
  readonly extractionId: string | null;
  readonly at: string;
  readonly body: string;
  readonly forwarded: string | null;
}

const linesOf = (stdout: string): ReadonlyArray<Line> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

layer(TestApp.layer, { excludeTestServices: true })("winnow webhook listen", (it) => {
  it.effect("shows what ends and tests from now on, as endpoints get them, each once", () =>
    Effect.gen(function* () {
      const { account, call, finished, url } = yield* TestApp;
      const owner = yield* account(10_000);
      const { key } = owner;
      yield* finished(owner, { url: VIDEO });
      const { json: stuck } = yield* call("/v1/extractions", { key, body: { url: STUCK } });
      const { until } = yield* listening(url, key, "--json");
      yield* call(`/v1/extractions/${stuck.id}/cancel`, { key, method: "POST" });
      const failed = yield* finished(owner, { url: PRIVATE });
      const complete = yield* finished(owner, { url: VIDEO, force: true });
      yield* until(({ stdout }) => linesOf(stdout).length >= 3);
      const hook = { url: "https://hooks.example.org/in" };
      const { json: endpoint } = yield* call("/v1/webhook-endpoints", { key, body: hook });
      const { json: test } = yield* call(`/v1/webhook-endpoints/${endpoint.id}/test`, {
        key,
        method: "POST"
      });
      const { stdout } = yield* until((texts) => linesOf(texts.stdout).length >= 4);
      const lines = linesOf(stdout);
      assert.deepStrictEqual(
        lines.map(({ event, extractionId }) => [event, extractionId]),
        [
          ["extraction.failed", stuck.id],
          ["extraction.failed", failed],
          ["extraction.completed", complete],
          ["test", null]
        ]
      );
      for (const { body, event, extractionId } of lines.slice(0, 3)) {
        const { json } = yield* call(`/v1/extractions/${extractionId}/result`, { key });
        assert.deepStrictEqual(JSON.parse(body), { event, data: json });
      }
      assert.strictEqual(lines[3]?.id, test.id);
      const { data, event } = JSON.parse(lines[3]?.body ?? "");
      assert.strictEqual(event, "test");
      assert.deepInclude(data, { endpointId: endpoint.id, sentAt: test.createdAt });
    }).pipe(Effect.scoped)
  );
});

const AT = "2026-11-21T08:00:00.000Z";
const extraction = (id: string) => ({ id, status: "complete", createdAt: AT, completedAt: AT });
const pageOf = (...data: ReadonlyArray<object>) => ({ data, has_more: false, next_cursor: null });

/** Drops connections while it is away; results named `deleted` are not there. */
const failingServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const state = { isAway: false, items: [] as ReadonlyArray<object> };
    const server = createServer((request, response) => {
      if (state.isAway) return void request.socket.destroy();
      const path = request.url ?? "";
      const isDeleted = path.includes("/deleted/");
      response.writeHead(isDeleted ? 404 : 200, { "content-type": "application/json" });
      if (isDeleted)
        return void response.end(JSON.stringify({ error: { code: "not_found", message: "gone" } }));
      if (path.includes("/result")) return void response.end(JSON.stringify({ id: "1" }));
      response.end(JSON.stringify(path.includes("/extractions?") ? pageOf(...state.items) : pageOf()));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { state, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
);

describe("winnow webhook listen", () => {
  it.live("waits for a server that is away, says so once, and shows what ended meanwhile", () =>
    Effect.gen(function* () {
      const { state, url } = yield* failingServer;
      const { texts, until } = yield* listening(url, "wnw_x", "--json");
      state.isAway = true;
      yield* until(({ stderr }) => stderr.includes("Waiting for the server."));
      state.items = [extraction("ext_2"), extraction("deleted"), extraction("ext_1")];
      state.isAway = false;
      yield* until(({ stdout }) => linesOf(stdout).length >= 2);
      yield* until(({ stderr }) => stderr.includes("The server is back."));
      assert.sameMembers(
        linesOf(texts.stdout).map(({ extractionId }) => extractionId),
        ["ext_1", "ext_2"]
      );
      assert.lengthOf(texts.stderr.match(/No server responds at .* Waiting for the server\./gu) ?? [], 1);
    }).pipe(Effect.scoped)
  );
});
