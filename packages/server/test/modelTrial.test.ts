/** The trial of models measures what it says: its pages hold what a reader finds, and its rates are right. */
import { isUnfounded, unprovenOf } from "@winnow/core/domain/evidence/EvidenceRule";
import { assert, describe, it } from "@effect/vitest";
import { PAGES, type TrialPage } from "../bench/models/pages.ts";
import { TALKS } from "../bench/models/talks.ts";
import { wordErrorRate } from "../bench/models/wordErrors.ts";
import { groundingOf } from "@winnow/testing/samples/evidence";

const textsOf = ({ title, text }: TrialPage) => [
  {
    source: "page" as const,
    segments: [title, ...text.split("\n")].map((line) => ({
      text: line,
      startSeconds: null,
      endSeconds: null,
      author: null
    }))
  }
];

/** Quotes the paragraph for every value, as a careful model does. */
const groundingIn = (page: TrialPage, answer: Readonly<Record<string, string | number>>) => {
  const quotes = Object.keys(answer).flatMap((name) =>
    page.text.split("\n\n").map((quote) => ({ pointer: `/${name}`, quote }))
  );
  return groundingOf(answer, quotes, textsOf(page));
};

/** The values by pointer as members of one object, because only the values matter. */
const flat = (expected: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(expected).map(([at, value]) => [at.slice(1).replaceAll("/", " "), value])
  );

const read = PAGES.flatMap((page) => (page.expected === null ? [] : [{ page, answer: flat(page.expected) }]));

describe("the pages of the trial", () => {
  it("are thirty, of six kinds, and one of five is a stranger", () => {
    assert.lengthOf(PAGES, 30);
    assert.strictEqual(new Set(PAGES.map(({ schema }) => JSON.stringify(schema))).size, 6);
    assert.lengthOf(read, 24);
    assert.strictEqual(new Set(PAGES.map(({ name }) => name)).size, 30);
  });

  it.each(read)("support every value of $page.name but choices", ({ page, answer }) => {
    const choices = JSON.stringify(page.schema);
    const missing = [...unprovenOf(answer, groundingIn(page, answer))].filter(
      (at) => !choices.includes(`"${answer[at.slice(1)]}"`)
    );
    assert.deepStrictEqual(missing, []);
  });

  it("lose no honest answer to the rule about unfounded ones, even without a quote, and keep no other", () => {
    for (const [index, { page, answer }] of read.entries()) {
      assert.isFalse(isUnfounded(page.schema, answer, groundingOf(answer, [], textsOf(page))), page.name);
      const other = read[(index + 5) % read.length]?.answer ?? {};
      const kept = groundingOf(other, [], textsOf(page));
      assert.isTrue(isUnfounded(page.schema, other, kept), `${page.name} ${JSON.stringify(kept)}`);
    }
  });
});

describe("the word error rate", () => {
  it.each([
    ["one two three", "one two three", 0],
    ["one two three", "One, two; THREE!", 0],
    ["one two three four", "one too three four", 0.25],
    ["one two three four", "two three four", 0.25],
    ["one two three four", "one two and three four", 0.25],
    ["one two", "", 1],
    ["one", "six seven eight", 3],
    ["", "", 0]
  ])("of %j heard as %j is %d", (spoken, heard, rate) => {
    assert.strictEqual(wordErrorRate(spoken, heard), rate);
  });

  it("is measured on ten talks", () => assert.strictEqual(new Set(TALKS.map(({ name }) => name)).size, 10));
});
