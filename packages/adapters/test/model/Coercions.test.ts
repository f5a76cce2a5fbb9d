import { assert, describe, it } from "@effect/vitest";
import { coerced } from "../../src/model/answer/Coercions.ts";
import { project } from "../../src/model/schema/Projection.ts";

/** The coerced answer to a schema with one member. */
const mended = (schema: any, given: any, required = true): any => {
  const projection = project({
    type: "object",
    properties: { it: schema },
    ...(required ? { required: ["it"] } : {})
  });
  const { value } = coerced(projection, given === undefined ? {} : { it: given });
  return (projection.fromWire(value) as any).it;
};

const choice = { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }] };

describe("a coercion", () => {
  it.each<[string, any, any, any]>([
    ["digits are a number", { type: "number" }, " 12.50 ", 12.5],
    ["digits in groups are a number", { type: "number" }, "1,234,567.8", 1_234_567.8],
    ["a group is one of three digits", { type: "number" }, "1,200", 1_200],
    ["groups may be parted by spaces or points", { type: "number" }, "1 234 567,5", 1_234_567.5],
    ["groups parted by points have a decimal comma", { type: "number" }, "1.234,50", 1_234.5],
    ["two digits after a comma are a part", { type: "number" }, "12,50", 12.5],
    ["a part has a zero before its comma", { type: "number" }, "0,125", 0.125],
    ["a currency before a number goes", { type: "number" }, "€12.50", 12.5],
    ["a currency after a number goes", { type: "number" }, "1,200 USD", 1_200],
    ["a minus sign is a minus", { type: "integer" }, "−3", -3],
    ["a percentage is its number", { type: "number" }, "12%", 12],
    ["a percentage of one whole is its part", { type: "number", maximum: 1 }, "12.3 %", 0.123],
    ["a small percentage too", { type: "number", maximum: 1 }, "0.0000001 %", 0.000_000_001],
    ["a percentage with an exponent too", { type: "number", maximum: 1 }, "1e-7 %", 0.000_000_001],
    ["two numbers stay", { type: "number" }, "12-15", "12-15"],
    ["a date in words is one", { type: "string", format: "date" }, "6 May 2024", "2024-05-06"],
    ["a date may begin with its month", { type: "string", format: "date" }, "May 6th, 2024", "2024-05-06"],
    ["a date may have its weekday", { type: "string", format: "date" }, "Monday, 6 May 2024", "2024-05-06"],
    ["a date may be in German", { type: "string", format: "date" }, "Montag, den 6. Mai 2024", "2024-05-06"],
    ["a date may be in French", { type: "string", format: "date" }, "le 1er août 2024", "2024-08-01"],
    ["a date may be in Spanish", { type: "string", format: "date" }, "6 de mayo de 2024", "2024-05-06"],
    ["a date may be in Russian", { type: "string", format: "date" }, "6 мая 2024 г.", "2024-05-06"],
    ["a date may be in Japanese", { type: "string", format: "date" }, "2024年5月6日", "2024-05-06"],
    [
      "a month that is June in Croatian and July in Polish stays",
      { type: "string", format: "date" },
      "6 lip 2024",
      "6 lip 2024"
    ],
    ["a date may have its time", { type: "string", format: "date" }, "5 March 2024 10:30", "2024-03-05"],
    ["a date may have dashes", { type: "string", format: "date" }, "15-03-2024", "2024-03-15"],
    [
      "a time with its zone is one",
      { type: "string", format: "date-time" },
      "Tue, 05 Mar 2024 10:00:00 GMT",
      "2024-03-05T10:00:00Z"
    ],
    [
      "an hour and the one it lasts to have no zone",
      { type: "string", format: "date-time" },
      "6 May 2024, 19:00-21:00",
      "6 May 2024, 19:00-21:00"
    ],
    [
      "no zone is 20 hours away",
      { type: "string", format: "date-time" },
      "2024-05-06 19:00-20:00",
      "2024-05-06 19:00-20:00"
    ],
    [
      "the day of such hours is one",
      { type: "string", format: "date" },
      "6 May 2024 10:30-12:00",
      "2024-05-06"
    ],
    ["two dates stay", { type: "string", format: "date" }, "5-7 March 2024", "5-7 March 2024"],
    ["a date with points has its day first", { type: "string", format: "date" }, "6.5.2024", "2024-05-06"],
    ["a day over 12 tells itself", { type: "string", format: "date" }, "05/31/2024", "2024-05-31"],
    ["what may be two dates stays", { type: "string", format: "date" }, "05/06/2024", "05/06/2024"],
    ["a day that is not there stays", { type: "string", format: "date" }, "31 June 2024", "31 June 2024"],
    [
      "an offset gets its colon",
      { type: "string", format: "date-time" },
      "2024-05-06 14:00 +0200",
      "2024-05-06T14:00:00+02:00"
    ],
    [
      "a time without an offset stays",
      { type: "string", format: "date-time" },
      "2024-05-06T14:00:00",
      "2024-05-06T14:00:00"
    ],
    ["a quantity with its unit stays", { type: "number" }, "12 kg", "12 kg"],
    ["a part is not an integer", { type: "integer" }, 12.5, 12.5],
    ["a number is a string where one is wanted", { type: "string" }, 12, "12"],
    ["spaces around a string go", { type: "string" }, "  a b ", "a b"],
    ["yes is true", { type: "boolean" }, "Yes", true],
    ["maybe is neither", { type: "boolean" }, "maybe", "maybe"],
    ["one value is a list of one", { type: "array", items: { type: "number" } }, "3", [3]],
    ["a word for nothing is an empty list", { type: "array", items: { type: "string" } }, "none", []],
    ["case does not make another listed value", { enum: ["Easy", "Hard"] }, "easy ", "Easy"],
    ["a value that is not listed stays", { enum: ["Easy", "Hard"] }, "medium", "medium"],
    [
      "a map may come as an object",
      { type: "object", additionalProperties: { type: "number" } },
      { a: "1" },
      { a: 1 }
    ],
    [
      "a tuple may come as a list",
      { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], minItems: 2 },
      ["1", 2],
      [1, "2"]
    ],
    [
      "behind the places of a tuple, each has its own type",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
      [1, "2", "3"],
      ["1", 2, 3]
    ],
    [
      "a date that may be null is one",
      { type: ["string", "null"], format: "date" },
      "6 May 2024",
      "2024-05-06"
    ],
    [
      "a date within what may be null is one",
      {
        anyOf: [{ type: "object", properties: { on: { type: "string", format: "date" } } }, { type: "null" }]
      },
      { on: "6 May 2024" },
      { on: "2024-05-06" }
    ],
    ["digits of other scripts are a number", { type: "number" }, "١٬٢٣٤٫٥", 1_234.5],
    ["a percentage in other digits is one", { type: "integer" }, "１２%", 12],
    ["a date of digits alone may be a number", { type: "string", format: "date" }, 20_240_506, "2024-05-06"],
    ["a choice takes the first option that can be met", choice, "5", 5],
    ["a choice that fits stays", choice, [5], [5]]
  ])("%s", (_name, schema, given, expected) => {
    assert.deepStrictEqual(mended(schema, given), expected);
  });

  it("a placeholder removes an optional value, and is not accepted for a required one", () => {
    assert.isUndefined(mended({ type: "number" }, "n/a", false));
    assert.isUndefined(mended({ type: "number" }, undefined, false));
    assert.strictEqual(mended({ type: "number" }, "n/a", true), "n/a");
    assert.strictEqual(mended({ type: "string" }, "unknown", false), "unknown");
    assert.strictEqual(mended({ enum: ["a", "unknown"] }, "unknown", false), "unknown");
    assert.isUndefined(mended({ type: "string", format: "date" }, "Unknown", false));
    assert.isNull(mended({ type: ["number", "null"] }, "not mentioned", true));
    assert.deepStrictEqual(mended({ type: "array", items: { type: ["number", "null"] } }, ["1", "n/a"]), [
      1,
      null
    ]);
    const byName = { type: "object", additionalProperties: { enum: ["new", null] } };
    assert.deepStrictEqual(mended(byName, { a: "New", b: "unknown" }), { a: "new", b: null });
  });

  it("counts the placeholders, for a warning", () => {
    const projection = project({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } }
    });
    assert.strictEqual(coerced(projection, { a: "unknown", b: "n/a" }).nulledCount, 2);
    assert.strictEqual(coerced(projection, { a: null, b: 1 }).nulledCount, 0);
    const nullable = project({ type: "object", properties: { a: { type: ["number", "null"] } } });
    assert.strictEqual(coerced(nullable, { a: "unknown" }).nulledCount, 1);
  });
});
