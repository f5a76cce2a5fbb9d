/** What every implementation of SchemaChecker promises. Run by WorkerSchemaChecker.test.ts. */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import type * as Schema from "effect/Schema";
import {
  SCHEMA_DEPTH_MAX,
  SCHEMA_ENUM_VALUES_MAX,
  SCHEMA_PATTERNS_MAX,
  type SchemaProblem
} from "@winnow/core/domain/json-schema/SchemaLimits";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { FAULTS_MAX, provenFaults, SchemaChecker, SchemaRefused } from "@winnow/core/ports/SchemaChecker";
import { inRun } from "../samples/samples.ts";
import { BACKTRACKING_PATTERNS, DRAFTS, PATTERNS, SLOW_PATTERNS } from "./schemaCheckerCases.ts";

const PERSON: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    born: { type: "integer" },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    home: { $ref: "#/$defs/place" }
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } }
};

/** A schema nested in this many `items`. */
const nested = (levels: number): JsonObject =>
  Array.from({ length: levels }).reduce<JsonObject>((items) => ({ items }), {});

/** `count` definitions, each referring twice to the next one for the same value. */
const doubling = (count: number): JsonObject => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, index === count - 1 ? { type: "string" } : { allOf: [next, next] }];
    })
  )
});

interface RefusedSchema {
  readonly name: string;
  readonly reason: SchemaProblem["reason"];
  /** Null if several would be correct. */
  readonly path: string | null;
  readonly schema: JsonObject;
}

const REFUSALS: ReadonlyArray<RefusedSchema> = [
  {
    name: "a keyword with an invalid value",
    schema: { properties: { "a/b": { minLength: "1" } } },
    reason: "not_a_schema",
    path: "/properties/a~1b/minLength"
  },
  {
    name: "an unsupported dialect",
    schema: { $schema: "http://json-schema.org/draft-03/schema#" },
    reason: "unsupported_dialect",
    path: "/$schema"
  },
  {
    name: "a reference to another host",
    schema: { properties: { a: { $ref: "http://169.254.169.254/latest/meta-data" } } },
    reason: "remote_reference",
    path: "/properties/a/$ref"
  },
  {
    name: "a reference to a file",
    schema: { $defs: { a: { $ref: "file:///etc/passwd" } } },
    reason: "remote_reference",
    path: "/$defs/a/$ref"
  },
  {
    name: "a reference without a target",
    schema: { items: { $ref: "#/$defs/none" } },
    reason: "unresolved_reference",
    path: "/items/$ref"
  },
  {
    name: "a reference to itself",
    schema: { allOf: [{ $ref: "#" }] },
    reason: "reference_loop",
    path: "/allOf/0/$ref"
  },
  {
    name: "an invalid pattern in patternProperties",
    schema: { patternProperties: { "([": {} } },
    reason: "unsupported_pattern",
    path: "/patternProperties/(["
  },
  {
    name: "a schema that is nested too deeply",
    schema: nested(SCHEMA_DEPTH_MAX + 1),
    reason: "too_deep",
    path: "/items".repeat(SCHEMA_DEPTH_MAX)
  },
  {
    name: "a long enum",
    schema: { items: { enum: Array.from({ length: SCHEMA_ENUM_VALUES_MAX + 1 }, (_, index) => index) } },
    reason: "too_many_nodes",
    path: "/items/enum"
  },
  {
    name: "many patterns",
    schema: {
      allOf: Array.from({ length: SCHEMA_PATTERNS_MAX + 1 }, (_, index) => ({ pattern: `^${index}$` }))
    },
    reason: "too_many_patterns",
    path: `/allOf/${SCHEMA_PATTERNS_MAX}/pattern`
  },
  {
    name: "references that double sixty times",
    schema: doubling(60),
    reason: "too_costly",
    path: null
  }
];

export const suite = <E>(name: string, layer: Layer.Layer<SchemaChecker, E>): void => {
  const check = (schema: JsonObject) => SchemaChecker.use((checker) => checker.check(schema));
  const faults = (schema: JsonObject, value: Schema.Json) =>
    SchemaChecker.use((checker) => checker.validate(schema, value));
  const paths = (schema: JsonObject, value: Schema.Json) =>
    Effect.map(faults(schema, value), (found) =>
      provenFaults(found)
        .map(({ path }) => path)
        .sort()
    );
  const fits = (schema: JsonObject, value: Schema.Json) =>
    Effect.map(faults(schema, value), (found) => provenFaults(found).length === 0);

  withLayer(inRun(layer), { excludeTestServices: true })(`SchemaChecker: ${name}`, (it) => {
    it.effect("a valid schema passes, and so does a value that matches it", () =>
      Effect.gen(function* () {
        yield* check(PERSON);
        const ada = { name: "Ada", born: 1815, tags: ["a", "b"], home: { city: "London" } };
        assert.deepStrictEqual(yield* faults(PERSON, ada), []);
      })
    );

    it.effect("every violation is reported with its path and message", () =>
      Effect.gen(function* () {
        const value = { name: "", born: 1.5, tags: ["a", 1], home: {}, "x/y": 1 };
        const expected = ["", "/born", "/home", "/name", "/tags/1"];
        assert.deepStrictEqual(yield* paths(PERSON, value), expected);
        for (const { message } of yield* faults(PERSON, value)) assert.match(message, /^\S.+\S$/u);
        assert.deepStrictEqual(yield* paths({ properties: { "x/y~": { type: "null" } } }, { "x/y~": 1 }), [
          "/x~1y~0"
        ]);
      })
    );

    it.effect("of countless violations, only a limited number is reported", () =>
      Effect.gen(function* () {
        const value = Array.from({ length: 20_000 }, (_, index) => index);
        const found = yield* faults({ items: { type: "string" } }, value);
        assert.isAtLeast(found.length, 1);
        assert.isAtMost(found.length, FAULTS_MAX);
        const some = yield* faults({ items: { type: "string" } }, value.slice(0, FAULTS_MAX + 5));
        assert.strictEqual(some.length, FAULTS_MAX);
      })
    );

    it.effect("multipleOf compares decimals as they are written", () =>
      Effect.gen(function* () {
        const { validate } = yield* SchemaChecker;
        const multiples: ReadonlyArray<readonly [step: number, value: number, fits: boolean]> = [
          [0.1, 8.1, true],
          [0.01, 19.99, true],
          [0.1, 8.15, false],
          [1e-8, 0.00000003, true],
          [0.3, 1e22, false],
          [0.5, 1e308, true],
          [3, -9, true],
          [2, 9, false]
        ];
        for (const [multipleOf, value, fits] of multiples) {
          const faults = yield* validate(
            { type: "object", properties: { a: { type: "number", multipleOf } } },
            { a: value }
          );
          const expected = fits ? [] : [{ path: "/a", message: `must be multiple of ${multipleOf}` }];
          assert.deepStrictEqual(faults, expected, `${value} of ${multipleOf}`);
        }
      })
    );

    it.effect("formats are enforced", () =>
      Effect.gen(function* () {
        assert.isTrue(yield* fits({ format: "date" }, "2026-02-28"));
        assert.isFalse(yield* fits({ format: "date" }, "2026-02-30"));
        assert.isTrue(yield* fits({ format: "of our own" }, "anything"));
      })
    );

    it.effect("draft-07 is used if it is named, or if only it makes the schema valid", () =>
      Effect.gen(function* () {
        const pair = { items: [{ type: "string" }, { type: "number" }], additionalItems: false };
        for (const schema of [pair, { $schema: "http://json-schema.org/draft-07/schema#", ...pair }]) {
          assert.isTrue(yield* fits(schema, ["a", 1]));
          assert.isFalse(yield* fits(schema, ["a", 1, 2]));
        }
        const refusal = yield* Effect.flip(
          check({ $schema: "https://json-schema.org/draft/2020-12/schema", ...pair })
        );
        assert.strictEqual(refusal.path, "/items");
      })
    );

    it.effect(
      "every published draft since draft-04 is supported, and keywords of other drafts have no effect",
      () =>
        Effect.gen(function* () {
          for (const [names, schema, right, wrong] of DRAFTS) {
            for (const $schema of names) {
              assert.isTrue(yield* fits({ $schema, ...schema }, right), $schema);
              assert.isFalse(yield* fits({ $schema, ...schema }, wrong), $schema);
            }
          }
        })
    );

    it.effect("names such as __proto__ and constructor are ordinary property names", () =>
      Effect.gen(function* () {
        const own = JSON.parse('{"__proto__":"a","constructor":"b"}');
        const schema = { required: ["__proto__", "constructor"] };
        assert.isTrue(yield* fits(schema, own));
        assert.isFalse(yield* fits(schema, {}));
        assert.isFalse(yield* fits({ required: ["toString"] }, {}));
        const typed = JSON.parse(
          '{"properties":{"__proto__":{"type":"number"},"toString":{"type":"number"}}}'
        );
        assert.isFalse(yield* fits(typed, own));
        assert.isTrue(yield* fits(typed, {}));
        assert.isFalse(yield* fits({ properties: {}, additionalProperties: false }, own));
        assert.isFalse(yield* fits({ const: {} }, own));
      })
    );

    it.effect("text in a schema is never executed as code", () =>
      Effect.gen(function* () {
        const text = "\"'`];globalThis.polluted=1;//\u2028*/${globalThis.polluted=1}";
        const schema = { properties: { [text]: { const: text } }, required: [text], $comment: text };
        assert.isTrue(yield* fits(schema, { [text]: text }));
        assert.isFalse(yield* fits(schema, { [text]: "" }));
        assert.notProperty(globalThis, "polluted");
      })
    );

    it.effect("references lead by pointer, name and base, and back through the value", () =>
      Effect.gen(function* () {
        const tree: JsonObject = {
          $id: "https://example.com/tree",
          properties: {
            label: { $ref: "#label" },
            children: { items: { $ref: "/tree" } },
            size: { $ref: "size" }
          },
          required: ["label"],
          $defs: {
            text: { $anchor: "label", type: "string" },
            number: {
              $id: "size",
              type: "number",
              $ref: "#/$defs/positive",
              $defs: { positive: { minimum: 0 } }
            }
          }
        };
        const leaf = { label: "leaf", size: 1 };
        assert.deepStrictEqual(yield* paths(tree, { label: "root", children: [leaf, leaf] }), []);
        const wrong = { label: "root", children: [{ label: 1 }, { label: "", size: -1 }, { size: "" }] };
        assert.deepStrictEqual(yield* paths(tree, wrong), [
          "/children/0/label",
          "/children/1/size",
          "/children/2",
          "/children/2/size"
        ]);
      })
    );

    it.effect("what is not a keyword is not a reference: property names, examples, constants", () =>
      Effect.gen(function* () {
        const schema = {
          properties: { $ref: { type: "string" }, pattern: { const: { $ref: "http://example.com/" } } },
          examples: [{ $ref: "http://example.com/" }]
        };
        assert.isTrue(yield* fits(schema, { $ref: "a", pattern: { $ref: "http://example.com/" } }));
        assert.isFalse(yield* fits(schema, { $ref: 1 }));
      })
    );

    for (const refusal of REFUSALS) {
      it.effect(`${refusal.name} is refused at its path, before use and in use`, () =>
        Effect.gen(function* () {
          const refused = yield* Effect.flip(check(refusal.schema));
          assert.instanceOf(refused, SchemaRefused);
          assert.strictEqual(refused.reason, refusal.reason);
          if (refusal.path !== null) assert.strictEqual(refused.path, refusal.path);
          assert.match(refused.message, /\.$/u);
          assert.deepStrictEqual(yield* Effect.flip(faults(refusal.schema, {})), refused);
        })
      );
    }

    it.effect("a schema that nothing can fulfil is refused at its mistake, and no value fits it", () =>
      Effect.gen(function* () {
        const schema = { ...PERSON, required: ["nmae"] };
        assert.deepInclude(yield* Effect.flip(check(schema)), { reason: "contradiction", path: "" });
        assert.isFalse(yield* fits(schema, { nmae: "Ada" }));
      })
    );

    it.effect("patterns mean what ECMA-262 says", () =>
      Effect.gen(function* () {
        for (const [text, matches, fails] of PATTERNS) {
          assert.isTrue(yield* fits({ pattern: text }, matches), `${text} on ${matches}`);
          assert.isFalse(yield* fits({ pattern: text }, fails), `${text} on ${fails}`);
        }
      })
    );

    it.effect("patterns with lookaround, backreferences or many repetitions are enforced too", () =>
      Effect.gen(function* () {
        for (const [text, matches, fails] of BACKTRACKING_PATTERNS) {
          assert.isTrue(yield* fits({ pattern: text }, matches), `${text} on ${matches}`);
          assert.isFalse(yield* fits({ pattern: text }, fails), `${text} on ${fails}`);
        }
      })
    );

    it.effect("a pattern that would never finish is skipped, and the rest of the schema is enforced", () =>
      Effect.gen(function* () {
        const schema = { items: { pattern: "^(?!x)(a+)+$", maxLength: 60 } };
        const slow = Array.from({ length: 20 }, (_, index) => `${"a".repeat(40 + index)}!`);
        assert.isTrue(yield* fits(schema, slow));
        assert.deepStrictEqual(yield* paths(schema, [...slow, "a".repeat(70)]), ["/20"]);
        assert.isFalse(yield* fits(schema, ["xa"]));
      })
    );

    it.effect("a pattern that backtracks ends in time, and its text is not said to fit", () =>
      Effect.gen(function* () {
        const value = `${"a".repeat(50_000)}!`;
        for (const text of SLOW_PATTERNS) {
          const found = yield* faults({ pattern: text }, value);
          assert.strictEqual(found.length, 1, text);
        }
      })
    );

    it.effect("two patterns that look alike are not taken for one", () =>
      Effect.gen(function* () {
        const both = { properties: { a: { pattern: "^(a+)+$" }, b: { pattern: "^(b+)+$" } } };
        assert.deepStrictEqual(yield* paths(both, { a: "a", b: "a" }), ["/b"]);
      })
    );

    it.effect(
      "a value whose recursion is too costly is rejected, and the next one is validated normally",
      () =>
        Effect.gen(function* () {
          const twice = { properties: { a: { $ref: "#" } } };
          const schema = { allOf: [twice, twice], type: "object" };
          const deep = Array.from({ length: 60 }).reduce<Schema.Json>((a) => ({ a: a ?? null }), {});
          const refused = yield* Effect.flip(faults(schema, deep));
          assert.strictEqual(refused.reason, "too_costly");
          assert.isTrue(yield* fits(schema, { a: { a: {} } }));
        })
    );

    it.effect("twenty rejected schemas in a row do not prevent the next from being used", () =>
      Effect.gen(function* () {
        for (let turn = 0; turn < 20; turn++) {
          const { schema } = REFUSALS[turn % REFUSALS.length] ?? { schema: {} };
          yield* Effect.flip(check(schema));
        }
        assert.isTrue(yield* fits(PERSON, { name: "Ada" }));
      })
    );

    it.effect("concurrent validations each get their own result", () =>
      Effect.gen(function* () {
        const results = yield* Effect.forEach(
          Array.from({ length: 30 }, (_, index) => index),
          (index) => Effect.all([fits({ const: index }, index), fits({ const: index }, -1)]),
          { concurrency: "unbounded" }
        );
        assert.isTrue(results.every(([right, wrong]) => right && !wrong));
      })
    );
  });
};
