import { assert, describe, it } from "@effect/vitest";
import { artifactTexts } from "../../src/domain/ArtifactTexts.ts";
import { PAGE_END } from "../../src/domain/PageEnd.ts";
import { findQuotes } from "../../src/domain/QuoteSearch.ts";

const textsOf = (text: string) =>
  artifactTexts({ kind: "webpage" }, new Map([["transcript.txt", text]])).texts;

describe("a quote of a document with pages", () => {
  it("tells the page on which it begins", () => {
    const texts = textsOf(
      `One loaf.\n${PAGE_END}\n${PAGE_END}Three loaves\n${PAGE_END}and a crumb.\n${PAGE_END}\n`
    );
    assert.deepStrictEqual(findQuotes(texts, ["One loaf", "three loaves and a crumb", "two"]), [
      { source: "page", quote: "One loaf", page: 1 },
      { source: "page", quote: "Three loaves\nand a crumb", page: 3 },
      null
    ]);
  });

  it("tells none of a text without pages", () => {
    assert.deepStrictEqual(findQuotes(textsOf("One loaf.\n"), ["One loaf"]), [
      { source: "page", quote: "One loaf" }
    ]);
  });
});
