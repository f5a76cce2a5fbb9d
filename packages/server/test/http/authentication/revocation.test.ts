// @module-tag long
/** What a revoked key or an ended session still receives: nothing. */
import { readdirSync, readlinkSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { assert, layer } from "@effect/vitest";
import * as FileArtifacts from "@winnow/adapters/storage/files/FileArtifacts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { Failed } from "@winnow/core/domain/source/Failed";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { ACCESS_CHECK_INTERVAL_MS } from "../../../src/http/authentication/whileLive.ts";
import { readEvents } from "../../EventReader.ts";
import { lookUntil } from "../../lookUntil.ts";
import { connect } from "../../mcp/McpClients.ts";
import { signedIn, signOutEverywhere } from "../../SignedIn.ts";
import { temporaryFolder } from "../../TemporaryFolder.ts";
import { STUCK, TestApp, unlimited, VIDEO, type TestAccount } from "../../TestApp.ts";

const BIG = "https://example.com/big";
const facts = sampleFacts({});
/** More than the kernel buffers for a client that does not read. */
const big = {
  [BIG]: { facts, files: { "video.mp4": "0123456789".repeat(2_000_000), "thumbnail.jpg": "small" } }
};

/** An extraction that waits for `gate`, and how to end it. */
const GATED = "https://example.com/gated-again";
const gate = Deferred.makeUnsafe<void>();
const gated = { [GATED]: { facts, beforeFetch: Deferred.await(gate) } };

const leakedKey = Effect.fnUntraced(function* ({ id }: TestAccount) {
  const { accounts } = yield* TestApp;
  const leaked = yield* Effect.orDie(accounts.createApiKey(id, "leaked"));
  return { key: leaked.key, revoke: Effect.orDie(accounts.revokeApiKey(leaked.id)) };
});

const FOLDER = "revoked-files";

const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes(FOLDER);
    } catch {
      return false;
    }
  }).length;

/** A page that is inspected only when it is opened. */
const SHUT = "https://example.com/shut";
const opening = Deferred.makeUnsafe<void>();
const QUICK = "https://example.com/quick";
/** Fails when it is fetched; once it is shut, it is inspected only when it is opened. */
const FAILING = "https://example.com/failing";
let isShut = false;
let waits = 0;
const failing = {
  facts,
  beforeInspect: Effect.suspend(() =>
    isShut
      ? Effect.andThen(
          Effect.sync(() => waits++),
          Deferred.await(opening)
        )
      : Effect.void
  ),
  beforeFetch: Effect.fail(new Failed({ reason: "removed", message: "It is gone." }))
};
const pages = {
  [FAILING]: failing,
  [SHUT]: { facts, beforeInspect: Deferred.await(opening) },
  [QUICK]: { facts }
};

/** So large that the kernel buffers no table of them. */
const analyst = FakeAnalyst.layer(() =>
  Effect.succeed({
    outcome: "ok",
    verdictReason: null,
    extraction: { words: "many ".repeat(100_000) },
    quotes: [],
    confidence: 0.9
  })
);

const WORDS = { type: "object", properties: { words: { type: "string" } } };

const requestOf = Effect.fnUntraced(function* (path: string, key: string, body: unknown) {
  const { url } = yield* TestApp;
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body)
  });
});

/** An answer that nobody reads. */
const download = (url: string, key: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { "x-api-key": key }, agent: false }, resolve).once("error", reject);
  });

const sizeOf = (answer: IncomingMessage): Promise<number> =>
  new Promise((resolve) => {
    let size = 0;
    answer.on("data", (chunk: Buffer) => (size += chunk.length));
    answer.on("error", () => undefined).on("close", () => resolve(size));
  });

/** Files on a disk, because those in memory are sent in one piece. */
const onDisk = Layer.unwrap(
  Effect.map(temporaryFolder(FOLDER), (directory) => FileArtifacts.layer({ directory }))
);
const app = TestApp.with({
  rateLimits: unlimited,
  analyst,
  sources: { ...big, ...gated, ...pages },
  artifacts: onDisk
});

layer(app, { excludeTestServices: true })("access that is revoked", (it) => {
  it.effect("ends its event streams, which deliver nothing more", () =>
    Effect.gen(function* () {
      const { account, call, url } = yield* TestApp;
      const me = yield* account(10_000);
      const leaked = yield* leakedKey(me);
      const { cookie } = yield* signedIn(me.id);
      const { json } = yield* call("/v1/extractions", { key: me.key, body: { url: GATED } });
      const path = `${url}/v1/extractions/${json.id}/events`;
      const own = yield* readEvents(path, { "x-api-key": me.key });
      const revoked = [
        yield* readEvents(path, { "x-api-key": leaked.key }),
        yield* readEvents(path, { cookie })
      ];
      for (const stream of [own, ...revoked]) assert.deepInclude(yield* stream.next, { event: "progress" });
      yield* leaked.revoke;
      yield* signOutEverywhere(me.id);
      const seen = revoked.map((stream) => stream.events().length);
      yield* Deferred.succeed(gate, undefined);
      assert.strictEqual((yield* own.rest).at(-1)?.event, "result");
      for (const [index, stream] of revoked.entries()) {
        yield* stream.rest;
        assert.strictEqual(stream.events().length, seen[index]);
      }
    }).pipe(Effect.scoped)
  );

  it.effect("ends an event stream on which nothing happens", () =>
    Effect.gen(function* () {
      const { account, call, url } = yield* TestApp;
      const me = yield* account(10_000);
      const leaked = yield* leakedKey(me);
      const { json } = yield* call("/v1/extractions", { key: me.key, body: { url: STUCK } });
      const headers = { "x-api-key": leaked.key };
      const stream = yield* readEvents(`${url}/v1/extractions/${json.id}/events`, headers);
      yield* stream.next;
      yield* leaked.revoke;
      yield* stream.rest;
      yield* call(`/v1/extractions/${json.id}/cancel`, { key: me.key, method: "POST" });
    }).pipe(Effect.scoped)
  );

  for (const generation of ["2026-07-28", "v1"] as const) {
    it.effect(`ends a wait of a tool without its result (MCP ${generation})`, () =>
      Effect.gen(function* () {
        const { account, call, url } = yield* TestApp;
        const me = yield* account(10_000);
        const leaked = yield* leakedKey(me);
        const client = yield* connect(generation, url, leaked.key);
        const told: Array<unknown> = [];
        const answer = client
          .call("extract", { url: STUCK, waitSeconds: 50 }, { onprogress: (progress) => told.push(progress) })
          .then(
            (result) => JSON.stringify(result),
            (error: unknown) => String(error)
          );
        yield* lookUntil(call("/v1/extractions", { key: me.key }), ({ json }) => json.data.length === 1);
        yield* leaked.revoke;
        const text = yield* Effect.promise(() => answer);
        assert.notInclude(text, "ext_");
        const { json } = yield* call("/v1/extractions", { key: me.key });
        yield* call(`/v1/extractions/${json.data[0].id}/cancel`, { key: me.key, method: "POST" });
      }).pipe(Effect.scoped)
    );
  }

  it.effect("cuts its downloads, of which an account can have twenty", () =>
    Effect.gen(function* () {
      const { account, call, finished, url } = yield* TestApp;
      const me = yield* account(10_000);
      const stranger = yield* account(10_000);
      const leaked = yield* leakedKey(me);
      const id = yield* finished(me, { url: BIG });
      const path = (name: string) => `/v1/extractions/${id}/${name}`;
      const { json: link } = yield* call(path("files/video.mp4/links"), { key: me.key, method: "POST" });
      const byLink = new URL(link.url);
      const answers = yield* Effect.promise(async () =>
        Promise.all([
          ...Array.from({ length: 10 }, () => download(`${url}${path("files.zip")}`, leaked.key)),
          ...Array.from({ length: 9 }, () => download(`${url}${path("files/video.mp4")}`, leaked.key)),
          download(`${url}${byLink.pathname}${byLink.search}`, "")
        ])
      );
      assert.deepStrictEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200]);
      for (const name of ["files.zip", "files/video.mp4"]) {
        const refused = yield* call(path(name), { key: me.key });
        assert.strictEqual(refused.status, 429);
        assert.strictEqual(refused.json.error.code, "rate_limited");
        assert.deepStrictEqual(refused.json.error.details, { reason: "open_downloads", maxDownloads: 20 });
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/u);
        assert.strictEqual((yield* call(path(name), { key: me.key, method: "HEAD" })).status, 200);
      }
      assert.strictEqual((yield* call(path("files/thumbnail.jpg"), { key: me.key })).status, 200);
      const others = yield* finished(stranger, { url: BIG });
      const free = yield* call(`/v1/extractions/${others}/files/video.mp4`, { key: stranger.key });
      assert.strictEqual(free.status, 200);

      yield* leaked.revoke;
      // Without reading, what the kernel took would hide that the rest never comes.
      yield* Effect.sleep(ACCESS_CHECK_INTERVAL_MS + 1_000);
      const sizes = yield* Effect.promise(async () => Promise.all(answers.map(sizeOf)));
      for (const [index, size] of sizes.slice(0, -1).entries()) {
        assert.isBelow(size, Number(answers[index]?.headers["content-length"]));
      }
      assert.strictEqual(sizes.at(-1), Number(answers.at(-1)?.headers["content-length"]));
      yield* lookUntil(call(path("files.zip"), { key: me.key }), ({ status }) => status === 200);
      yield* lookUntil(Effect.sync(openFiles), (count) => count === 0);
    }).pipe(Effect.scoped)
  );

  it.effect("tries no failed item again, however long its source is looked at", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(10_000);
      const leaked = yield* leakedKey(me);
      const { json: made } = yield* call("/v1/batches", { key: me.key, body: { urls: [FAILING] } });
      const batch = Effect.map(call(`/v1/batches/${made.id}`, { key: me.key }), ({ json }) => json);
      yield* lookUntil(batch, ({ counts }) => counts.failed === 1);
      isShut = true;
      const asked = yield* requestOf(`/v1/batches/${made.id}/retry-failed`, leaked.key, {});
      const waiting = Effect.sync(() => waits);
      yield* lookUntil(waiting, (count) => count === 1);
      yield* leaked.revoke;
      assert.strictEqual((yield* Effect.promise(() => asked)).status, 401);
      assert.strictEqual((yield* batch).items[0].id, made.items[0].id);
    })
  );

  it.effect("creates no batch that it asked for, however long the quote takes", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(10_000);
      const leaked = yield* leakedKey(me);
      const body = { urls: [QUICK, SHUT] };
      const created = yield* requestOf("/v1/batches", leaked.key, body);
      const quoted = yield* requestOf("/v1/batches/quote", leaked.key, body);
      const lines = Effect.promise(async () => {
        const reader = (await quoted).body?.getReader();
        const texts: Array<string> = [];
        const failure = await (async () => {
          for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
            texts.push(Buffer.from(part.value).toString());
        })().then(
          () => null,
          (cause: unknown) => cause
        );
        return { text: texts.join(""), failure };
      });
      // The first line of the quote shows that the second page is being waited for.
      yield* Effect.promise(() => quoted);
      yield* leaked.revoke;
      const { text, failure } = yield* lines;
      assert.instanceOf(failure, Error);
      assert.notInclude(text, "accepted");
      const answer = yield* Effect.promise(() => created);
      assert.strictEqual(answer.status, 401);
      yield* Deferred.succeed(opening, undefined);
      const own = yield* call("/v1/batches", { key: me.key, body: { urls: [SHUT] } });
      assert.strictEqual(own.status, 201);
      const { json: batches } = yield* call("/v1/batches", { key: me.key });
      assert.deepStrictEqual(
        batches.data.map(({ id }: { readonly id: string }) => id),
        [own.json.id]
      );
      const { json: ledger } = yield* call("/v1/ledger", { key: me.key });
      const sum = ledger.data.reduce((all: number, entry: { credits: number }) => all + entry.credits, 0);
      const { json: after } = yield* call("/v1/account", { key: me.key });
      assert.strictEqual(after.balance, sum);
      assert.lengthOf(
        ledger.data.filter(({ kind }: { readonly kind: string }) => kind === "debit"),
        1
      );
    }).pipe(Effect.scoped)
  );

  it.effect("cuts its exports of results, and those of its links, which then do not look complete", () =>
    Effect.gen(function* () {
      const { account, call, url } = yield* TestApp;
      const me = yield* account(100_000);
      const leaked = yield* leakedKey(me);
      const items = Array.from({ length: 30 }, (_, index) => ({
        url: VIDEO,
        schema: WORDS,
        prompt: String(index)
      }));
      const { json: batch } = yield* call("/v1/batches", { key: me.key, body: { items } });
      yield* lookUntil(
        call(`/v1/batches/${batch.id}`, { key: me.key }),
        ({ json }) => json.counts.complete === items.length
      );
      const { json: link } = yield* call("/v1/results/links", { key: leaked.key, body: { format: "jsonl" } });
      const { pathname, search } = new URL(link.url);
      const path = "/v1/results?format=jsonl";
      const answers = yield* Effect.promise(() =>
        Promise.all([
          download(`${url}${path}`, leaked.key),
          download(`${url}${pathname}${search}`, ""),
          download(`${url}${path}`, me.key)
        ])
      );
      yield* leaked.revoke;
      yield* Effect.sleep(ACCESS_CHECK_INTERVAL_MS + 1_000);
      const [, , whole = 0] = yield* Effect.promise(() => Promise.all(answers.map(sizeOf)));
      assert.deepStrictEqual(
        answers.map(({ complete }) => complete),
        [false, false, true]
      );
      assert.isAbove(whole, 15_000_000);
    }).pipe(Effect.scoped)
  );
});
