import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { signedIn } from "../../SignedIn.ts";
import { ARTICLE, PRIVATE, PUBLIC_URL, TestApp, VIDEO } from "../../TestApp.ts";

layer(TestApp.layerUnlimited, { excludeTestServices: true })("filtered lists", (it) => {
  it.effect("return matching extractions, with their content and submitter", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const { ask } = yield* signedIn(me.id);
      const article = yield* app.finished(me, { url: ARTICLE });
      const video = yield* app.finished(me, { url: VIDEO, parts: [] });
      const failed = yield* app.finished(me, { url: PRIVATE });
      const { json: byWeb } = yield* ask("/v1/extractions", { body: { url: `${ARTICLE}#again` } });
      const { json: batch } = yield* app.call("/v1/batches", {
        key: me.key,
        body: { items: [{ url: ARTICLE, parts: [] }] }
      });
      const { json: keys } = yield* ask("/v1/api-keys");
      const find = (query: string) =>
        Effect.map(app.call(`/v1/extractions?${query}`, { key: me.key }), ({ json }) =>
          json.data.map(({ id }: { id: string }) => id)
        );
      assert.deepStrictEqual(yield* find("status=failed"), [failed]);
      assert.deepStrictEqual(yield* find("kind=video&status=complete"), [video]);
      assert.deepStrictEqual(yield* find("q=PRIVATE"), [failed]);
      assert.deepStrictEqual(yield* find("since=2999-01-01T00:00:00Z"), []);
      assert.deepStrictEqual(yield* find("until=2020-01-01T00:00:00Z"), []);
      assert.deepStrictEqual(yield* find(`batchId=${batch.id}`), [batch.items[0].id]);
      assert.deepStrictEqual(yield* find(`batchId=${batch.id}&kind=photos`), []);
      assert.deepStrictEqual(
        yield* find("batchId=none"),
        (yield* find("")).filter((id: string) => id !== batch.items[0].id)
      );
      assert.deepStrictEqual(yield* find("schemaId=sch_none"), []);
      assert.deepStrictEqual(
        yield* find(`apiKeyId=${keys.data[0].id}`),
        (yield* find("")).filter((id: string) => id !== byWeb.id)
      );
      assert.includeMembers(yield* find("kind=webpage"), [article]);
      const { json } = yield* app.call("/v1/extractions", { key: me.key });
      const item = (of: string) => json.data.find(({ id }: { id: string }) => id === of);
      assert.deepInclude(item(video), { kind: "video", madeBy: "api", apiKeyName: "test" });
      assert.isString(item(video).title);
      assert.isNumber(item(video).durationSec);
      const thumbnail = `/v1/extractions/${video}/files/thumbnail.jpg`;
      assert.strictEqual(item(video).thumbnail, thumbnail);
      assert.strictEqual((yield* app.call(thumbnail, { key: me.key })).status, 200);
      assert.isNull(item(failed).thumbnail);
      assert.deepInclude(item(byWeb.id), { madeBy: "web", apiKeyName: null });
    })
  );
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("what was asked and used", (it) => {
  it.effect("the body of a submit is returned unchanged, to its account", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(10_000);
      const body = { url: VIDEO, parts: ["transcript"], policy: "best-effort", force: true };
      const { json } = yield* call("/v1/extractions", { key: me.key, body });
      const back = yield* call(`/v1/extractions/${json.id}/request`, { key: me.key });
      assert.strictEqual(back.status, 200);
      assert.deepStrictEqual(back.json, body);
      const stranger = yield* account(0);
      const other = yield* call(`/v1/extractions/${json.id}/request`, { key: stranger.key });
      assert.strictEqual(other.status, 404);
    })
  );

  it.effect("usage has a row per day, and agrees with the ledger", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      yield* app.finished(me, { url: PRIVATE });
      const id = yield* app.finished(me, { url: ARTICLE });
      yield* app.finished(me, { url: ARTICLE });
      const { json: seen } = yield* app.call(`/v1/extractions/${id}`, { key: me.key });
      const { json: failed } = yield* app.call("/v1/extractions?status=failed", { key: me.key });
      const [{ creditsDebited }] = failed.data;
      const { json } = yield* app.call("/v1/usage", { key: me.key });
      assert.strictEqual(json.data.length, 30);
      const used = json.data.filter(({ runs }: { runs: number }) => runs > 0);
      const sum = (field: string) =>
        used.reduce((total: number, day: Record<string, number>) => total + (day[field] ?? 0), 0);
      assert.strictEqual(sum("runs"), 3);
      assert.strictEqual(sum("debited"), seen.creditsDebited + creditsDebited);
      assert.strictEqual(sum("refunded"), seen.creditsRefunded + creditsDebited);
      const [{ apiKeyId, ...byKey }, ...others] = json.keys;
      assert.match(apiKeyId, /^key_/u);
      assert.deepStrictEqual(byKey, {
        apiKeyName: "test",
        runs: 3,
        debited: sum("debited"),
        refunded: sum("refunded")
      });
      assert.isEmpty(others);
      assert.isUndefined(json.bySchema);
      const partsSum = (field: string) =>
        json.byPart.reduce((total: number, part: Record<string, number>) => total + (part[field] ?? 0), 0);
      assert.deepStrictEqual(["debited", "refunded"].map(partsSum), ["debited", "refunded"].map(sum));
      const month = json.data.at(-1).day.slice(0, 7);
      const { json: ofMonth } = yield* app.call(`/v1/usage?month=${month}`, { key: me.key });
      assert.strictEqual(ofMonth.data[0].day, `${month}-01`);
      assert.deepStrictEqual(ofMonth.data.at(-1), json.data.at(-1));
      const { json: earlier } = yield* app.call("/v1/usage?month=2024-02", { key: me.key });
      assert.deepStrictEqual(
        [earlier.data.length, earlier.keys, earlier.bySchema, earlier.byPart],
        [29, [], undefined, undefined]
      );
      assert.strictEqual((yield* app.call("/v1/usage?days=1", { key: me.key })).json.data.length, 1);
    })
  );

  it.effect("a result has size and type of every file", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: VIDEO });
      const { json } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      const { details, files } = json.artifacts;
      assert.deepStrictEqual(
        details.map(({ name }: { name: string }) => name),
        json.summary.files
      );
      for (const { name, bytes, contentType } of details) {
        const file = yield* app.call(files[name].slice(PUBLIC_URL.length), { key: me.key });
        assert.strictEqual(file.headers.get("content-length"), String(bytes), name);
        assert.strictEqual(file.headers.get("content-type"), contentType, name);
      }
    })
  );
});
