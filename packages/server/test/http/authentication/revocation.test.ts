// @module-tag long
/** What a revoked key or an ended session still receives: nothing. */
import { readdirSync, readlinkSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { assert, layer } from "@effect/vitest";
import * as FileArtifacts from "@winnow/adapters/storage/files/FileArtifacts";
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
import { STUCK, TestApp, type TestAccount } from "../../TestApp.ts";

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
const app = TestApp.with({ sources: { ...big, ...gated }, artifacts: onDisk });

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
      const beganMs = performance.now();
      const seen = revoked.map((stream) => stream.events().length);
      yield* Deferred.succeed(gate, undefined);
      assert.strictEqual((yield* own.rest).at(-1)?.event, "result");
      for (const [index, stream] of revoked.entries()) {
        yield* stream.rest;
        assert.strictEqual(stream.events().length, seen[index]);
      }
      assert.isBelow(performance.now() - beganMs, 5_000);
    }).pipe(Effect.scoped)
  );

  it.effect("ends an event stream on which nothing happens within five seconds", () =>
    Effect.gen(function* () {
      const { account, call, url } = yield* TestApp;
      const me = yield* account(10_000);
      const leaked = yield* leakedKey(me);
      const { json } = yield* call("/v1/extractions", { key: me.key, body: { url: STUCK } });
      const headers = { "x-api-key": leaked.key };
      const stream = yield* readEvents(`${url}/v1/extractions/${json.id}/events`, headers);
      yield* stream.next;
      yield* leaked.revoke;
      const beganMs = performance.now();
      yield* stream.rest;
      assert.isBelow(performance.now() - beganMs, 5_000);
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
        const beganMs = performance.now();
        const text = yield* Effect.promise(() => answer);
        assert.isBelow(performance.now() - beganMs, 5_000);
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
});
