import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { assert, describe, it } from "@effect/vitest";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { floored, mergeAnswers, mergeValues, type Answer } from "../../../src/model/inputs/mergeAnswers.ts";
import { oneOf, SEEDED } from "./samples.ts";

const ok = (
  extraction: Schema.Json,
  quotes: Answer["quotes"] = [],
  confidence: number | null = null
): Answer => ({
  outcome: "ok",
  verdictReason: null,
  extraction,
  quotes,
  confidence
});

const not = (outcome: "no_match" | "uncertain", verdictReason: string): Answer => ({
  outcome,
  verdictReason,
  extraction: null,
  quotes: [],
  confidence: null
});

const merged = (...values: ReadonlyArray<Schema.Json>): Schema.Json =>
  mergeValues(
    values.map((value, section) => ({ section, pointer: "", value })),
    () => false
  ).value;

/** Answers for sections of the same content: the same members, with values of the same types. */
const Value: Arbitrary.Arbitrary<Schema.Json> = Arbitrary.map(
  Arbitrary.all({
    title: oneOf(["Soup", "Stew", null]),
    minutes: oneOf([10, 20, 30]),
    tags: Arbitrary.array(oneOf(["a", "b", "c"]), { maxLength: 4 }),
    items: Arbitrary.array(
      Arbitrary.map(oneOf(["salt", "oil"]), (name) => ({ name, "a/b~c": 1 })),
      { maxLength: 3 }
    )
  }),
  ({ title, minutes, tags, items }) => ({ title, time: { minutes }, tags, items })
);

const Values = Arbitrary.array(Value, { minLength: 1, maxLength: 5 });

it("numbers that a section rounded stay marked as such", () => {
  const id = Number("1917043659912705296");
  const answers = [
    ok({ other: 1, ids: [2] }),
    { ...ok({ other: id, ids: [id] }), inexact: ["/other", "/ids/0"] }
  ];
  assert.deepStrictEqual(mergeAnswers(answers).inexact, ["/ids/1"]);
});

describe("merging values", () => {
  it.prop(
    "one value is itself, and so is it twice",
    { value: Schema.Json },
    ({ value }) => {
      assert.strictEqual(canonicalJson(merged(value)), canonicalJson(value));
      assert.strictEqual(canonicalJson(merged(value, value)), canonicalJson(value));
    },
    SEEDED
  );

  it.prop(
    "merging is idempotent",
    { values: Values },
    ({ values }) => {
      const once = merged(...values);
      assert.deepStrictEqual(merged(once, once), once);
      const again = merged(once, ...values) as { readonly tags: unknown; readonly items: unknown };
      assert.deepStrictEqual(
        { tags: again.tags, items: again.items },
        { tags: (once as typeof again).tags, items: (once as typeof again).items }
      );
    },
    SEEDED
  );

  it.prop(
    "every value comes from a section, and no list item is lost",
    { values: Values },
    ({ values }) => {
      const found = merged(...values) as {
        readonly tags: ReadonlyArray<string>;
        readonly title: string | null;
      };
      const read = values as unknown as ReadonlyArray<typeof found>;
      assert.isTrue(read.some(({ title }) => title === found.title));
      assert.sameMembers([...new Set(found.tags)], [...new Set(read.flatMap(({ tags }) => tags))]);
      assert.isAtLeast(found.tags.length, Math.max(...read.map(({ tags }) => tags.length)));
    },
    SEEDED
  );

  it("uses the majority of sections, and the earliest on a tie", () => {
    assert.strictEqual(merged("a", "b", "b"), "b");
    assert.strictEqual(merged("a", "b"), "a");
    assert.strictEqual(merged(null, "b"), "b");
    assert.strictEqual(merged(1, "1", 1), 1);
  });

  it("keeps duplicates within a section, and removes those between sections", () => {
    assert.deepStrictEqual(merged([1, 1], [1, 2], [2, 2]), [1, 1, 2, 2]);
  });

  it("merges objects member by member, with any names", () => {
    const hostile = JSON.parse('{"__proto__":{"x":1},"constructor":null}') as Schema.Json;
    const both = merged(hostile, { constructor: "a", b: 2 });
    assert.strictEqual(JSON.stringify(both), '{"__proto__":{"x":1},"constructor":"a","b":2}');
  });
});

describe("merging answers", () => {
  it("is ok if any section is, no_match if all are, else uncertain", () => {
    assert.strictEqual(mergeAnswers([not("no_match", "x"), ok({ a: 1 })]).outcome, "ok");
    const nothing = mergeAnswers([not("no_match", "Is about cars."), not("no_match", "y")]);
    assert.deepStrictEqual(nothing, not("no_match", "Is about cars."));
    const unsure = mergeAnswers([not("no_match", "x"), not("uncertain", "Too thin.")]);
    assert.deepStrictEqual(unsure, not("uncertain", "Too thin."));
    assert.strictEqual(mergeAnswers([]).outcome, "uncertain");
  });

  it("prefers values with evidence to those of the majority", () => {
    const answers = [ok({ a: 1 }), ok({ a: 1 }), ok({ a: 2 }, [{ pointer: "/a", quote: "two" }])];
    const { extraction, quotes } = mergeAnswers(answers);
    assert.deepStrictEqual(extraction, { a: 2 });
    assert.deepStrictEqual(quotes, [{ pointer: "/a", quote: "two" }]);
  });

  it("moves quotes with their values, and drops those of dropped values", () => {
    const { extraction, quotes } = mergeAnswers([
      not("no_match", "An advertisement."),
      ok({ name: "Soup", items: [{ n: "salt" }] }, [
        { pointer: "/items/0/n", quote: "some salt" },
        { pointer: "/name", quote: "the soup" }
      ]),
      ok({ name: "Stew", items: [{ n: "salt" }, { n: "oil" }] }, [
        { pointer: "/items/1/n", quote: "a spoon of oil" },
        { pointer: "/items/0/n", quote: "salt again" },
        { pointer: "/name", quote: "the stew" },
        { pointer: "/items", quote: "what you need" }
      ])
    ]);
    assert.deepStrictEqual(extraction, { name: "Soup", items: [{ n: "salt" }, { n: "oil" }] });
    assert.deepStrictEqual(quotes, [
      { pointer: "/items/0/n", quote: "some salt" },
      { pointer: "/name", quote: "the soup" },
      { pointer: "/items/1/n", quote: "a spoon of oil" },
      { pointer: "/items/0/n", quote: "salt again" },
      { pointer: "/items", quote: "what you need" }
    ]);
  });

  it("has the lowest confidence of the sections", () => {
    assert.strictEqual(mergeAnswers([ok({}, [], 0.9), ok({}, [], 0.4), ok({})]).confidence, 0.4);
  });
});

describe("the last call over the answers of sections", () => {
  const steps = ["chop", "fry", "boil", "salt", "serve"];

  it("may change, add and remove single values, and join a few items of a list", () => {
    const merged = { title: "Soup", minutes: 20, note: "old", steps };
    const answered = {
      title: "Tomato soup",
      note: null,
      steps: ["chop and fry", "boil", "serve"],
      by: "Ada"
    };
    assert.deepStrictEqual(floored(answered, merged), { value: answered, restored: [] });
  });

  it("gets back lists of which it kept little, and objects that it left out", () => {
    const merged = { steps, of: { tags: steps, size: { cups: 2 } }, none: {} };
    const answered = { steps: ["chop", "serve"], of: { tags: null, size: null }, none: null };
    const { restored, value } = floored(answered, merged);
    assert.deepStrictEqual(value, merged);
    assert.deepStrictEqual(restored, ["/steps", "/of/tags", "/of/size"]);
    assert.deepStrictEqual(floored({}, { steps }), { value: { steps }, restored: ["/steps"] });
  });
});
