import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import type * as Schema from "effect/Schema";
import { isUnfounded } from "../../../src/domain/evidence/EvidenceRule.ts";
import type { ClaimedQuote } from "../../../src/domain/evidence/Grounding.ts";
import type { QuotableText } from "../../../src/domain/evidence/QuoteSearch.ts";
import type { JsonObject } from "../../../src/domain/json-schema/SchemaRules.ts";
import { intBetween, oneOf } from "../Arbitraries.ts";
import { groundingOf } from "@winnow/testing/samples/evidence";

const CONTENT =
  "The fair opens on 6 May 2024 at the old harbour of Bremen. Tickets are 12 euros, children pay nothing at all.";

const TEXTS: ReadonlyArray<QuotableText> = [
  {
    source: "page",
    segments: [{ text: CONTENT, startSeconds: null, endSeconds: null, author: null }]
  }
];

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string" },
    day: { type: "string", format: "date" },
    price: { type: "number" },
    mood: { enum: ["calm", "loud"] },
    isOpen: { type: "boolean" }
  }
};

const isRandom = (extraction: Schema.Json, quotes: ReadonlyArray<ClaimedQuote> = []): boolean =>
  isUnfounded(SCHEMA, extraction, groundingOf(extraction, quotes, TEXTS));

describe("an answer that nothing in the content supports", () => {
  const INVENTED = { name: "Zorbing night", day: "1999-12-31", price: 777, mood: "loud", isOpen: true };

  it("is unfounded with three values that could be quoted, whatever it claims to quote", () => {
    assert.isTrue(isRandom(INVENTED));
    assert.isTrue(isRandom(INVENTED, [{ pointer: "/name", quote: "Zorbing night at the park" }]));
    assert.isTrue(isRandom(INVENTED, [{ pointer: "/price", quote: "the" }]));
    assert.isTrue(isRandom({ days: [{ a: 41 }, { a: 42 }, { a: 43 }] }));
  });

  it("is not judged by choices, booleans, nulls and placeholders, nor by two values", () => {
    assert.isFalse(isRandom({ ...INVENTED, price: null }));
    assert.isFalse(isRandom({ name: "unknown", day: "1999-12-31", price: 777, mood: "calm", isOpen: true }));
    assert.isFalse(isRandom({ a: true, b: false, c: null, d: "loud", e: "calm", f: "loud" }));
  });

  it("is founded with one value that the content has, or a clause of it", () => {
    assert.isFalse(isRandom({ ...INVENTED, name: "harbour of Bremen" }));
    assert.isFalse(isRandom(INVENTED, [{ pointer: "/price", quote: "Tickets are 12 euros, children pay" }]));
    const translated = { a: "Die Messe", b: "Im Hafen", c: "Kinder frei" };
    assert.isTrue(isRandom(translated));
    assert.isFalse(isRandom(translated, [{ pointer: "/c", quote: "children pay nothing at all" }]));
  });
});

const WORDS = CONTENT.split(" ");

/** Words of an alphabet that the content does not use. */
const Noise = Arbitrary.map(
  Arbitrary.array(oneOf(["д", "ж", "ю", "я ж"]), { minLength: 4, maxLength: 20 }),
  (letters) => letters.join("")
);

describe("the rule about unfounded answers", () => {
  it.prop(
    "never strikes an answer with two words of the content",
    { others: Arbitrary.array(Noise, { maxLength: 8 }), from: intBetween(0, WORDS.length - 2) },
    ({ others, from }) => assert.isFalse(isRandom({ others, copied: WORDS.slice(from, from + 2).join(" ") }))
  );

  it.prop(
    "always strikes three or more values of noise, also with quotes of noise",
    { values: Arbitrary.array(Noise, { minLength: 3, maxLength: 8 }) },
    ({ values }) => {
      const quotes = values.map((quote, index) => ({ pointer: `/values/${index}`, quote }));
      assert.isTrue(isRandom({ values }, quotes));
    }
  );
});
