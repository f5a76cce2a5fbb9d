/** Values that no content proves are returned without evidence, or not at all. */
import { assert, layer } from "@effect/vitest";
import * as WorkerSchemaChecker from "@winnow/adapters/schema-check/WorkerSchemaChecker";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as Effect from "effect/Effect";
import { TestApp, type TestAccount, unlimited, VIDEO } from "../../TestApp.ts";

/** Returns one value that is in the transcript, and three that are not. */
const analyst = FakeAnalyst.layer(() =>
  Effect.succeed({
    outcome: "ok",
    verdictReason: null,
    extraction: { words: "content of", speaker: "Nobody Atall", minutes: 7, tags: ["content", "invented"] },
    quotes: [{ pointer: "/words", quote: "content of" }]
  })
);

const objectOf = (nullable: boolean) => {
  const typed = (type: string) => ({ type: nullable ? [type, "null"] : type });
  return {
    type: "object",
    properties: {
      words: { type: "string" },
      speaker: typed("string"),
      minutes: typed("integer"),
      tags: { type: "array", items: typed("string") }
    },
    required: ["words", "speaker", "minutes", "tags"]
  };
};

const app = TestApp.with({ rateLimits: unlimited, analyst, schemaChecker: WorkerSchemaChecker.layer });

const resultOf = Effect.fnUntraced(function* (me: TestAccount, body: object) {
  const { call, finished } = yield* TestApp;
  const id = yield* finished(me, body);
  return (yield* call(`/v1/extractions/${id}/result`, { key: me.key })).json;
});

layer(app, { excludeTestServices: true, timeout: 60_000 })("evidence", (it) => {
  it.effect("that is required turns values without any into null, and no others", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(10_000);
      const body = { url: VIDEO, schema: objectOf(true) };
      const attached = yield* resultOf(me, body);
      assert.deepStrictEqual([attached.outcome, attached.extraction.speaker], ["ok", "Nobody Atall"]);
      const required = yield* resultOf(me, { ...body, evidence: "require" });
      assert.strictEqual(required.outcome, "ok");
      assert.deepStrictEqual(required.extraction, {
        words: "content of",
        speaker: null,
        minutes: null,
        tags: ["content", null]
      });
      assert.isNotEmpty(required.evidence["/words"]);
      assert.deepStrictEqual(required.evidence["/speaker"], []);
    })
  );

  it.effect("that is required for a non-nullable value makes the outcome uncertain, and is charged", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(10_000);
      const body = { url: VIDEO, schema: objectOf(false), evidence: "require" };
      const result = yield* resultOf(me, body);
      assert.deepStrictEqual(
        [result.status, result.outcome, result.extraction],
        ["complete", "uncertain", null]
      );
      assert.match(result.verdictReason, /\/speaker, \/minutes, \/tags\/1\.$/u);
      const { json } = yield* call(`/v1/extractions/${result.id}`, { key: me.key });
      assert.deepStrictEqual([json.creditsDebited, json.creditsRefunded], [187, 0]);
    })
  );

  it.effect("changes the cache key only if it is required", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(10_000);
      const body = { url: VIDEO, schema: objectOf(true) };
      yield* resultOf(me, body);
      yield* resultOf(me, { url: VIDEO });
      const isCached = (more: object) =>
        Effect.map(call("/v1/probe", { key: me.key, body: { ...body, ...more } }), ({ json }) => json.cached);
      assert.isTrue(yield* isCached({ evidence: "attach" }));
      assert.isFalse(yield* isCached({ evidence: "require" }));
      assert.isTrue(yield* isCached({ schema: undefined, evidence: "require" }));
      const refused = yield* call("/v1/extractions", { key: me.key, body: { ...body, evidence: "some" } });
      assert.deepStrictEqual([refused.status, refused.json.error.details.param], [400, "evidence"]);
    })
  );
});
