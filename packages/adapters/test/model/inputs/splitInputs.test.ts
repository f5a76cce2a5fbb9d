import { assert, describe, it } from "@effect/vitest";
import {
  type ContextBudget,
  inReadingOrder,
  splitInputs,
  tokensOf
} from "../../../src/model/inputs/splitInputs.ts";
import { cutText, textItems } from "../../../src/model/inputs/InputItems.ts";
import { intBetween, Media, SEEDED, Texts, Words } from "./samples.ts";

const budgetOf = (sectionTokens: number): ContextBudget => ({
  wholeTokens: sectionTokens,
  sectionTokens,
  overlapTokens: Math.floor(sectionTokens / 20),
  callMediaBytes: 20_000
});

const given = { texts: Texts, media: Media, sectionTokens: intBetween(20, 3_000) };

describe("cutting a text", () => {
  it.prop(
    "loses nothing, respects the limit and never splits a character",
    {
      text: Words,
      maxChars: intBetween(2, 200)
    },
    ({ text, maxChars }) => {
      const pieces = cutText(text, maxChars);
      assert.strictEqual(pieces.join(""), text);
      for (const piece of pieces) {
        assert.isAtMost(piece.length, maxChars);
        assert.isTrue(piece.isWellFormed());
      }
    },
    SEEDED
  );

  it("splits after a paragraph, a sentence or a word if possible", () => {
    assert.deepStrictEqual(cutText("One two. Three four five", 14), ["One two.", " Three four ", "five"]);
    assert.deepStrictEqual(cutText("一二三。四五六七", 6), ["一二三。", "四五六七"]);
    assert.deepStrictEqual(cutText("aa\n\nbb. cc dd", 8), ["aa\n\n", "bb. cc ", "dd"]);
  });
});

describe("splitting inputs", () => {
  it.prop(
    "and joining them again loses and adds nothing",
    given,
    ({ texts, media, sectionTokens }) => {
      const items = inReadingOrder(textItems(texts, sectionTokens), media);
      const fresh = splitInputs(items, budgetOf(sectionTokens)).flatMap((section) => section.fresh);
      assert.deepStrictEqual(fresh, items);
      for (const { label, segments } of texts) {
        const pieces = fresh.flatMap((item) => (item._tag === "Text" && item.label === label ? [item] : []));
        for (const [position, { text }] of segments.entries()) {
          const joined = pieces.filter((piece) => piece.position === position);
          assert.strictEqual(joined.map(({ segment }) => segment.text).join(""), text);
        }
      }
      assert.sameMembers(
        fresh.filter((item) => item._tag === "Media"),
        [...media]
      );
    },
    SEEDED
  );

  it.prop(
    "keeps every section within its budget, except for a single larger item",
    given,
    ({ texts, media, sectionTokens }) => {
      const budget = budgetOf(sectionTokens);
      const items = inReadingOrder(textItems(texts, sectionTokens), media);
      for (const { repeated, fresh } of splitInputs(items, budget)) {
        assert.isNotEmpty(fresh);
        assert.isAtMost(tokensOf(repeated), budget.overlapTokens);
        const tokens = tokensOf(repeated) + tokensOf(fresh);
        if (fresh.length > 1) assert.isAtMost(tokens, sectionTokens);
        if (fresh.length > 1) {
          assert.isAtMost(
            fresh.reduce((sum, { mediaBytes }) => sum + mediaBytes, 0),
            budget.callMediaBytes
          );
        }
      }
    },
    SEEDED
  );

  it.prop(
    "repeats only the end of the section before",
    given,
    ({ texts, media, sectionTokens }) => {
      const items = inReadingOrder(textItems(texts, sectionTokens), media);
      const sections = splitInputs(items, budgetOf(sectionTokens));
      for (const [index, { repeated }] of sections.entries()) {
        const before = sections[index - 1]?.fresh.filter((item) => item._tag === "Text") ?? [];
        assert.deepStrictEqual(repeated, before.slice(before.length - repeated.length));
      }
    },
    SEEDED
  );

  it.prop(
    "creates one section if everything fits",
    { texts: Texts, media: Media },
    ({ texts, media }) => {
      const items = inReadingOrder(textItems(texts, 1_000_000), media);
      const budget = { ...budgetOf(1_000_000), callMediaBytes: 1_000_000 };
      assert.isAtMost(splitInputs(items, budget).length, 1);
    },
    SEEDED
  );

  it("puts an image before the cue of its time, and comments last", () => {
    const cue = (text: string, startSeconds: number) => ({
      text,
      startSeconds,
      endSeconds: startSeconds + 5,
      author: null
    });
    const comment = { text: "nice", startSeconds: null, endSeconds: null, author: "Ann" };
    const texts = textItems(
      [
        { source: "comments", label: "comments", segments: [comment] },
        { source: "transcript", label: "transcript", segments: [cue("first", 0), cue("second", 10)] }
      ],
      100
    );
    const picture = {
      _tag: "Media" as const,
      part: { _tag: "Image" as const, label: "frame", mediaType: "image/jpeg" as const, base64: "" },
      startSeconds: 7,
      tokens: 1,
      mediaBytes: 0
    };
    const order = inReadingOrder(texts, [picture]).map((item) =>
      item._tag === "Media" ? item.part.label : item.segment.text
    );
    assert.deepStrictEqual(order, ["first", "frame", "second", "nice"]);
  });
});
