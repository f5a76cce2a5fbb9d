/** Winnow embedded: its clients without a network, their errors, closing it, and its isolation. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ApiError,
  ConflictError,
  InsufficientCreditsError,
  InternalError,
  InvalidRequestError,
  InvalidUrlError,
  NotFoundError,
  TimeoutError,
  UnauthorizedError,
  Winnow,
  WinnowError
} from "@winnow/client";
import { FakeDownloader, MemoryDatabase, VirtualClock } from "@winnow/testing";
import * as Effect from "effect/Effect";
import { assert, describe, it } from "vitest";
import { createWinnow, SettingError, type LogEntry } from "../../src/index.ts";
import { embedded, facts, fakes, PRIVATE, VIDEO } from "./embedded.ts";

const rejection = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (reason: unknown) => reason
  );

const STUCK = "https://example.com/stuck";
const BROKEN = "https://example.com/broken";
const broken = FakeDownloader.layer({
  [VIDEO]: { facts },
  [STUCK]: { facts, beforeFetch: Effect.never },
  [BROKEN]: { facts, beforeInspect: Effect.die(new Error("secret of the inside")) }
});

describe("client", () => {
  it("quotes, submits, reports progress, waits and reads files", async () => {
    await using app = await embedded({ publicUrl: "https://app.example/winnow" });
    const { client } = app;
    assert.instanceOf(client, Winnow);
    const quote = await client.probe({ url: VIDEO });
    assert.strictEqual(quote.price.credits, 230);
    const submitted = await client.submit({ url: VIDEO });
    assert.include(submitted, { url: VIDEO, creditsDebited: 230 });
    const phases: Array<string> = [];
    for await (const { event, data } of client.extractions.events(submitted.id)) {
      phases.push(event === "progress" ? data.phase : event);
    }
    assert.deepEqual([phases.includes("processing"), phases.at(-1)], [true, "result"]);
    const result = await client.extractions.wait(submitted.id);
    if (result.status !== "complete") assert.fail(result.status);
    assert.include(result.summary.files, "video.mp4");
    const url = /^https:\/\/app\.example\/winnow\/v1\/extractions\/ext_\w+\/files\/video\.mp4$/u;
    assert.match(result.artifacts.video ?? "", url);
    const whole = await client.files.get(submitted.id, "video.mp4");
    assert.strictEqual(await whole.text(), "content of video.mp4");
    const part = await client.files.get(submitted.id, "video.mp4", { range: { start: 11, end: 15 } });
    assert.strictEqual(await part.text(), "video");
    assert.strictEqual(part.headers.get("content-range"), "bytes 11-15/20");
  });

  it("links to a file without a key, and archives all files", async () => {
    await using app = await embedded({ publicUrl: "https://app.example/winnow" });
    const { client, winnow } = app;
    const { id } = await client.extract({ url: VIDEO });
    const { url, expiresAt } = await client.files.link(id, "video.mp4");
    assert.isAbove(Date.parse(expiresAt), 0);
    const linked = await winnow.fetch(new Request(url));
    assert.strictEqual(await linked.text(), "content of video.mp4");
    const zip = await client.files.zip(id);
    assert.include(zip.headers.get("content-disposition") ?? "", `${id}.zip`);
    const bytes = new Uint8Array(await zip.arrayBuffer());
    assert.strictEqual(bytes.length, Number(zip.headers.get("content-length")));
    assert.strictEqual(new TextDecoder().decode(bytes.subarray(0, 2)), "PK");
  });

  it("gets the answers that the account's key gets over the network", async () => {
    await using app = await embedded();
    const { client, winnow } = app;
    const { id } = await client.extract({ url: VIDEO });
    const fetch: typeof globalThis.fetch = (input, init) => winnow.fetch(new Request(input, init));
    const remote = new Winnow({ apiKey: app.key, baseUrl: "http://localhost", fetch });
    const asked = [
      ({ extractions }: Winnow) => extractions.get(id),
      ({ extractions }: Winnow) => extractions.result(id),
      ({ extractions }: Winnow) => extractions.page(),
      (each: Winnow) => each.account(),
      ({ ledger }: Winnow) => ledger.page()
    ];
    for (const ask of asked) assert.deepStrictEqual(await ask(client), await ask(remote));
    assert.strictEqual((await client.extractions.page()).data[0]?.madeBy, "api");
  });

  it("also does what only signed-in people may do", async () => {
    await using app = await embedded();
    const { id } = await app.client.apiKeys.create({ name: "Made in the process" });
    const { data } = await app.client.apiKeys.list();
    assert.include(
      data.map((key) => key.id),
      id
    );
  });

  it("rejects with the errors of the network", async () => {
    await using app = await embedded({ layers: [...fakes, broken] });
    const { client } = app;
    const { admin } = app.winnow;
    const cases: ReadonlyArray<readonly [typeof ApiError, () => Promise<unknown>]> = [
      [InvalidUrlError, () => client.submit({ url: "no url" })],
      [InvalidRequestError, () => client.extractions.page({ limit: 0 })],
      [InvalidRequestError, () => client.webhookDeliveries.page({ status: "faild" as never })],
      [InvalidRequestError, () => admin.topUps.create(app.accountId, { credits: -1 })],
      [InvalidRequestError, () => admin.accounts.create({ name: " " })],
      [NotFoundError, () => client.extractions.get("ext_unknown")],
      [NotFoundError, () => client.extractions.wait("ext_unknown")],
      [NotFoundError, () => client.files.get("ext_unknown", "video.mp4")],
      [NotFoundError, () => client.files.zip("ext_unknown")],
      [NotFoundError, () => client.extractions.events("ext_unknown").next()],
      [NotFoundError, () => admin.accounts.get("acc_unknown")],
      [UnauthorizedError, () => app.winnow.client("acc_unknown").account()]
    ];
    for (const [type, call] of cases) assert.instanceOf(await rejection(call()), type);
    const refused = await rejection(client.submit({ url: VIDEO, colour: "red" } as never));
    assert.deepInclude(refused.details, { param: "colour" });
    const poor = await admin.accounts.create({ name: "Poor" });
    const short = await rejection(app.winnow.client(poor.id).submit({ url: VIDEO }));
    assert.instanceOf(short, InsufficientCreditsError);
    assert.deepEqual(short.details, { balance: 0, cost: 230 });
    const fault = await rejection(client.probe({ url: BROKEN }));
    assert.instanceOf(fault, InternalError);
    assert.notInclude(fault.message, "secret");
  });

  it("replays a key, and rejects it with another body", async () => {
    await using app = await embedded();
    const options = { idempotencyKey: "once" };
    const first = await app.client.submit({ url: VIDEO }, options);
    const again = await app.client.submit({ url: VIDEO }, options).withResponse();
    assert.strictEqual(again.data.id, first.id);
    assert.strictEqual(again.response.headers.get("idempotent-replayed"), "true");
    const other = app.client.submit({ url: VIDEO, parts: ["audio"] }, options);
    assert.instanceOf(await rejection(other), ConflictError);
    const topUp = (credits: number) => app.winnow.admin.topUps.create(app.accountId, { credits }, options);
    assert.deepStrictEqual(await topUp(5), await topUp(5));
    assert.instanceOf(await rejection(topUp(6)), ConflictError);
  });

  it("respects timeout and abort signal, and cancels nothing", async () => {
    await using app = await embedded({ layers: [...fakes, broken] });
    const { extractions } = app.client;
    const { id } = await app.client.submit({ url: STUCK });
    const late = await rejection(extractions.wait(id, { timeoutMs: 20 }));
    assert.instanceOf(late, TimeoutError);
    assert.strictEqual(late.extractionId, id);
    const aborted = extractions.wait(id, { signal: AbortSignal.abort(new Error("enough")) });
    assert.match(await aborted.then(String, String), /enough/u);
    const leave = new AbortController();
    const watched = (async () => {
      for await (const _ of extractions.events(id, { signal: leave.signal })) leave.abort(new Error("seen"));
    })();
    assert.match(await watched.then(String, String), /seen/u);
    assert.strictEqual((await extractions.get(id)).phase, "processing");
    assert.strictEqual((await extractions.cancel(id)).status, "failed");
    await extractions.delete(id);
    assert.instanceOf(await rejection(extractions.get(id)), NotFoundError);
  });

  it("has no rate limits, and its calls are not logged as requests", async () => {
    const lines: Array<LogEntry> = [];
    await using app = await embedded({ layers: [...fakes, broken], logger: (entry) => lines.push(entry) });
    for (let count = 0; count < 130; count++) await app.client.account();
    const { response } = await app.client.account().withResponse();
    assert.isNull(response.headers.get("x-ratelimit-limit"));
    const { id } = await app.client.submit({ url: STUCK });
    const leave = new AbortController();
    const begun = Array.from({ length: 30 }, () =>
      app.client.extractions.events(id, { signal: leave.signal }).next()
    );
    for (const { done } of await Promise.all(begun)) assert.isFalse(done);
    leave.abort();
    assert.deepEqual(
      lines.filter(({ message }) => /request|operator/iu.test(message)),
      []
    );
  });

  it("is the only one with its access: what it sends is worth nothing from outside", async () => {
    const sent: Array<Request> = [];
    await using app = await embedded({ adminToken: "token-of-the-test" });
    const { transport } = app.client as unknown as {
      readonly transport: { fetch: typeof globalThis.fetch };
    };
    const { fetch } = transport;
    transport.fetch = (input, init) => {
      sent.push(new Request(input, init));
      return fetch(input, init);
    };
    await app.client.account();
    const request = sent[0]!;
    assert.strictEqual(request.headers.get("x-winnow-account"), app.accountId);
    assert.strictEqual((await app.winnow.fetch(request)).status, 401);
    const { headers } = request;
    const admin = new Request("http://localhost/admin/v1/accounts", { headers });
    assert.strictEqual((await app.winnow.fetch(admin)).status, 401);
  });
});

describe("admin", () => {
  it("creates, changes, finds and funds accounts, and makes and revokes keys and sign-in links", async () => {
    await using app = await embedded({ plans: { member: { runningMax: 3 } } });
    const { admin, client } = app.winnow;
    const { id } = await admin.accounts.create({ name: "Joined today", plan: "member" });
    assert.deepInclude(await admin.accounts.update(id, { limits: { waitingMax: 7 } }), { plan: "member" });
    const { limits } = await admin.accounts.get(id);
    assert.deepInclude(limits, { runningMax: 3, waitingMax: 7 });
    const found: Array<string> = [];
    for await (const account of admin.accounts.list({ q: "joined" })) found.push(account.id);
    assert.deepEqual(found, [id]);
    assert.deepEqual(await admin.topUps.create(id, { credits: 500 }), { balance: 1_500 });
    assert.strictEqual((await client(id).account()).balance, 1_500);
    const made = await admin.apiKeys.create(id, { name: "Laptop" });
    const overHttp = () =>
      app.winnow.fetch(new Request("http://localhost/v1/account", { headers: { "x-api-key": made.key } }));
    assert.strictEqual((await overHttp()).status, 200);
    await admin.apiKeys.revoke(made.id);
    assert.strictEqual((await overHttp()).status, 401);
    const { url } = await admin.signInLinks.create(id);
    assert.match(url, /^http:\/\/127\.0\.0\.1:8787\/sign-in\?/u);
    assert.deepInclude(await admin.health(), { status: "ok" });
  });
});

describe("close", () => {
  it("ends waits, refuses new calls at once, and is one promise", async () => {
    const { winnow, client } = await embedded({ layers: [...fakes, broken] });
    const { id } = await client.submit({ url: STUCK });
    const begun = Promise.withResolvers<void>();
    const waiting = rejection(client.extractions.wait(id, { onProgress: () => begun.resolve() }));
    await begun.promise;
    const closed = winnow.close();
    assert.strictEqual(winnow.close(), closed);
    const ended = await waiting;
    assert.instanceOf(ended, WinnowError);
    assert.match(ended.message, /was closed/u);
    await closed;
    assert.match((await rejection(client.account())).message, /was closed/u);
    const response = await winnow.fetch(new Request("http://localhost/v1/account"));
    assert.strictEqual(response.status, 503);
    assert.isNotNull(response.headers.get("x-request-id"));
  });

  it("waits for responses in flight", async () => {
    const { winnow, client, key } = await embedded();
    const { id } = await client.extract({ url: VIDEO });
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
  it("rejects routes that cannot be read, before it looks for its database", async () => {
    const databaseUrl = "postgres://winnow:secret@127.0.0.1:1/winnow";
    for (const setting of ["routes", "cookiesFile"] as const) {
      const error = await rejection(createWinnow({ [setting]: "/nonexistent/file", databaseUrl }));
      assert.instanceOf(error, SettingError);
      assert.strictEqual(error.setting, setting);
      assert.match(
        error.message,
        /"\/nonexistent\/file", but the file cannot be read: check that it exists/u
      );
    }
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

  it("touches no folder if every port is provided", async () => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-embed-"));
    const dataDir = join(folder, "data");
    await using app = await embedded({ dataDir });
    await rejection(app.client.extract({ url: PRIVATE }));
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
      assert.include(
        (error as Error).message,
        `yt-dlp was not found; install it with: WINNOW_DATA_DIR=${dataDir} winnow programs update`
      );
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("isolates two instances: money, metrics and logs", async () => {
    const lines: Array<LogEntry> = [];
    await using first = await embedded({ logger: (entry) => lines.push(entry), logLevel: "debug" });
    await using second = await embedded();
    const { id } = await first.client.extract({ url: VIDEO });
    assert.instanceOf(await rejection(second.client.extractions.get(id)), NotFoundError);
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
    const logger = (entry: LogEntry): void => {
      lines.push(entry);
      throw new Error("what the logger throws is ignored");
    };
    await using _ = await embedded({ env, logger });
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
    const { createdAt } = await app.client.submit({ url: VIDEO });
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
