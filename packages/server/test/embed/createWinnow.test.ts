/** Winnow embedded: the promise API, its errors, closing it, and its isolation. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeDownloader, MemoryDatabase, VirtualClock } from "@winnow/testing";
import * as Effect from "effect/Effect";
import { assert, describe, it } from "vitest";
import { createWinnow, EngineError, SettingError, type LogEntry } from "../../src/index.ts";
import { embedded, facts, fakes, PRIVATE, VIDEO } from "./embedded.ts";

const rejection = async (promise: Promise<unknown>): Promise<EngineError> => {
  const error = await promise.then(
    () => assert.fail("it did not reject"),
    (reason: unknown) => reason
  );
  assert.instanceOf(error, EngineError);
  return error;
};

const STUCK = "https://example.com/stuck";
const BROKEN = "https://example.com/broken";
const broken = FakeDownloader.layer({
  [VIDEO]: { facts },
  [STUCK]: { facts, beforeFetch: Effect.never },
  [BROKEN]: { facts, beforeInspect: Effect.die(new Error("secret of the inside")) }
});

describe("engine", () => {
  it("quotes, submits, reports progress, waits and reads files with promises", async () => {
    await using app = await embedded({ publicUrl: "https://app.example/winnow" });
    const { engine } = app.winnow;
    const quote = await engine.probe(app.accountId, { url: VIDEO });
    assert.strictEqual(quote.price.credits, 230);
    const submitted = await engine.submit(app.accountId, { url: VIDEO });
    assert.include(submitted, { url: VIDEO, creditsDebited: 230, replayed: false });
    const phases: Array<string> = [];
    for await (const { phase } of engine.progress(app.accountId, submitted.id)) phases.push(phase);
    assert.strictEqual(phases.at(-1), "done");
    const result = await engine.wait(app.accountId, submitted.id);
    if (result.status !== "complete") assert.fail(result.status);
    assert.include(result.summary.files, "video.mp4");
    const url = /^https:\/\/app\.example\/winnow\/v1\/extractions\/ext_\w+\/files\/video\.mp4$/u;
    assert.match(result.artifacts.video ?? "", url);
    const whole = await engine.file(app.accountId, submitted.id, "video.mp4");
    assert.strictEqual(await new Response(whole.body).text(), "content of video.mp4");
    const range = { start: 11, end: 15 };
    const part = await engine.file(app.accountId, submitted.id, "video.mp4", { range });
    assert.strictEqual(await new Response(part.body).text(), "video");
    assert.strictEqual(part.sizeBytes, 20);
  });

  it("links to a file without a key, and archives all files", async () => {
    await using app = await embedded({ publicUrl: "https://app.example/winnow" });
    const { engine, fetch } = app.winnow;
    const { id } = await engine.submit(app.accountId, { url: VIDEO });
    await engine.wait(app.accountId, id);
    const { url, expiresAt } = await engine.fileLink(app.accountId, id, "video.mp4");
    assert.isAbove(Date.parse(expiresAt), 0);
    const linked = await fetch(new Request(url));
    assert.strictEqual(await linked.text(), "content of video.mp4");
    const { name, sizeBytes, body } = await engine.archive(app.accountId, id);
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    assert.strictEqual(name, `${id}.zip`);
    assert.strictEqual(bytes.length, sizeBytes);
    assert.strictEqual(new TextDecoder().decode(bytes.subarray(0, 2)), "PK");
    const refused = [
      engine.fileLink(app.accountId, id, "../secret"),
      engine.fileLink(app.accountId, "ext_unknown", "video.mp4"),
      engine.archive(app.accountId, "ext_unknown")
    ].map(rejection);
    for (const { code } of await Promise.all(refused)) assert.strictEqual(code, "not_found");
  });

  it("rejects an untrusted header, and an invalid sign-in URL", async () => {
    const proxied = { signInHeader: "x-user", trustedProxies: "10.0.0.1" };
    for (const [given, setting] of [
      [proxied, "signInHeader"],
      [{ signInUrl: "//evil.example" }, "signInUrl"],
      [{ signInUrl: "javascript:alert(1)" }, "signInUrl"]
    ] as const) {
      const error: unknown = await createWinnow(given).catch((refusal: unknown) => refusal);
      assert.instanceOf(error, SettingError);
      assert.strictEqual(error.setting, setting);
    }
  });

  it("returns what the API returns", async () => {
    await using app = await embedded();
    const { engine, fetch } = app.winnow;
    const { id } = await engine.submit(app.accountId, { url: VIDEO });
    await engine.wait(app.accountId, id);
    const { id: schemaId } = await engine.schemas.save(app.accountId, {
      name: "Title",
      schema: { type: "object", properties: { title: { type: "string" } } }
    });
    await engine.webhooks.register(app.accountId, { url: "https://hooks.example/winnow" });
    const overHttp = async (path: string): Promise<unknown> => {
      const request = new Request(`http://localhost/v1${path}`, { headers: { "x-api-key": app.key } });
      return (await fetch(request)).json();
    };
    const pairs: ReadonlyArray<readonly [Promise<unknown>, string]> = [
      [engine.get(app.accountId, id), `/extractions/${id}`],
      [engine.result(app.accountId, id), `/extractions/${id}/result`],
      [engine.list(app.accountId), "/extractions"],
      [engine.accounts.get(app.accountId), "/account"],
      [engine.accounts.ledger(app.accountId), "/ledger"],
      [engine.schemas.list(app.accountId), "/schemas"],
      [engine.schemas.get(app.accountId, schemaId), `/schemas/${schemaId}`],
      [engine.webhooks.listEndpoints(app.accountId), "/webhook-endpoints"],
      [engine.webhooks.listDeliveries(app.accountId), "/webhook-deliveries"]
    ];
    for (const [answer, path] of pairs) assert.deepStrictEqual(await answer, await overHttp(path), path);
  });

  it("rejects with the code and the details of the API", async () => {
    await using app = await embedded({ layers: [...fakes, broken] });
    const { engine } = app.winnow;
    const id = app.accountId;
    const codes: ReadonlyArray<readonly [string, Promise<unknown>]> = [
      ["invalid_url", engine.submit(id, { url: "no url" })],
      ["invalid_request", engine.submit(id, { url: VIDEO, colour: "red" } as never)],
      ["invalid_request", engine.submit(id, { url: VIDEO, force: 1n } as never)],
      ["invalid_request", engine.list(id, { limit: 0 })],
      ["invalid_request", engine.accounts.topUp(id, { credits: -1 })],
      ["invalid_request", engine.accounts.create({ name: " " })],
      ["not_found", engine.get(id, "ext_unknown")],
      ["not_found", engine.wait(id, "ext_unknown")],
      ["not_found", engine.file(id, "ext_unknown", "video.mp4")],
      ["not_found", engine.accounts.get("acc_unknown")],
      ["not_found", engine.accounts.createApiKey("acc_unknown")],
      ["not_found", engine.progress(id, "ext_unknown")[Symbol.asyncIterator]().next()]
    ];
    for (const [code, promise] of codes) assert.strictEqual((await rejection(promise)).code, code);
    const refused = await rejection(engine.submit(id, { url: VIDEO, colour: "red" } as never));
    assert.deepInclude(refused.details, { param: "colour" });
    const poor = await engine.accounts.create({ name: "Poor" });
    const short = await rejection(engine.submit(poor.id, { url: VIDEO }));
    assert.strictEqual(short.code, "insufficient_credits");
    assert.deepEqual(short.details, { balance: 0, cost: 230 });
    const fault = await rejection(engine.probe(id, { url: BROKEN }));
    assert.strictEqual(fault.code, "internal_error");
    assert.notInclude(fault.message, "secret");
  });

  it("rejects an unknown delivery status", async () => {
    await using app = await embedded();
    const misspelt = app.winnow.engine.webhooks.listDeliveries(app.accountId, { status: "faild" as never });
    const { code, details } = await rejection(misspelt);
    assert.strictEqual(code, "invalid_request");
    assert.deepStrictEqual(details, { param: "status" });
  });

  it("explains what to send instead of a body that is not JSON", async () => {
    await using app = await embedded();
    const submitted = app.winnow.engine.submit(app.accountId, { url: VIDEO, force: 1n } as never);
    const { code, message, details } = await rejection(submitted);
    assert.strictEqual(code, "invalid_request");
    assert.match(message, /pass a plain object/u);
    assert.deepStrictEqual(details, { param: "body", reason: "malformed" });
  });

  it("replays a key, and rejects it with another body", async () => {
    await using app = await embedded();
    const { engine } = app.winnow;
    const options = { idempotencyKey: "once" };
    const first = await engine.submit(app.accountId, { url: VIDEO }, options);
    const again = await engine.submit(app.accountId, { url: VIDEO }, options);
    assert.deepInclude(again, { id: first.id, replayed: true });
    const other = engine.submit(app.accountId, { url: VIDEO, parts: ["audio"] }, options);
    assert.strictEqual((await rejection(other)).code, "conflict");
    const topUp = (credits: number) => engine.accounts.topUp(app.accountId, { credits }, options);
    assert.deepStrictEqual(await topUp(5), await topUp(5));
    assert.strictEqual((await rejection(topUp(6))).code, "conflict");
  });

  it("respects timeout and abort signal, and cancels nothing", async () => {
    await using app = await embedded({ layers: [...fakes, broken] });
    const { engine } = app.winnow;
    const { id } = await engine.submit(app.accountId, { url: STUCK });
    const late = await rejection(engine.wait(app.accountId, id, { timeoutMs: 20 }));
    assert.strictEqual(late.code, "timeout");
    assert.deepEqual(late.details, { id });
    const aborted = engine.wait(app.accountId, id, { signal: AbortSignal.abort(new Error("enough")) });
    assert.match(await aborted.then(String, String), /enough/u);
    const leave = new AbortController();
    const watched = (async () => {
      for await (const _ of engine.progress(app.accountId, id, { signal: leave.signal })) {
        leave.abort(new Error("seen"));
      }
    })();
    assert.match(await watched.then(String, String), /seen/u);
    assert.strictEqual((await engine.get(app.accountId, id)).phase, "processing");
    assert.strictEqual((await engine.cancel(app.accountId, id)).status, "failed");
    await engine.delete(app.accountId, id);
    assert.strictEqual((await rejection(engine.get(app.accountId, id))).code, "not_found");
  });
});

describe("close", () => {
  it("ends waits, refuses new calls, and is one promise", async () => {
    const { winnow, accountId } = await embedded({ layers: [...fakes, broken] });
    const { id } = await winnow.engine.submit(accountId, { url: STUCK });
    const waiting = rejection(winnow.engine.wait(accountId, id));
    const closed = winnow.close();
    assert.strictEqual(winnow.close(), closed);
    assert.strictEqual((await waiting).code, "closed");
    await closed;
    assert.strictEqual((await rejection(winnow.engine.list(accountId))).code, "closed");
    const response = await winnow.fetch(new Request("http://localhost/v1/account"));
    assert.strictEqual(response.status, 503);
    assert.isNotNull(response.headers.get("x-request-id"));
  });

  it("waits for responses in flight", async () => {
    const { winnow, accountId, key } = await embedded();
    const { id } = await winnow.engine.submit(accountId, { url: VIDEO });
    await winnow.engine.wait(accountId, id);
    const url = `http://localhost/v1/extractions/${id}/files/video.mp4`;
    const response = await winnow.fetch(new Request(url, { headers: { "x-api-key": key } }));
    let isClosed = false;
    const closed = winnow.close().then(() => (isClosed = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.isFalse(isClosed);
    assert.strictEqual(await response.text(), "content of video.mp4");
    await closed;
  });
});

describe("createWinnow", () => {
  it("touches no folder if every port is provided", async () => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-embed-"));
    const dataDir = join(folder, "data");
    await using app = await embedded({ dataDir });
    await app.winnow.engine.submit(app.accountId, { url: PRIVATE });
    assert.isFalse(existsSync(dataDir));
    rmSync(folder, { recursive: true });
  });

  it("does not look for programs if a custom downloader makes them unnecessary", async () => {
    const { PATH } = process.env;
    process.env["PATH"] = "/nonexistent";
    try {
      await (await createWinnow({ layers: fakes })).close();
      const dataDir = mkdtempSync(join(tmpdir(), "winnow-embed-"));
      const error = await createWinnow({ dataDir, layers: MemoryDatabase.layer }).then(
        () => assert.fail("it started"),
        (reason: unknown) => reason
      );
      rmSync(dataDir, { recursive: true });
      assert.instanceOf(error, SettingError);
      assert.match((error as Error).message, /yt-dlp/u);
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("isolates two instances: money, metrics and logs", async () => {
    const lines: Array<LogEntry> = [];
    await using first = await embedded({ logger: (entry) => lines.push(entry), logLevel: "debug" });
    await using second = await embedded();
    await first.winnow.engine.wait(
      first.accountId,
      (await first.winnow.engine.submit(first.accountId, { url: VIDEO })).id
    );
    const other = await rejection(second.winnow.engine.get(first.accountId, "ext_unknown"));
    assert.strictEqual(other.code, "not_found");
    const metricsOf = async ({ winnow }: typeof first): Promise<string> =>
      (await winnow.fetch(new Request("http://localhost/metrics"))).text();
    assert.match(await metricsOf(first), /^winnow_submits_total\{.*outcome="fresh".*\} 1$/mu);
    assert.notMatch(await metricsOf(second), /^winnow_submits_total\{.*outcome="fresh"/mu);
    await first.winnow.fetch(new Request("http://localhost/v1/account"));
    const request = lines.findLast(({ message }) => message === "Request");
    assert.deepInclude(request?.fields, { method: "GET", path: "/v1/account", httpStatus: 401 });
  });

  it("logs variables that are not settings", async () => {
    const lines: Array<LogEntry> = [];
    const env = { WINNOW_COLOUR: "red", PATH: "/bin" };
    await using _ = await embedded({ env, logger: (entry) => lines.push(entry) });
    assert.deepInclude(lines[0], { level: "warn", message: "WINNOW_COLOUR is not a known setting." });
    assert.lengthOf(lines, 1);
  });

  it("uses the given clock", async () => {
    const clock = new VirtualClock();
    await using app = await embedded({ layers: [...fakes, clock.layer] });
    const { fetch } = app.winnow;
    const account = () =>
      fetch(new Request("http://localhost/v1/account", { headers: { "x-api-key": app.key } }));
    for (let count = 0; count < 60; count++) assert.strictEqual((await account()).status, 200);
    assert.strictEqual((await account()).status, 429);
    await clock.advance(60_000);
    assert.strictEqual((await account()).status, 200);
    const { createdAt } = await app.winnow.engine.submit(app.accountId, { url: VIDEO });
    assert.strictEqual(createdAt, "2026-01-01T12:01:00.000Z");
  });

  it("closes /admin without a token, and opens it with one", async () => {
    await using closed = await embedded();
    await using open = await embedded({ adminToken: "token-of-the-test" });
    const asked = ({ winnow, accountId }: typeof open) =>
      winnow.fetch(
        new Request(`http://localhost/admin/v1/accounts/${accountId}`, {
          headers: { authorization: "Bearer token-of-the-test" }
        })
      );
    assert.strictEqual((await asked(closed)).status, 401);
    assert.strictEqual((await asked(open)).status, 200);
  });
});
