/** What differs between two versions of a schema. */
import { assert, describe, it } from "vitest";
import { differencesOf } from "../src/screens/schemas/differences.ts";

const object = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
});
const text = { type: "string" };

describe("the differences of two versions of a schema", () => {
  it("are none where only the order of fields differs", () => {
    const properties = { name: text, price: { type: "number" } };
    const turned = { price: { type: "number" }, name: text };
    assert.deepStrictEqual(
      differencesOf(object(properties, ["name", "price"]), object(turned, ["price", "name"])),
      []
    );
  });

  it("name each field once, in the order of the later version, those that are gone last", () => {
    const before = object({ gone: text, price: { type: "integer" }, same: text }, ["price"]);
    const after = object({ price: { type: "number" }, same: text, added: text }, ["price"]);
    assert.deepStrictEqual(differencesOf(before, after), [
      { field: "price", changes: ["is now number, was integer"] },
      { field: "added", changes: ["is new"] },
      { field: "gone", changes: ["is gone"] }
    ]);
  });

  it("look into groups and lists, and say in words what may now be missing", () => {
    const offers = (required: ReadonlyArray<string>) =>
      object({ offers: { type: "array", items: object({ price: { type: "number" } }, required) } });
    assert.deepStrictEqual(differencesOf(offers(["price"]), offers([])), [
      { field: "offers[].price", changes: ["may now be missing"] }
    ]);
    assert.deepStrictEqual(
      differencesOf(
        object({ price: { type: ["number", "null"] } }, ["price"]),
        object({ price: { type: "number" } }, ["price"])
      ),
      [{ field: "price", changes: ["may no longer be missing"] }]
    );
  });

  it("name choices, descriptions and other keywords", () => {
    const unit = (more: object) => object({ unit: { type: "string", ...more } }, ["unit"]);
    assert.deepStrictEqual(
      differencesOf(
        unit({ enum: ["g", "ml"], description: "of the amount", maxLength: 2 }),
        unit({ enum: ["g", "kg"], pattern: "g$" })
      ),
      [
        {
          field: "unit",
          changes: [
            'now allows "kg"',
            'no longer allows "ml"',
            'pattern is now "g$"',
            "is no longer described",
            "maxLength is gone"
          ]
        }
      ]
    );
  });

  it("show what stands beside the fields", () => {
    const before = { ...object({}), additionalProperties: true };
    assert.deepStrictEqual(differencesOf(before, { ...object({}), additionalProperties: false }), [
      { field: "", changes: ["additionalProperties is now false"] }
    ]);
  });
});
