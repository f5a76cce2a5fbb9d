// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { modelAnswerSchema } from "../../../src/model/answer/ModelAnswer.ts";
import { project } from "../../../src/model/schema/Projection.ts";
import { copied } from "./copied.ts";
import { breachesOfRoot } from "./strictRules.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

const makeConforms = (schema: any): ((value: any) => boolean) => {
  const conforms = ajv.compile(schema);
  // All but the meta-schema, which takes longer to compile than a sample: samples may have the same `$id`.
  ajv.removeSchema();
  return conforms;
};

const plain = (value: any): any => JSON.parse(JSON.stringify(value));

/** Encodes and decodes a value, as if it were sent over HTTP. */
const roundTrip = (schema: any, value: any) => {
  const projection = project(schema);
  return projection.fromWire(plain(copied(projection, value).wire));
};

const text = { type: "string" };
const number = { type: "number" };
const closed = (properties: any): any => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
});

describe("a projected schema", () => {
  const tree = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    required: ["name"]
  };
  const node = (name: string, ...children: ReadonlyArray<any>) => ({ name, children });

  const silent = {
    type: "object",
    properties: { a: {}, note: { type: ["string", "null"] }, list: { type: "array", items: { $ref: "#" } } }
  };

  it.each<[string, any, any]>([
    ["a tree of itself", tree, node("a", node("b", node("c")), node("d"))],
    [
      "two definitions of each other, with words beside the reference",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/a", description: "the first" } },
        $defs: {
          a: { type: "object", properties: { b: { anyOf: [{ $ref: "#/$defs/b" }, { type: "null" }] } } },
          b: { type: "object", properties: { a: { allOf: [{ $ref: "#/$defs/a" }, { minProperties: 0 }] } } }
        }
      },
      { a: { b: { a: { b: null } } } }
    ],
    [
      "tuples of draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: {
          at: { type: "array", items: [{ type: "number" }, { type: "string" }], additionalItems: false }
        }
      },
      { at: [1, "x"] }
    ],
    [
      "objects told apart by what they require",
      {
        type: "object",
        properties: { id: { type: "string" }, name: { type: "string" } },
        anyOf: [{ required: ["id"] }, { required: ["name"] }]
      },
      { name: "x" }
    ],
    [
      "a value whose name is __proto__",
      { type: "object", properties: JSON.parse('{"__proto__":{"type":"string"}}') },
      JSON.parse('{"__proto__":"x"}')
    ],
    [
      "members that only a condition names",
      {
        type: "object",
        properties: { kind: { enum: ["book", "film"] } },
        required: ["kind"],
        if: { properties: { kind: { const: "book" } } },
        then: { properties: { isbn: { type: "string" } }, required: ["isbn"] },
        else: { properties: { minutes: { type: "integer" } }, required: ["minutes"] }
      },
      { kind: "film", minutes: 90 }
    ],
    [
      "members that others bring with them",
      {
        type: "object",
        properties: { card: { type: "string" } },
        dependentSchemas: { card: { allOf: [{ $ref: "#/$defs/address" }] } },
        dependentRequired: { card: ["holder"] },
        $defs: { address: { properties: { city: { type: "string" } }, required: ["city"] } }
      },
      { card: "1", city: "London", holder: "Ada" }
    ],
    [
      "members of which conditions say different things",
      {
        type: "object",
        properties: { kind: { type: "string" } },
        if: { properties: { kind: { const: "a" } } },
        then: { properties: { value: { type: "string" } } },
        else: { properties: { value: { type: "array", items: { type: "integer" } } } }
      },
      { kind: "b", value: [1, 2] }
    ],
    [
      "members that only the second choice of an object names",
      {
        type: "object",
        anyOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { required: ["b"] }],
        allOf: [
          { oneOf: [{ properties: { c: { type: "integer" } } }, { properties: { d: { type: "string" } } }] }
        ]
      },
      { a: "b", c: 1 }
    ],
    ["a list at the root", { type: "array", items: { type: "integer" } }, [1, 2]],
    [
      "a map of maps",
      { type: "object", additionalProperties: { type: "object", additionalProperties: { type: "integer" } } },
      { a: { b: 1 }, c: {} }
    ],
    [
      "a choice of a list and a map",
      { anyOf: [{ type: "array", items: {} }, { type: "object" }] },
      { key: "a", value: [1] }
    ],
    [
      "a choice of open objects, of which each has others",
      {
        type: "object",
        properties: {
          at: {
            anyOf: [
              { type: "object", properties: { a: text }, required: ["a"], additionalProperties: number },
              { type: "object", properties: { b: text }, required: ["b"], additionalProperties: text }
            ]
          }
        }
      },
      { at: { b: "x", c: "y" } }
    ],
    [
      "a member that has the name of the list",
      { type: "object", properties: { additional: { type: "string" } } },
      { additional: "a", additional_2: "b" }
    ]
  ])("admits %s, and brings it back as it was", (_name, schema, value) => {
    assert.deepStrictEqual(roundTrip(schema, value), value);
    const wire = modelAnswerSchema(project(schema));
    assert.deepStrictEqual(breachesOfRoot(wire), []);
    const data = copied(project(schema), value).wire;
    const answer = plain({ verdict: "ok", reason: "", confidence: 1, evidence: [], data });
    assert.isTrue(makeConforms(wire)(answer), JSON.stringify(answer));
  });

  it("offers one list of additional members, and none if the schema closes its objects", () => {
    const wire = JSON.stringify(modelAnswerSchema(project(silent)));
    assert.strictEqual(wire.split('"key"').length - 1, 2, "one definition: its property and its name");
    assert.notInclude(JSON.stringify(modelAnswerSchema(project(closed({ a: text })))), 'additional":');
  });

  it("reads additional members by their names and pointers, none of closed objects or in the place of others", () => {
    const projection = project({
      type: "object",
      properties: {
        shut: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
        list: { type: "array", items: { $ref: "#" } },
        title: { type: "string" }
      },
      required: ["title"]
    });
    const additional = [
      { key: "/shut/b", value: 1 },
      { key: "/nowhere/b", value: 1 },
      { key: "title", value: "another" },
      { key: "colour", value: { json: '["red"]' } },
      { key: "/list/0/x~1y", value: null },
      { key: "/list/0/a", value: 2 },
      "noise"
    ];
    const wire = { shut: { a: "b" }, list: [{ title: "Two" }], title: "One", additional };
    assert.deepStrictEqual(projection.fromWire(wire), {
      colour: ["red"],
      shut: { a: "b" },
      list: [{ title: "Two", a: 2, "x/y": null }],
      title: "One"
    });
  });

  it.each<[string, any]>([
    ["a type", { type: ["object", "null"], properties: { a: { type: "string" } } }],
    ["a choice", { anyOf: [{ type: "array" }, { type: "object", properties: { a: { type: "string" } } }] }]
  ])("is an object where %s would allow other values too, and an object is wanted", (_name, schema) => {
    const wire = project(schema, { wants: "object" }).schema as any;
    assert.strictEqual(wire.type, "object");
    assert.deepStrictEqual(Object.keys(wire.properties), ["a", "additional"]);
  });

  it("describes constraints that providers do not enforce, and renamed members", () => {
    const { schema } = project({
      type: "object",
      properties: { "a b": { type: "string", minLength: 3, description: "A code." } },
      not: { const: {} }
    }) as any;
    const property = schema.properties.field_1_a_b;
    assert.include(property.description, 'Its name is "a b".');
    const inner = property.anyOf[0];
    assert.strictEqual(inner.description, 'A code. Must also satisfy {"minLength":3}.');
    assert.include(schema.description, '{"not":{"const":{}}}');
  });

  it("tells objects that look alike apart by the names of their options", () => {
    const list = closed({ v: { type: "array", items: closed({ key: text, value: number }) } });
    const map = closed({ v: { type: "object", additionalProperties: number } });
    const projection = project({ type: "object", properties: { at: { anyOf: [list, map] } } });
    const v = [{ key: "a", value: 1 }];
    assert.deepStrictEqual(projection.fromWire({ at: { option_1: { v } } }), { at: { v } });
    assert.deepStrictEqual(projection.fromWire({ at: { option_2: { v } } }), { at: { v: { a: 1 } } });
    const apart = project({ type: "object", properties: { at: { anyOf: [list, closed({ w: text })] } } });
    assert.deepStrictEqual(apart.fromWire({ at: { v } }), { at: { v } });
  });

  it("maps wire paths to paths in the value", () => {
    const projection = project({
      type: "object",
      properties: {
        prices: {
          type: "object",
          additionalProperties: { type: "object", properties: { "a/b": { type: "number" } } }
        },
        at: {
          type: "array",
          prefixItems: [{ type: "number" }, { type: "number" }],
          items: { type: "string" }
        }
      }
    });
    const { wire } = copied(projection, { prices: { "EU/R": { "a/b": 1 } }, at: [1, 2, "x"] });
    const places = new Map<string, string>();
    projection.fromWire(wire, (from, to) => void places.set(from, to));
    assert.strictEqual(places.get("/prices/0/value/field_1_a_b"), "/prices/EU~1R/a~1b");
    assert.strictEqual(places.get("/at/2"), "/at/2");
  });

  it.each<[string, any, any]>([
    [
      "references that double sixty times",
      {
        $ref: "#/$defs/d0",
        $defs: Object.fromEntries(
          Array.from({ length: 60 }, (_, place) => [
            `d${place}`,
            place === 59
              ? { type: "string" }
              : {
                  type: "object",
                  properties: { l: { $ref: `#/$defs/d${place + 1}` }, r: { $ref: `#/$defs/d${place + 1}` } }
                }
          ])
        )
      },
      { l: { r: {} } }
    ],
    [
      "choices of choices",
      {
        type: "object",
        allOf: Array.from({ length: 14 }, (_, place) => ({
          anyOf: [
            { required: [`a${place}`] },
            { required: [`b${place}`] },
            { properties: { c: { type: "string" } } }
          ]
        }))
      },
      { a1: 1 }
    ],
    [
      "a choice of three thousand",
      {
        oneOf: Array.from({ length: 3_000 }, (_, place) => ({
          properties: { [`p${place}`]: {} },
          required: ["a"]
        }))
      },
      { a: 1, p7: 1 }
    ],
    [
      "a choice that is tried again at every depth",
      {
        $ref: "#/$defs/n",
        $defs: {
          n: {
            anyOf: Array.from({ length: 8 }, (_, place) => ({
              type: "object",
              properties: { x: { $ref: "#/$defs/n" }, [`o${place}`]: { type: "string" } }
            }))
          }
        }
      },
      Array.from({ length: 100 }).reduce<any>((inner) => ({ x: inner }), { x: 1 })
    ]
  ])("takes %s without losing time", (_name, schema, value) => {
    const before = process.threadCpuUsage();
    const projection = project(schema);
    projection.fromWire(plain(copied(projection, value).wire));
    // CPU time in microseconds, independent of other load.
    assert.isBelow(process.threadCpuUsage(before).user, 1_500_000);
  });
});
