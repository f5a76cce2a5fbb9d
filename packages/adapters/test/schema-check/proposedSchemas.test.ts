/** Schemas generated from content (`schemaId` "auto") pass the checker, for any proposal of a model. */
import { assert, layer } from "@effect/vitest";
import { compileProposal, ProposedField } from "@winnow/core/domain/json-schema/ProposedSchema";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import * as Arbitrary from "effect/Arbitrary";
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as WorkerSchemaChecker from "../../src/schema-check/WorkerSchemaChecker.ts";

const PIECES = [
  "a",
  "b[]",
  "\u00e9",
  "__proto__",
  "$ref",
  "x y",
  "constructor",
  "[0]",
  "items",
  "\u{1f600}",
  ""
];

const Path = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(PIECES)), { minLength: 1, maxLength: 5 }),
  (pieces) => pieces.join(".")
);
const Field = Arbitrary.map(
  Arbitrary.all({ path: Path, rest: Arbitrary.schema(ProposedField) }),
  ({ path, rest }): ProposedField => ({ ...rest, path })
);

/** A value that conforms to the schema: one item in each list, null where allowed. */
const valueOf = (schema: any): Schema.Json => {
  if (schema.type === "object") {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, valueOf(each)]));
  }
  if (schema.type === "array") return [valueOf(schema.items)];
  if (Array.isArray(schema.type)) return null;
  return { string: "x", number: 0.5, integer: 1, boolean: true }[schema.type as string] ?? null;
};

layer(inRun(WorkerSchemaChecker.layer), { excludeTestServices: true })("proposed schemas", (it) => {
  it.effect.prop(
    "are schemas, and accept only the values they describe",
    { fields: Arbitrary.array(Field, { minLength: 1, maxLength: 45 }) },
    ({ fields }) =>
      Effect.gen(function* () {
        const schema = compileProposal(fields);
        if (schema === null) return;
        const checker = yield* SchemaChecker;
        yield* checker.check(schema);
        const value = valueOf(schema);
        assert.deepStrictEqual(yield* checker.validate(schema, value), []);
        assert.isNotEmpty(yield* checker.validate(schema, { ...(value as object), unknown: 1 }));
      }),
    { arbitrary: { runs: 60, size: 20, seed: 1 } }
  );
});
