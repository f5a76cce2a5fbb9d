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
      { field: "price", before: '{"type":"integer"}', after: '{"type":"number"}' },
      { field: "added", before: null, after: '{"type":"string","required":false}' },
      { field: "gone", before: '{"type":"string","required":false}', after: null }
    ]);
  });

  it("look into groups and lists, and see what became optional", () => {
    const offers = (required: ReadonlyArray<string>) =>
      object({ offers: { type: "array", items: object({ price: { type: "number" } }, required) } });
    assert.deepStrictEqual(differencesOf(offers(["price"]), offers([])), [
      {
        field: "offers[].price",
        before: '{"type":"number"}',
        after: '{"type":"number","required":false}'
      }
    ]);
  });

  it("show what stands beside the fields", () => {
    const before = { ...object({}), additionalProperties: true };
    assert.deepStrictEqual(differencesOf(before, { ...object({}), additionalProperties: false }), [
      {
        field: "",
        before: '{"type":"object","additionalProperties":true}',
        after: '{"type":"object","additionalProperties":false}'
      }
    ]);
  });
});
