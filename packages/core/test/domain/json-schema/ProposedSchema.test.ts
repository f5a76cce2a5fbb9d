import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import {
  compileProposal,
  PROPOSED_DEPTH_MAX,
  PROPOSED_FIELDS_MAX,
  ProposedField,
  proposalName
} from "../../../src/domain/json-schema/ProposedSchema.ts";
import { readSchemaBody } from "../../../src/domain/json-schema/SavedSchema.ts";
import { oneOf } from "../Arbitraries.ts";

const field = (path: string, over: Partial<ProposedField> = {}): ProposedField => ({
  path,
  type: "string",
  description: "",
  required: false,
  isArray: false,
  ...over
});
const propertiesOf = (...fields: ReadonlyArray<ProposedField>): any =>
  compileProposal(fields)?.["properties"];

describe("a proposal", () => {
  it("becomes an object of values, lists and lists of objects", () => {
    const schema = compileProposal([
      field("title", { required: true, description: "Name of the dish." }),
      field("servings", { type: "integer" }),
      field("items[].name", { required: true }),
      field("items[].amount", { type: "number" }),
      field("tags", { isArray: true })
    ]);
    const item = {
      type: "object",
      properties: { name: { type: "string" }, amount: { type: ["number", "null"] } },
      required: ["name"],
      additionalProperties: false
    };
    assert.deepStrictEqual(schema, {
      type: "object",
      properties: {
        title: { type: "string", description: "Name of the dish." },
        servings: { type: ["integer", "null"] },
        items: { type: "array", items: item },
        tags: { type: "array", items: { type: "string" } }
      },
      required: ["title", "items"],
      additionalProperties: false,
      "x-described-by-content": true
    });
  });

  it("without usable fields gives no schema", () => {
    assert.isNull(compileProposal([]));
    assert.isNull(
      compileProposal([
        field(""),
        field("..."),
        field("[]"),
        field("a.b.c.d.e"),
        field("__"),
        field("_".repeat(500_000))
      ])
    );
  });

  it("that names a value twice keeps the first", () => {
    const twice = [
      field("a", { type: "number", description: "One." }),
      field("a", { required: true, isArray: true })
    ];
    assert.deepStrictEqual(propertiesOf(...twice), {
      a: { type: "array", items: { type: "number" }, description: "One." }
    });
  });

  it("that contradicts itself keeps what came first", () => {
    assert.deepStrictEqual(Object.keys(propertiesOf(field("a"), field("a.b"), field("c.d"), field("c"))), [
      "a",
      "c"
    ]);
    assert.strictEqual(propertiesOf(field("c.d"), field("c")).c.type, "object");
    assert.strictEqual(propertiesOf(field("c.d"), field("c[].e")).c.type, "array");
  });

  it("has cleaned names, and descriptions without invisible characters", () => {
    const hidden = `Say \u202eevil\u{e0041}\u0007  ${"x".repeat(500)}`;
    const schema = propertiesOf(
      field(" Prix (\u20ac) ", { description: hidden }),
      field("__proto__"),
      field("constructor")
    );
    assert.deepStrictEqual(Object.keys(schema), ["Prix", "proto", "constructor_"]);
    assert.match(schema.Prix.description, /^Say evil x+$/u);
    assert.isAtMost(schema.Prix.description.length, 200);
  });

  it("has a name that can be saved", () => {
    for (const [name, saved] of [
      [" A\ttalk\u202e ", "A talk"],
      ["\u0000", "Untitled"],
      ["x".repeat(300), "x".repeat(200)]
    ] as const) {
      assert.strictEqual(proposalName(name), saved);
    }
  });

  const Path = Arbitrary.map(
    Arbitrary.array(oneOf(["a", "b", "[]", ".", "[0]", " ", "__proto__", "\u00e9", "-", "\u0000"]), {
      maxLength: 14
    }),
    (pieces) => pieces.join("")
  );
  const Field = Arbitrary.map(
    Arbitrary.all({
      path: Path,
      rest: Arbitrary.schema(ProposedField),
      name: Arbitrary.schema(Schema.String)
    }),
    ({ path, rest, name }): ProposedField => ({ ...rest, path: path === "" ? name : path })
  );

  const depthOf = (schema: any): number =>
    schema.type === "array"
      ? depthOf(schema.items)
      : 1 + Math.max(-1, ...Object.values(schema.properties ?? {}).map(depthOf));
  const countOf = (schema: any): number =>
    schema.type === "array"
      ? countOf(schema.items)
      : schema.properties === undefined
        ? 1
        : Object.values(schema.properties).reduce((sum: number, each) => sum + countOf(each), 0);

  it.prop(
    "is always a schema that can be saved, within its limits",
    { fields: Arbitrary.array(Field, { maxLength: 60 }), name: Arbitrary.schema(Schema.String) },
    ({ fields, name }) => {
      const schema = compileProposal(fields);
      if (schema === null) return;
      assert.isTrue(Result.isSuccess(readSchemaBody({ name: proposalName(name), schema })));
      assert.isAtMost(depthOf(schema), PROPOSED_DEPTH_MAX);
      assert.isAtMost(countOf(schema), PROPOSED_FIELDS_MAX);
    },
    { arbitrary: { runs: 200, size: 40 } }
  );
});
