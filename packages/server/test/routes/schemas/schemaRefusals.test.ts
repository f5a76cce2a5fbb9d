/** Unusable schemas, and the errors that callers get for them, with the schema checker of a real server. */
import * as WorkerSchemaChecker from "@winnow/adapters/schema-check/WorkerSchemaChecker";
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as Effect from "effect/Effect";
import { ARTICLE, TestApp } from "../../TestApp.ts";

const object = (members: Readonly<Record<string, unknown>>) => ({ type: "object", ...members });
const list = (length: number) => Array.from({ length }, (_, index) => index);
const deep = (levels: number): unknown => list(levels).reduce<unknown>((not) => ({ not }), {});

const REFUSED: ReadonlyArray<readonly [reason: string, path: string, schema: unknown]> = [
  ["too_large", "", object({ description: "x".repeat(100 * 1_024) })],
  ["not_an_object", "", { type: "string" }],
  ["not_a_schema", "/properties/a/type", object({ properties: { a: { type: "text" } } })],
  ["unsupported_dialect", "/$schema", object({ $schema: "http://json-schema.org/draft-03/schema#" })],
  ["remote_reference", "/items/$ref", object({ items: { $ref: "https://example.com/a.json" } })],
  ["unresolved_reference", "/items/$ref", object({ items: { $ref: "#/$defs/none" } })],
  ["reference_loop", "/allOf/0/$ref", object({ allOf: [{ $ref: "#" }] })],
  ["unsupported_pattern", "/properties/a/pattern", object({ properties: { a: { pattern: "([" } } })],
  ["names_nothing", "", object({})],
  ["contradiction", "/properties/a", object({ properties: { a: { minLength: 2, maxLength: 1 } } })],
  [
    "contradiction",
    "",
    object({ properties: { title: {} }, required: ["titel"], additionalProperties: false })
  ],
  ["too_deep", "/not".repeat(64), object({ not: deep(70) })],
  ["too_many_nodes", "/required", object({ required: list(11_000).map((index) => `a${index}`) })],
  ["too_many_patterns", "/allOf/50/pattern", object({ allOf: list(51).map((at) => ({ pattern: `${at}` })) })],
  [
    "too_costly",
    "/$defs/8",
    object({
      $ref: "#/$defs/0",
      $defs: Object.fromEntries([
        ...list(20).map((at) => [at, { allOf: list(2).map(() => ({ $ref: `#/$defs/${at + 1}` })) }]),
        [20, {}]
      ])
    })
  ]
];

const app = TestApp.with({ analyst: FakeAnalyst.layer(), schemaChecker: WorkerSchemaChecker.layer });

layer(app, { excludeTestServices: true })("a schema that cannot be used", (it) => {
  for (const [reason, path, schema] of REFUSED) {
    it.effect(`${reason} is rejected at submit and at saving, with its path and without a debit`, () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { key } = yield* account(1_000);
        const answers = [
          yield* call("/v1/extractions", { key, body: { url: ARTICLE, schema } }),
          yield* call("/v1/schemas", { key, body: { name: "x", schema } })
        ];
        for (const { status, json } of answers) {
          assert.strictEqual(status, 400);
          const { code, details } = json.error;
          assert.strictEqual(code, "invalid_request");
          assert.deepInclude(details, { param: "schema", reason, ...(path === "" ? {} : { path }) });
        }
        const { json } = yield* call("/v1/account", { key });
        assert.strictEqual(json.balance, 2_000);
        assert.deepStrictEqual((yield* call("/v1/extractions", { key })).json.data, []);
        assert.strictEqual((yield* call("/v1/probe", { key, body: { url: ARTICLE, schema } })).status, 200);
      })
    );
  }

  it.effect("leaves the next one usable, also if only several places of it contradict each other", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      for (const a of [{ pattern: "^\\p{L}+$" }, { type: "string", allOf: [{ type: "number" }] }]) {
        const body = { url: ARTICLE, schema: object({ properties: { a }, required: ["a"] }) };
        assert.strictEqual((yield* call("/v1/extractions", { key, body })).status, 201);
      }
    })
  );
});
