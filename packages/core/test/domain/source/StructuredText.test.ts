import { assert, describe, it } from "@effect/vitest";
import type { InputText } from "../../../src/domain/text/InputText.ts";
import {
  STRUCTURED_CHARS_MAX,
  STRUCTURED_VALUES_MAX,
  structuredText,
  type StructuredThing
} from "../../../src/domain/source/StructuredData.ts";
import { groundingOf } from "@winnow/testing/samples/evidence";

const RECIPE: StructuredThing = {
  type: "Recipe",
  origin: "json-ld",
  values: {
    name: "Pumpkin pizza",
    images: ["https://site.test/1.jpg", "https://site.test/2.jpg"],
    publishedAt: { value: "2025-03-04", precision: "day" },
    cookSeconds: 1_200,
    ingredients: ["100 g pumpkin", "120 ml water"]
  }
};

const textOf = (...things: ReadonlyArray<StructuredThing>): InputText => {
  const text = structuredText(things);
  if (text === null) throw new Error("no structured data");
  return text;
};

describe("structured data as text", () => {
  it("has a segment for each value, with its place in metadata.json", () => {
    const { segments, source } = textOf(RECIPE);
    assert.strictEqual(source, "structured");
    assert.deepStrictEqual(
      segments.map(({ pointer, text }) => [pointer, text]),
      [
        ["/structured/0/type", "Recipe"],
        ["/structured/0/values/name", "Pumpkin pizza"],
        ["/structured/0/values/images/0", "https://site.test/1.jpg"],
        ["/structured/0/values/publishedAt/value", "2025-03-04"],
        ["/structured/0/values/cookSeconds", "1200"],
        ["/structured/0/values/ingredients/0", "100 g pumpkin"],
        ["/structured/0/values/ingredients/1", "120 ml water"]
      ]
    );
    assert.isNull(structuredText([]));
  });

  it("stays within its limits", () => {
    const long = textOf({
      ...RECIPE,
      values: { ingredients: Array.from({ length: 50 }, () => "x".repeat(1_500)) }
    });
    assert.strictEqual(
      long.segments.reduce((sum, { text }) => sum + text.length, 0),
      STRUCTURED_CHARS_MAX
    );
    const many = textOf({ ...RECIPE, values: { ingredients: Array.from({ length: 5_000 }, () => "x") } });
    assert.lengthOf(many.segments, STRUCTURED_VALUES_MAX);
  });

  it("is quoted with its pointer, and only for what the text of the page does not say", () => {
    const page: InputText = {
      source: "page",
      segments: [{ text: "Take 120 ml water.", startSeconds: null, endSeconds: null, author: null }]
    };
    const extraction = { first: "100 g pumpkin", second: "120 ml water", seconds: 1_200 };
    const quotes = [
      { pointer: "/first", quote: "100 g pumpkin" },
      { pointer: "/second", quote: "120 ml water" },
      { pointer: "/seconds", quote: "1200" }
    ];
    assert.deepStrictEqual(groundingOf(extraction, quotes, [page, textOf(RECIPE)]), {
      "/first": [
        { source: "structured", quote: "100 g pumpkin", pointer: "/structured/0/values/ingredients/0" }
      ],
      "/second": [{ source: "page", quote: "120 ml water" }],
      "/seconds": [{ source: "structured", quote: "1200", pointer: "/structured/0/values/cookSeconds" }]
    });
  });

  it("does not let a quote span two values", () => {
    const found = groundingOf(
      { all: "pumpkin 120 ml" },
      [{ pointer: "/all", quote: "pumpkin 120 ml" }],
      [textOf(RECIPE)]
    );
    assert.deepStrictEqual(found, { "/all": [] });
  });
});
