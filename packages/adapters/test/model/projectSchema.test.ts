import { assert, describe, it } from "vitest";
import { projectSchema } from "@winnow/adapters/openai";
import { checkSchema } from "@winnow/adapters/schema";
import { breachesOfRoot } from "./schema/strictRules.ts";

describe("projectSchema", () => {
  it("returns a standalone schema, and converts matching answers to the caller's form", () => {
    const { schema, decode } = projectSchema({
      type: "object",
      properties: { title: { type: "string" }, parts: { type: "array", items: { $ref: "#" } } },
      required: ["title"]
    });
    assert.deepInclude(schema, { additionalProperties: false });
    const references = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/gu)].map(([, name]) => name);
    assert.includeMembers(Object.keys((schema["$defs"] ?? {}) as object), references as Array<string>);
    assert.deepStrictEqual(decode({ title: "One", parts: [{ title: "Two", parts: null }] }), {
      title: "One",
      parts: [{ title: "Two" }]
    });
  });
});

describe("projectSchema of what is not a plain object", () => {
  it.each<[string, any, any, any]>([
    [
      "a map",
      { type: "object", additionalProperties: { type: "integer" } },
      [{ key: "a", value: 1 }],
      { a: 1 }
    ],
    [
      "a choice",
      {
        anyOf: [
          { properties: { a: { type: "string" } }, required: ["a"] },
          { type: "object", maxProperties: 0 }
        ]
      },
      { a: "b" },
      { a: "b" }
    ],
    [
      "a schema that says nothing",
      { topics: { type: "object" } },
      [{ key: "a", value: { json: "[1]" } }],
      { a: [1] }
    ]
  ])("holds %s in an object, as strict mode wants one at the root", (_, given, answer, value) => {
    const { schema, decode } = projectSchema(given);
    assert.deepStrictEqual(breachesOfRoot(schema), []);
    const [name = ""] = Object.keys((schema["properties"] ?? {}) as object);
    assert.deepStrictEqual(decode({ [name]: answer }), value);
  });
});

describe("checkSchema", () => {
  it("accepts what a submit accepts, of any published draft", async () => {
    for (const $schema of [
      "http://json-schema.org/draft-04/schema#",
      "https://json-schema.org/draft/2020-12/schema"
    ]) {
      assert.deepStrictEqual(await checkSchema({ $schema, type: "object", required: ["a"] }), { ok: true });
    }
  });

  it.each([
    [[], "not_an_object", ""],
    [{ type: "string" }, "not_an_object", ""],
    [{ type: "object" }, "names_nothing", ""],
    [{ required: ["a"], properties: { a: { not: {} } } }, "contradiction", "/properties/a"],
    [{ type: "object", properties: { a: { type: "text" } } }, "not_a_schema", "/properties/a/type"],
    [
      { type: "object", properties: { a: { $ref: "https://example.com/a" } } },
      "remote_reference",
      "/properties/a/$ref"
    ]
  ])("refuses %j with the reason, the place and a sentence", async (schema, reason, pointer) => {
    const checked = await checkSchema(schema);
    assert.deepInclude(checked, { ok: false, reason, pointer });
    assert.isFalse(checked.ok);
    if (!checked.ok) assert.match(checked.message, /[.]$/u);
  });
});
