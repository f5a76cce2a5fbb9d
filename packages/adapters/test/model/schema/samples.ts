/** Random schemas with conforming values, covering every construct in practical use. */
import * as fc from "fast-check";

export interface Sample {
  readonly schema: any;
  readonly value: fc.Arbitrary<any>;
}

const NAMES = [
  "title",
  "价格",
  "toString",
  "constructor",
  "a b",
  "x-1",
  "item_1",
  "additional",
  "rest",
  "json",
  "n/a~"
];

const name = fc.constantFrom(...NAMES);

const scalar: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { schema: { type: "string" }, value: fc.string() },
  { schema: { type: "string", minLength: 1, maxLength: 4 }, value: fc.constantFrom("a", "ab", "日本") },
  { schema: { type: "integer", minimum: 0, maximum: 9 }, value: fc.integer({ min: 0, max: 9 }) },
  { schema: { type: "number", multipleOf: 0.5 }, value: fc.integer({ min: -4, max: 4 }).map((n) => n / 2) },
  { schema: { type: "boolean" }, value: fc.boolean() },
  { schema: { type: "null" }, value: fc.constant(null) },
  { schema: { type: ["string", "null"] }, value: fc.constantFrom("a", null) },
  { schema: { type: ["integer", "string", "boolean"] }, value: fc.constantFrom(1, "1", true) },
  { schema: { enum: ["a", "b", 1, null] }, value: fc.constantFrom("a", "b", 1, null) },
  { schema: { const: "fixed" }, value: fc.constant("fixed") },
  { schema: { enum: [{ a: 1 }, [1, 2], "x"] }, value: fc.constantFrom({ a: 1 }, [1, 2], "x") },
  { schema: { type: "string", format: "date" }, value: fc.constant("2026-01-31") },
  { schema: { type: "string", pattern: "^(?!x)[a-c]+$" }, value: fc.constantFrom("a", "abc") },
  { schema: { type: "string", not: { const: "no" } }, value: fc.constantFrom("yes", "maybe") },
  { schema: {}, value: fc.jsonValue({ maxDepth: 2 }) },
  { schema: true, value: fc.jsonValue({ maxDepth: 1 }) },
  { schema: { description: "anything" }, value: fc.constantFrom(1, "a", null, [1, { a: [] }], { json: "x" }) }
);

const { inner } = fc.letrec<{ inner: Sample; object: Sample }>((tie) => {
  const child = tie("inner");
  const object = fc
    .uniqueArray(fc.record({ name, required: fc.boolean(), sample: child }), {
      selector: (property) => property.name,
      minLength: 1,
      maxLength: 4
    })
    .chain((properties) =>
      fc.constantFrom("closed", "open", "map").map((kind): Sample => {
        const schema = {
          type: "object",
          properties: Object.fromEntries(
            properties.map((property) => [property.name, property.sample.schema])
          ),
          required: properties.filter((property) => property.required).map((property) => property.name),
          ...(kind === "closed" ? { additionalProperties: false } : {}),
          ...(kind === "map" ? { additionalProperties: { type: "integer" } } : {})
        };
        const value = fc
          .tuple(...properties.map((property) => fc.tuple(fc.boolean(), property.sample.value)))
          .map((values) => {
            const known = properties.flatMap((property, place) => {
              const [isThere, value] = values[place]!;
              return property.required || isThere ? [[property.name, value] as const] : [];
            });
            return Object.fromEntries(kind === "map" ? [...known, ["further key", 7]] : known);
          });
        return { schema, value };
      })
    );
  const array = child.map((sample): Sample => ({
    schema: { type: "array", items: sample.schema, maxItems: 3 },
    value: fc.array(sample.value, { maxLength: 3 })
  }));
  const map = child.map((sample): Sample => ({
    schema: { type: "object", additionalProperties: sample.schema },
    value: fc.dictionary(name, sample.value, { maxKeys: 3 })
  }));
  const patterns = child.map((sample): Sample => ({
    schema: { type: "object", patternProperties: { "^x": sample.schema }, additionalProperties: false },
    value: fc.dictionary(fc.constantFrom("x1", "xy"), sample.value, { maxKeys: 2 })
  }));
  const tuple = fc.tuple(child, child).map(([one, two]): Sample => ({
    schema: { type: "array", prefixItems: [one.schema, two.schema], items: { type: "string" }, minItems: 2 },
    value: fc
      .tuple(one.value, two.value, fc.array(fc.string(), { maxLength: 2 }))
      .map(([a, b, rest]) => [a, b, ...rest])
  }));
  const union = fc
    .tuple(fc.constantFrom("anyOf", "oneOf"), child, child)
    .map(([keyword, one, two]): Sample => {
      // The schemas of `oneOf` are tagged, so that a value conforms to only one.
      const tag = (kind: string, sample: Sample) => ({
        type: "object",
        properties: { kind: { const: kind }, value: sample.schema },
        required: ["kind", "value"]
      });
      return keyword === "oneOf"
        ? {
            schema: { oneOf: [tag("one", one), tag("two", two)] },
            value: fc.oneof(
              one.value.map((value) => ({ kind: "one", value })),
              two.value.map((value) => ({ kind: "two", value }))
            )
          }
        : { schema: { anyOf: [one.schema, two.schema] }, value: fc.oneof(one.value, two.value) };
    });
  const both = fc.tuple(child, child).map(([one, two]): Sample => ({
    schema: {
      allOf: [
        { type: "object", properties: { one: one.schema }, required: ["one"] },
        { properties: { two: two.schema } }
      ]
    },
    value: fc.tuple(one.value, two.value).map(([one, two]) => ({ one, two }))
  }));
  return {
    object,
    inner: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      scalar,
      object,
      array,
      map,
      patterns,
      tuple,
      union,
      both
    )
  };
});

export const sample: fc.Arbitrary<Sample> = inner;

/** A schema and one value of it. */
export const pair = inner.chain(({ schema, value }) => value.map((given) => ({ schema, value: given })));
