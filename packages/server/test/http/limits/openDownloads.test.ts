/** Answers that last as long as their client likes, of which an account has only so many at once. */
import { assert, layer } from "@effect/vitest";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { sampleExtraction, sampleRequest, sampleResult, uniqueId } from "@winnow/testing/samples/samples";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { DOWNLOADS_MAX } from "../../../src/http/limits/OpenDownloads.ts";
import { lookUntil } from "../../lookUntil.ts";
import { ARTICLE, TestApp, unlimited, type TestAccount } from "../../TestApp.ts";
import { write } from "@winnow/testing/samples/StoreSteps";
import { Store } from "@winnow/core/ports/Store";

const SHUT = "https://example.com/never-inspected";
const facts = sampleFacts({});
const asked = Deferred.makeUnsafe<void>();
const beforeInspect = Effect.andThen(Deferred.succeed(asked, undefined), Effect.never);
const sources = { [SHUT]: { facts, beforeInspect } };

/** Values of a megabyte, of which the kernel buffers only some for a client that does not read. */
const WORDS = "many words ".repeat(100_000);
const ROWS = 12;

const fill = Effect.fnUntraced(function* ({ id: accountId }: TestAccount, batchId: string) {
  const { store } = yield* TestApp;
  const nowMs = yield* Clock.currentTimeMillis;
  const inserted = Array.from({ length: ROWS }, (_, index) => {
    const id = uniqueId("ext");
    return sampleExtraction(accountId, {
      id,
      batchId,
      status: "complete",
      request: sampleRequest({ url: `https://example.com/${index}` }),
      result: sampleResult(id, { outcome: "ok", extraction: { words: WORDS } }),
      createdAtMs: nowMs + index,
      completedAtMs: nowMs
    });
  });
  yield* write(accountId, { inserted }).pipe(Effect.provideService(Store, store));
});

layer(TestApp.with({ rateLimits: unlimited, sources }), { excludeTestServices: true })(
  "open answers",
  (it) => {
    /** Answers that stay open until `close`. */
    const opener = Effect.gen(function* () {
      const { account, url } = yield* TestApp;
      const me = yield* account(10_000);
      const closing = new AbortController();
      yield* Effect.addFinalizer(() => Effect.sync(() => closing.abort()));
      const open = (path: string, body: unknown, signal = closing.signal) =>
        fetch(`${url}${path}`, {
          ...(body === null ? {} : { method: "POST", body: JSON.stringify(body) }),
          headers: { "x-api-key": me.key, "content-type": "application/json" },
          signal
        });
      return { me, open };
    });

    const batch = { urls: [ARTICLE, SHUT] };

    it.effect("of an account are twenty: quotes, exports with a key or a link, and new batches", () =>
      Effect.gen(function* () {
        const { call, account } = yield* TestApp;
        const { me, open } = yield* opener;
        const batchId = uniqueId("bat");
        yield* fill(me, batchId);
        const csv = `/v1/results?batchId=${batchId}&format=jsonl`;
        const { json: link } = yield* call("/v1/results/links", {
          key: me.key,
          body: { batchId, format: "jsonl" }
        });
        const { pathname, search } = new URL(link.url);
        const creating = open("/v1/batches", batch).catch(() => undefined);
        yield* Deferred.await(asked);
        const ending = new AbortController();
        const answers = yield* Effect.promise(async () => [
          await open(csv, null, ending.signal),
          await open(`${pathname}${search}`, null),
          ...(await Promise.all(
            Array.from({ length: DOWNLOADS_MAX - 3 }, async () => open("/v1/batches/quote", batch))
          ))
        ]);
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200]);
        const refused = yield* call(csv, { key: me.key });
        assert.strictEqual(refused.status, 429);
        assert.deepStrictEqual(refused.json.error.details, {
          reason: "open_downloads",
          maxDownloads: DOWNLOADS_MAX
        });
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/u);
        for (const [path, body] of [
          [`${pathname}${search}`, undefined],
          ["/v1/batches/quote", batch],
          ["/v1/batches", batch],
          [`/v1/batches/${batchId}/retry-failed`, {}]
        ] as const) {
          const { status, json } = yield* call(path, {
            key: me.key,
            ...(body === undefined ? {} : { body })
          });
          assert.deepStrictEqual([status, json.error.details.reason], [429, "open_downloads"], path);
        }
        const page = yield* call(`/v1/results?batchId=${batchId}`, { key: me.key });
        assert.strictEqual(page.status, 200);
        const stranger = yield* account(0);
        assert.strictEqual((yield* call(csv, { key: stranger.key })).status, 200);

        ending.abort();
        const again = yield* lookUntil(call(csv, { key: me.key }), ({ status }) => status === 200);
        assert.strictEqual(again.text.split("\n").length, ROWS + 1);
        assert.isUndefined(yield* Effect.promise(async () => Promise.race([creating, Promise.resolve()])));
      }).pipe(Effect.scoped)
    );

    it.effect("of results have a page of bytes, with a cursor for the rest", () =>
      Effect.gen(function* () {
        const { call } = yield* TestApp;
        const { me } = yield* opener;
        const batchId = uniqueId("bat");
        yield* fill(me, batchId);
        const found: Array<string> = [];
        let cursor = "";
        do {
          const { json } = yield* call(`/v1/results?batchId=${batchId}&limit=100${cursor}`, { key: me.key });
          assert.isAtMost(json.data.length, 1);
          found.push(...json.data.map(({ url }: { readonly url: string }) => url));
          cursor = json.next_cursor === null ? "" : `&cursor=${json.next_cursor}`;
        } while (cursor !== "");
        assert.deepStrictEqual(
          found,
          Array.from({ length: ROWS }, (_, index) => `https://example.com/${ROWS - 1 - index}`)
        );
      }).pipe(Effect.scoped)
    );
  }
);
