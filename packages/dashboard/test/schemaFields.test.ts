/** Schemas as fields: whatever nobody changed is written as it was. */
import { assert, describe, it } from "vitest";
import { PREDEFINED } from "../../core/src/domain/json-schema/Predefined.ts";
import {
  DEPTH_MAX,
  FIELD_KINDS,
  fieldsOf,
  hasRepeatedName,
  isUnshown,
  newField,
  schemaOf,
  type Field,
  type JsonObject
} from "../src/parts/schema/fields.ts";

const shown = (schema: JsonObject): ReadonlyArray<Field> => {
  const fields = fieldsOf(schema);
  if (isUnshown(fields)) throw new Error(`${fields.keyword} at ${fields.path}`);
  return fields;
};

/** Compared as text: the order of keywords counts too. */
const rewrittenByFields = (schema: JsonObject): string => JSON.stringify(schemaOf(shown(schema), schema));

/** Without what each was read from. */
const bare = (fields: ReadonlyArray<Field>): unknown =>
  fields.map((field) => ({ ...field, fields: bare(field.fields), kept: {}, keptItem: {} }));

/** JavaScript lists names that are numbers first. */
const byKey = (fields: ReadonlyArray<Field>): ReadonlyArray<Field> => {
  const rank = ({ name }: Field): number => (/^\d+$/u.test(name) ? 0 : 1);
  return fields
    .map((field) => ({ ...field, fields: byKey(field.fields) }))
    .toSorted((a, b) => rank(a) - rank(b));
};

const SEEDS = Array.from({ length: 300 }, (_, index) => index + 1);

/** Numbers below `below`, the same for the same seed. */
const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

type Dice = ReturnType<typeof dice>;

const NAMES = ["dish", "größe", "a b", "1", "__proto__", "constructor", "~/", "type", "$ref", "x.y"];

const fieldTree = (roll: Dice, depth: number): ReadonlyArray<Field> =>
  NAMES.filter(() => roll(3) === 0).map((name) => {
    const kinds = FIELD_KINDS.filter((kind) => kind !== "group" || depth < DEPTH_MAX);
    const kind = kinds[roll(kinds.length)] ?? "text";
    return {
      ...newField(),
      name,
      kind,
      isList: roll(2) === 0,
      isRequired: roll(2) === 0,
      isNullable: roll(2) === 0,
      description: roll(2) === 0 ? "" : "What it means.",
      choices: kind === "choice" ? ["one", "two words", "null"].slice(roll(3)) : [],
      fields: kind === "group" ? fieldTree(roll, depth + 1) : []
    };
  });

const shuffled = (roll: Dice, schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .map((entry) => [roll(1_000), entry] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, entry]) => entry)
  );

/** The same schema as somebody else may write it: other orders, and keywords that mean nothing. */
const rewritten = (roll: Dice, value: unknown): unknown => {
  if (Array.isArray(value)) return value;
  const schema = value as JsonObject;
  const { type, properties, items, additionalProperties, required, ...rest } = schema;
  const names = [type].flat();
  return shuffled(roll, {
    ...rest,
    type: names.length > 1 && roll(2) === 0 ? names.toReversed() : roll(4) === 0 ? names : type,
    ...(roll(3) === 0 ? { title: "T", examples: [{ a: 1 }], default: null } : {}),
    ...(roll(5) === 0 ? { description: " with spaces " } : {}),
    ...(items === undefined ? {} : { items: rewritten(roll, items) }),
    ...(Array.isArray(required) ? { required: required.toReversed() } : {}),
    ...(names.includes("object") && required === undefined && roll(2) === 0 ? { required: [] } : {}),
    ...(additionalProperties === false && roll(2) === 0 ? { additionalProperties } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as JsonObject).map(([name, each]) => [name, rewritten(roll, each)])
          )
        })
  });
};

describe("a schema as fields", () => {
  it.each([...PREDEFINED.keys()])("shows all of %s, and writes it as it was", (id) => {
    const schema = PREDEFINED.get(id)?.schema ?? {};
    assert.strictEqual(rewrittenByFields(schema), JSON.stringify(schema));
  });

  it("is restored from the schema that it makes", () => {
    for (const seed of SEEDS) {
      const fields = fieldTree(dice(seed), 0);
      const schema = schemaOf(fields);
      assert.deepStrictEqual(
        bare(shown(JSON.parse(JSON.stringify(schema)) as JsonObject)),
        bare(byKey(fields))
      );
    }
  });

  it("writes a schema as it was, whoever wrote it", () => {
    for (const seed of SEEDS) {
      const roll = dice(seed);
      const schema = rewritten(roll, schemaOf(fieldTree(roll, 0))) as JsonObject;
      if (schema["type"] === "object") assert.strictEqual(rewrittenByFields(schema), JSON.stringify(schema));
      else assert.deepStrictEqual(fieldsOf(schema), { keyword: "type", path: "" });
    }
  });

  it("changes nothing beside what somebody changed", () => {
    const { schema } = PREDEFINED.get("winnow.predefined.recipe.v1") ?? { schema: {} };
    const fields = shown(schema).map((field) =>
      field.name === "servings" ? { ...field, isNullable: false, kind: "integer" as const } : field
    );
    const expected = structuredClone(schema) as { properties: Record<string, { type: unknown }> };
    (expected.properties["servings"] ?? { type: "" }).type = "integer";
    assert.strictEqual(JSON.stringify(schemaOf(fields, schema)), JSON.stringify(expected));
  });

  it("keeps the examples that are still true", () => {
    const schema: JsonObject = PREDEFINED.get("winnow.predefined.recipe.v1")?.schema ?? {};
    const [first = newField(), ...others] = shown(schema);
    const named = (name: string) => schemaOf([{ ...first, name }, ...others], schema)["examples"];
    assert.deepStrictEqual(named("title"), schema["examples"]);
    assert.isUndefined(named("dish"));
    const loose = { type: "object", properties: { a: { type: "string" } }, examples: [{ b: 1 }, {}, "text"] };
    assert.deepStrictEqual(schemaOf([{ ...newField(), name: "c" }], loose)["examples"], loose.examples);
  });

  it("drops what its former kind had, and keeps what people wrote about it", () => {
    const schema = {
      type: "object",
      properties: {
        level: { title: "Level", type: ["string", "null"], enum: ["low", null], description: "As stated." }
      }
    };
    const [level = newField()] = shown(schema);
    assert.deepStrictEqual(
      schemaOf([{ ...level, kind: "group", isList: true, fields: [{ ...newField(), name: "a" }] }], schema),
      {
        type: "object",
        properties: {
          level: {
            title: "Level",
            type: ["array", "null"],
            description: "As stated.",
            items: {
              type: "object",
              properties: { a: { type: "string" } },
              required: ["a"],
              additionalProperties: false
            }
          }
        }
      }
    );
  });

  it.each<[JsonObject, string, string]>([
    [{ type: "array" }, "type", ""],
    [{ type: "object", oneOf: [] }, "oneOf", ""],
    [{ type: "object", additionalProperties: true }, "additionalProperties", ""],
    [{ type: "object", properties: { a: { type: "string", minLength: 3 } } }, "minLength", "a"],
    [{ type: "object", properties: { a: { type: ["string", "number"] } } }, "type", "a"],
    [{ type: "object", properties: { a: { $ref: "#/$defs/a" } } }, "type", "a"],
    [{ type: "object", properties: { a: true } }, "true", "a"],
    [{ type: "object", properties: { a: { type: "string", enum: [1] } } }, "enum", "a"],
    [{ type: "object", properties: { a: { type: ["string", "null"], enum: ["b"] } } }, "enum", "a"],
    [{ type: "object", properties: { " a": { type: "string" } } }, "properties", ""],
    [{ type: "object", properties: {}, required: ["a"] }, "required", ""],
    [{ type: "object", properties: { a: { type: "array" } } }, "items", "a"],
    [
      { type: "object", properties: { a: { type: "array", items: { type: "array", items: {} } } } },
      "items",
      "a"
    ],
    [
      {
        type: "object",
        properties: {
          a: { type: "object", properties: { b: { type: "array", minItems: 1, items: { type: "string" } } } }
        }
      },
      "minItems",
      "a.b"
    ]
  ])("does not show %j, and says why", (schema, keyword, path) => {
    assert.deepStrictEqual(fieldsOf(schema), { keyword, path });
  });

  it("does not show groups that are nested too deep", () => {
    let schema: JsonObject = { type: "object", properties: {} };
    for (let depth = 0; depth < DEPTH_MAX; depth += 1) schema = { type: "object", properties: { a: schema } };
    assert.strictEqual(rewrittenByFields(schema), JSON.stringify(schema));
    assert.isTrue(isUnshown(fieldsOf({ type: "object", properties: { a: schema } })));
  });

  it("finds a duplicate name in a group, but not across groups", () => {
    const a = { ...newField(), name: "a" };
    const group = { ...a, kind: "group" as const };
    assert.isFalse(hasRepeatedName([{ ...group, fields: [a] }]));
    assert.isTrue(hasRepeatedName([{ ...group, fields: [a, { ...a, name: "a " }] }]));
    assert.isFalse(hasRepeatedName([{ ...group, kind: "text", fields: [a, a] }]));
  });
});
