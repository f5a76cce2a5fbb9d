import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { signedIn } from "../../SignedIn.ts";
import { ARTICLE, PRIVATE, STUCK, TestApp } from "../../TestApp.ts";

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly credits: number;
  readonly balanceAfter: number;
}

layer(TestApp.layer, { excludeTestServices: true })("the account", (it) => {
  it.effect("returns its balance and the numbers of running and waiting extractions", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id, key } = yield* account(10_000);
      const { ask } = yield* signedIn(id);
      const empty = yield* call("/v1/account", { key });
      const expected = {
        id,
        name: "test",
        balance: 11_000,
        runningExtractions: 0,
        queuedExtractions: 0,
        plan: "default",
        limits: {
          runningMax: 2,
          waitingMax: 1_000,
          submitsPerMinute: 6,
          probesPerMinute: 10,
          readsPerMinute: 60,
          othersPerMinute: 60,
          maxDurationSec: 3_600,
          retentionDays: 30,
          webhookEndpointsMax: 5
        },
        aiConfigured: false,
        sampleUrls: [ARTICLE]
      };
      assert.deepStrictEqual(empty.json, expected);
      assert.strictEqual(empty.headers.get("x-ratelimit-limit"), "60");
      assert.strictEqual(empty.headers.get("x-ratelimit-remaining"), "59");
      let debited = 0;
      for (let count = 0; count < 5; count++) {
        const { json } = yield* call("/v1/extractions", { key, body: { url: STUCK, force: true } });
        debited += json.creditsDebited;
      }
      const busy = yield* ask("/v1/account");
      assert.deepStrictEqual(busy.json, {
        ...expected,
        balance: 11_000 - debited,
        runningExtractions: 2,
        queuedExtractions: 3
      });
      const own = busy.headers.get("x-ratelimit-remaining");
      assert.strictEqual(own, "59", "a session is counted apart from keys");
    })
  );

  it.effect("is limited to 60 requests a minute for each of its endpoints", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const { id } = yield* account(0);
      const { ask } = yield* signedIn(id);
      for (const path of ["/v1/account", "/v1/ledger", "/v1/api-keys"]) {
        const left = yield* Effect.forEach(Array.from({ length: 61 }), () => ask(path), { concurrency: 8 });
        const statuses = left.map(({ status }) => status).toSorted((a, b) => a - b);
        assert.deepStrictEqual(statuses, [...Array.from({ length: 60 }, () => 200), 429], path);
        const refused = left.find(({ status }) => status === 429);
        assert.strictEqual(refused?.headers.get("retry-after"), "15");
      }
      assert.strictEqual((yield* ask("/v1/api-keys/none", { method: "DELETE" })).status, 404);
    })
  );
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("the ledger", (it) => {
  it.effect("lists every change of credits, with the balance after it", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const failed = yield* app.finished(me, { url: PRIVATE, parts: ["video"] });
      const { status, json } = yield* app.call("/v1/ledger", { key: me.key });
      assert.strictEqual(status, 200);
      const [refund, debit, bonus, topUp] = json.data;
      assert.sameMembers(Object.keys(refund), [
        "id",
        "kind",
        "credits",
        "balanceAfter",
        "extractionId",
        "extractionTitle",
        "createdAt",
        "note"
      ]);
      assert.strictEqual(json.data.length, 4);
      const price = 50 + 150;
      assert.deepInclude(refund, {
        kind: "refund",
        credits: price,
        balanceAfter: 11_000,
        extractionId: failed
      });
      assert.deepInclude(debit, {
        kind: "debit",
        credits: -price,
        balanceAfter: 10_800,
        extractionId: failed
      });
      assert.deepInclude(bonus, { kind: "bonus", credits: 1_000, balanceAfter: 11_000, extractionId: null });
      assert.deepInclude(topUp, { kind: "top_up", credits: 10_000, balanceAfter: 10_000 });
      assert.deepStrictEqual([json.has_more, json.next_cursor], [false, null]);
    })
  );

  it.effect("pages neither skip nor repeat entries while more are added", () =>
    Effect.gen(function* () {
      const { account, accounts, call } = yield* TestApp;
      const { id, key } = yield* account(0);
      const topUp = (credits: number) => Effect.orDie(accounts.topUp(id, credits));
      for (let credits = 1; credits <= 9; credits++) yield* topUp(credits);
      const seen: Array<Entry> = [];
      let cursor = "";
      for (let pages = 1; pages <= 10; pages++) {
        const { json } = yield* call(`/v1/ledger?limit=4${cursor}`, { key });
        seen.push(...json.data);
        assert.strictEqual(json.has_more, json.next_cursor !== null);
        if (json.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
        yield* topUp(100 + pages);
      }
      const credits = seen.filter(({ kind }) => kind === "top_up").map((entry) => entry.credits);
      assert.deepStrictEqual(credits, [9, 8, 7, 6, 5, 4, 3, 2, 1]);
      assert.strictEqual(new Set(seen.map((entry) => entry.id)).size, 10);
    })
  );

  it.effect("a cursor of another account or list, or a modified one, is rejected", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [me, other] = [yield* account(10_000), yield* account(10_000)];
      for (let count = 0; count < 2; count++) {
        yield* call("/v1/extractions", { key: me.key, body: { url: ARTICLE, force: true } });
      }
      const cursorOf = (path: string) =>
        Effect.map(call(`${path}?limit=1`, { key: me.key }), ({ json }) => json.next_cursor as string);
      const cursor = yield* cursorOf("/v1/ledger");
      const ask = (key: string, text: string, path = "/v1/ledger") =>
        call(`${path}?cursor=${encodeURIComponent(text)}`, { key });
      assert.strictEqual((yield* ask(me.key, cursor)).status, 200);
      const refused = [
        yield* ask(other.key, cursor),
        yield* ask(me.key, cursor, "/v1/extractions"),
        yield* ask(me.key, yield* cursorOf("/v1/extractions")),
        ...(yield* Effect.forEach([`${cursor}x`, cursor.slice(1), "", "0", "A".repeat(5_000)], (text) =>
          ask(me.key, text)
        ))
      ];
      for (const { status, json } of refused) {
        assert.strictEqual(status, 400);
        assert.deepInclude(json.error, { code: "invalid_request", details: { param: "cursor" } });
      }
    })
  );
});
