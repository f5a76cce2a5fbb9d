// @module-tag long
/** Behaviour that only appears with PostgreSQL: two servers on one database, and untrusted text. */
import { assert, layer } from "@effect/vitest";
import * as PgJobQueue from "@winnow/adapters/database/queue/PgJobQueue";
import * as Migrations from "@winnow/adapters/database/migrations/Migrations";
import * as PgConnection from "@winnow/adapters/database/store/PgConnection";
import * as PgRateLimits from "@winnow/adapters/database/store/PgRateLimits";
import * as PgSchemaLibrary from "@winnow/adapters/database/store/PgSchemaLibrary";
import * as PgSessions from "@winnow/adapters/database/store/PgSessions";
import * as PgStore from "@winnow/adapters/database/store/PgStore";
import * as PgWebhookEndpoints from "@winnow/adapters/database/store/PgWebhookEndpoints";
import * as PgWebhookOutbox from "@winnow/adapters/database/store/PgWebhookOutbox";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { ARTICLE, clocked, TestApp, unlimited } from "../TestApp.ts";
import { fuzz } from "./Fuzz.ts";
import { newDatabase } from "../SharedPostgres.ts";

const connection = (url: Redacted.Redacted) => Layer.orDie(PgConnection.layer({ url, connectionsMax: 5 }));

const storage = (url: Redacted.Redacted) =>
  Layer.mergeAll(
    PgStore.layer,
    PgSchemaLibrary.layer,
    PgSessions.layer,
    PgWebhookEndpoints.layer,
    PgWebhookOutbox.layer
  ).pipe(Layer.provideMerge(PgJobQueue.layer()), Layer.provide(connection(url)));

/** A database with all tables, shared by the tests of this file. */
class Database extends Context.Service<Database, { readonly url: Redacted.Redacted }>()(
  "@winnow/server/test/http/Database"
) {
  static readonly layer = Layer.effect(
    Database,
    Effect.gen(function* () {
      const url = Redacted.make(yield* newDatabase);
      yield* Effect.scoped(Layer.build(Layer.provide(Migrations.layer, connection(url))));
      return { url };
    })
  );
}

const server = Effect.gen(function* () {
  const { url } = yield* Database;
  const rateLimits = clocked(PgRateLimits.layer.pipe(Layer.provide(connection(url))));
  return Context.get(yield* Layer.build(TestApp.with({ storage: storage(url), rateLimits })), TestApp);
});

layer(Database.layer, { excludeTestServices: true, timeout: 120_000 })("on one database", (it) => {
  it.effect("a key reads its account's extractions at every endpoint, and no others", () =>
    Effect.gen(function* () {
      const { account, call, finished } = yield* server;
      const [mine, theirs] = [yield* account(1_000), yield* account(1_000)];
      const path = `/v1/extractions/${yield* finished(mine, { url: ARTICLE })}`;
      const read = (key: string) =>
        Effect.forEach(["", "/request", "/result"], (suffix) => call(`${path}${suffix}`, { key }));
      const [item] = (yield* call("/v1/extractions", { key: mine.key })).json.data;
      const [detail, request, result] = yield* read(mine.key);
      const { price, ...shown } = detail?.json ?? {};
      assert.deepStrictEqual(shown, { ...item, phase: "done" });
      assert.strictEqual(price.credits, item.creditsDebited);
      assert.strictEqual(request?.json.url, ARTICLE);
      assert.deepInclude(result?.json, { id: item.id, status: "complete" });
      assert.deepStrictEqual(
        (yield* read(theirs.key)).map(({ status }) => status),
        [404, 404, 404]
      );
      assert.strictEqual((yield* call(path, { key: mine.key, method: "DELETE" })).status, 204);
      assert.strictEqual((yield* call(path, { key: mine.key })).status, 404);
    }).pipe(Effect.scoped)
  );

  it.effect("two servers share the rate limit of an account", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* server, yield* server];
      const { key } = yield* one.account(0);
      const remaining: Array<string | null> = [];
      for (const { call } of [one, other, other, one, one, other]) {
        const { headers } = yield* call("/v1/extract", { key, body: "{}" });
        remaining.push(headers.get("x-ratelimit-remaining"));
      }
      assert.deepStrictEqual(remaining, ["5", "4", "3", "2", "1", "0"]);
      for (const { call } of [one, other]) {
        const limited = yield* call("/v1/extractions", { key, body: "{}" });
        assert.strictEqual(limited.status, 429);
        assert.strictEqual(limited.headers.get("retry-after"), "15");
      }
      const asks = Array.from({ length: 70 }, (_, index) =>
        (index % 2 === 0 ? one : other).call("/v1/extractions", { key })
      );
      const answers = yield* Effect.all(asks, { concurrency: "unbounded" });
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 60);
    })
  );

  it.effect("any text can be stored", () =>
    Effect.gen(function* () {
      const { url } = yield* Database;
      const app = TestApp.with({
        storage: storage(url),
        rateLimits: unlimited,
        analyst: FakeAnalyst.layer()
      });
      yield* Effect.provide(fuzz(Number(process.env["WINNOW_FUZZ_REQUESTS"] ?? 300), 3), app);
    })
  );
});
