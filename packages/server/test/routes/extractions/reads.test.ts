import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { ARTICLE, TestApp } from "../../TestApp.ts";

layer(TestApp.layerUnlimited, { excludeTestServices: true })("lists", (it) => {
  it.effect("pages are newest first, without gaps or repeats, and the last has no cursor", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const ids: Array<string> = [];
      for (let count = 0; count < 5; count++) {
        const { json } = yield* call("/v1/extractions", { key, body: { url: ARTICLE, force: true } });
        ids.unshift(json.id);
      }
      const seen: Array<string> = [];
      let cursor = "";
      for (let pages = 1; ; pages++) {
        const { status, json } = yield* call(`/v1/extractions?limit=2${cursor}`, { key });
        assert.strictEqual(status, 200);
        seen.push(...json.data.map(({ id }: { id: string }) => id));
        assert.strictEqual(json.has_more, json.next_cursor !== null);
        if (json.next_cursor === null) {
          assert.strictEqual(pages, 3);
          break;
        }
        cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
      }
      assert.deepStrictEqual(seen, ids);
    })
  );

  it.effect("an item has the published fields, the detail also its phase and price", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: ARTICLE });
      const { json } = yield* app.call("/v1/extractions", { key: me.key });
      const fields = [
        "id",
        "url",
        "status",
        "createdAt",
        "completedAt",
        "creditsDebited",
        "creditsRefunded",
        "cached",
        "outcome",
        "title",
        "kind",
        "durationSec",
        "thumbnail",
        "madeBy",
        "apiKeyName"
      ];
      assert.sameMembers(Object.keys(json.data[0]), fields);
      const detail = yield* app.call(`/v1/extractions/${id}`, { key: me.key });
      assert.sameMembers(Object.keys(detail.json), [...fields, "phase", "price"]);
      assert.deepInclude(detail.json, { status: "complete", phase: "done", cached: false, outcome: null });
    })
  );

  it.effect("a modified cursor, or one of another account, is rejected", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const one = yield* account(1_000);
      const other = yield* account(1_000);
      for (let count = 0; count < 2; count++) {
        yield* call("/v1/extractions", { key: one.key, body: { url: ARTICLE, force: true } });
      }
      const { json } = yield* call("/v1/extractions?limit=1", { key: one.key });
      const cursor: string = json.next_cursor;
      const ask = (key: string, text: string) =>
        Effect.map(
          call(`/v1/extractions?cursor=${encodeURIComponent(text)}`, { key }),
          ({ status }) => status
        );
      assert.strictEqual(yield* ask(one.key, cursor), 200);
      assert.strictEqual(yield* ask(other.key, cursor), 400);
      for (const text of [`${cursor}x`, cursor.slice(1), "nonsense", "", "A".repeat(5_000)]) {
        assert.strictEqual(yield* ask(one.key, text), 400, text.slice(0, 20));
      }
    })
  );
});

layer(TestApp.layer, { excludeTestServices: true })("system", (it) => {
  it.effect("the OpenAPI document is public and the same each time", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const first = yield* call("/v1/openapi.json");
      assert.strictEqual(first.status, 200);
      assert.match(first.json.openapi, /^3\.1/u);
      assert.strictEqual((yield* call("/v1/openapi.json")).text, first.text);
    })
  );

  it.effect("the server is up and ready, also for HEAD", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      for (const path of ["/healthz", "/readyz"]) {
        assert.deepStrictEqual((yield* call(path)).json, { status: "ok" });
        assert.strictEqual((yield* call(path, { method: "HEAD" })).status, 200);
      }
    })
  );
});
