import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import type { InputText, TextSource } from "../../../src/domain/text/InputText.ts";
import { EVIDENCE_PER_VALUE_MAX } from "../../../src/domain/evidence/Grounding.ts";
import { leavesOf } from "../../../src/domain/text/Json.ts";
import { QUOTE_CHARS_MAX, type QuotableText } from "../../../src/domain/evidence/QuoteSearch.ts";
import { intBetween, oneOf } from "../Arbitraries.ts";
import { spentMs } from "../Processor.ts";
import { groundingOf, findQuotes } from "@winnow/testing/samples/evidence";

/** A transcript has cues of two seconds each; other sources have no times. */
const textOf = (source: TextSource, ...lines: ReadonlyArray<string>): InputText => ({
  source,
  segments: lines.map((text, index) => ({
    text,
    startSeconds: source === "transcript" ? index * 2 : null,
    endSeconds: source === "transcript" ? index * 2 + 2 : null,
    author: source === "comments" ? "Ann" : null
  }))
});

const find = (quote: string, ...texts: ReadonlyArray<QuotableText>) => findQuotes(texts, [quote])[0] ?? null;

describe("a quote", () => {
  const talk = textOf("transcript", "Preheat the oven to", "180 degrees.  Then bake", "for forty minutes");

  it("is found verbatim, with the times of its cue", () => {
    assert.deepStrictEqual(find("Preheat the oven", talk), {
      source: "transcript",
      quote: "Preheat the oven",
      startSec: 0,
      endSec: 2
    });
  });

  it("over several cues has the start of the first and the end of the last", () => {
    assert.deepStrictEqual(find("oven to 180 degrees. Then bake for", talk), {
      source: "transcript",
      quote: "oven to\n180 degrees.  Then bake\nfor",
      startSec: 0,
      endSec: 6
    });
  });

  it("is returned as in the source, regardless of case, spaces and quotation marks", () => {
    const page = textOf("page", "She said: \u201cIt\u2019s  DONE\u201d \u2014 and left.");
    assert.deepStrictEqual(find('"it\'s done" - AND LEFT', page), {
      source: "page",
      quote: "\u201cIt\u2019s  DONE\u201d \u2014 and left"
    });
  });

  it("matches in composed and decomposed form", () => {
    const page = textOf("page", "Cre\u0300me bru\u0302le\u0301e, \u1112\u1161\u11ab\u1100\u1173\u11af");
    assert.strictEqual(find("cr\u00e8me br\u00fbl\u00e9e", page)?.quote, "Cre\u0300me bru\u0302le\u0301e");
    assert.strictEqual(find("\ud55c\uae00", page)?.quote, "\u1112\u1161\u11ab\u1100\u1173\u11af");
  });

  it("in a script without spaces can span cues", () => {
    const cues = textOf("transcript", "\u4f60\u597d\uff0c", "\u4e16\u754c");
    assert.deepStrictEqual(find("\u4f60\u597d\uff0c\u4e16\u754c", cues), {
      source: "transcript",
      quote: "\u4f60\u597d\uff0c\n\u4e16\u754c",
      startSec: 0,
      endSec: 4
    });
  });

  it("that is a number matches only a whole number", () => {
    const page = textOf("page", "In 1984 the 240 of us", "baked 4 loaves on 24.5.");
    assert.deepStrictEqual(find("4", page), { source: "page", quote: "4" });
    assert.isNull(find("98", page));
    assert.isNull(find("1", textOf("page", "It costs 10 or 31 and 21 percent of nothing: 11.")));
    assert.deepStrictEqual(find("12", textOf("page", "全部で12個")), { source: "page", quote: "12" });
  });

  it("never ends within a character or before its marks", () => {
    const page = textOf("page", "a \u{1f600} cafe\u0301 b");
    assert.strictEqual(find("\ud83d", page)?.quote, "\u{1f600}");
    assert.strictEqual(find("cafe", page)?.quote, "cafe\u0301");
  });

  it("with other letters, only white space, or too long is not found", () => {
    const page = textOf("page", "a".repeat(2 * QUOTE_CHARS_MAX));
    for (const quote of ["b", "", " \n\u200b", "a".repeat(QUOTE_CHARS_MAX + 1), "a a"]) {
      assert.isNull(find(quote, page));
    }
  });

  it("is found wherever it lies in a long text, which is searched in pieces", () => {
    const text = Array.from({ length: 15_000 }, (_, word) => `word${word}`).join(" ");
    const quotes = Array.from({ length: 1_200 }, (_, index) => text.slice(100 * index, 100 * index + 160));
    const varied = quotes.map((quote) => quote.toUpperCase());
    const places = findQuotes([textOf("page", text)], [...quotes, ...varied]);
    assert.deepStrictEqual(
      places.map((place) => place?.quote.trim()),
      [...quotes, ...quotes].map((quote) => quote.trim())
    );
  });

  it("never spans two comments", () => {
    const comments = textOf("comments", "I love it", "not at all");
    assert.isNull(find("I love it not", comments));
    assert.isNull(find("love it\nnot", comments));
    assert.deepStrictEqual(find("LOVE IT", comments), { source: "comments", quote: "love it" });
  });

  it("is taken from the source that has it verbatim, not from one that spells it differently", () => {
    const texts = [textOf("page", "the end"), textOf("description", "The End")];
    assert.deepStrictEqual(findQuotes(texts, ["The End"]), [{ source: "description", quote: "The End" }]);
  });
});

describe("evidence", () => {
  const page = textOf("page", "Soda bread by Ann, 250 g flour and 1 egg.");

  it("is listed for every scalar, even if empty, and for no list or object", () => {
    const extraction = { title: "Bread", tags: [], "a/b~": { n: 1, no: null, yes: true }, list: ["x"] };
    assert.deepStrictEqual(
      leavesOf(extraction).map(({ pointer }) => pointer),
      ["/title", "/a~1b~0/n", "/a~1b~0/no", "/a~1b~0/yes", "/list/0"]
    );
    const evidence = groundingOf(extraction, [], []);
    assert.deepStrictEqual(Object.values(evidence), [[], [], [], [], []]);
  });

  it("contains each quote of the input once, and nothing that the model made up", () => {
    const quotes = [
      { pointer: "/flour", quote: "250 g Flour" },
      { pointer: "/flour", quote: "250 g flour" },
      { pointer: "/flour", quote: "300 g flour" },
      { pointer: "/elsewhere", quote: "1 egg" }
    ];
    assert.deepStrictEqual(groundingOf({ flour: 250 }, quotes, [page]), {
      "/flour": [{ source: "page", quote: "250 g flour" }]
    });
  });

  it("confirms no value that was rounded", () => {
    const quotes = [{ pointer: "/flour", quote: "250 g flour" }];
    assert.deepStrictEqual(groundingOf({ flour: 250 }, quotes, [page], ["/flour"]), {
      "/flour": [{ source: "page", quote: "250 g flour", supported: false }]
    });
  });

  it("for a text value without a quote is its occurrence as a whole word", () => {
    const evidence = groundingOf({ title: "soda bread", part: "read", other: "rye bread" }, [], [page]);
    assert.deepStrictEqual(evidence, {
      "/title": [{ source: "page", quote: "Soda bread" }],
      "/part": [],
      "/other": []
    });
  });

  it("for an object goes to those of its values that the quote contains", () => {
    const extraction = { items: [{ name: "egg", amount: 1, brand: "none" }] };
    const evidence = groundingOf(extraction, [{ pointer: "/items/0", quote: "1 egg" }], [page]);
    const egg = [{ source: "page" as const, quote: "1 egg" }];
    assert.deepStrictEqual(evidence, {
      "/items/0/name": egg,
      "/items/0/amount": egg,
      "/items/0/brand": []
    });
  });

  it("is limited for any number of quotes", () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}.`);
    const quotes = words.map((quote) => ({ pointer: "/a", quote }));
    const evidence = groundingOf({ a: 1 }, quotes, [textOf("page", ...words)]);
    assert.lengthOf(evidence["/a"] ?? [], EVIDENCE_PER_VALUE_MAX);
  });

  it("cannot reach inherited members of objects", () => {
    const extraction = JSON.parse('{"__proto__": "page", "constructor": "flour"}');
    const evidence = groundingOf(extraction, [{ pointer: "/__proto__", quote: "Soda" }], [page]);
    assert.deepStrictEqual(Object.keys(evidence), ["/__proto__", "/constructor"]);
    assert.strictEqual(evidence["/__proto__"]?.[0]?.quote, "Soda");
  });
});

const Piece = oneOf(
  [
    "a",
    "B",
    "be",
    " ",
    "  ",
    "\n",
    "\u4f60",
    "\u597d",
    "\u{1f600}",
    "\u{1f469}\u200d\u{1f680}",
    "e\u0301"
  ].concat([
    "\u00e9",
    "\u00df",
    "\u0130",
    "\u2019",
    "'",
    "\u1112\u1161\u11ab",
    "\u0e01\u0e33",
    "-",
    "\u00ad",
    "\u200b"
  ])
);
const Line = Arbitrary.map(Arbitrary.array(Piece, { minLength: 1, maxLength: 12 }), (pieces) =>
  pieces.join("")
);
const Lines = Arbitrary.array(Line, { minLength: 1, maxLength: 6 });
const runs = { arbitrary: { runs: 500, size: 40 } };

describe("laws", () => {
  const positions = { lines: Lines, from: intBetween(0, 60), length: intBetween(1, 40) };

  it.prop(
    "any part of a source is found, and every match is in the source",
    positions,
    ({ lines, from, length }) => {
      const whole = lines.join("\n");
      const quote = [...whole].slice(from, from + length).join("");
      const found = find(quote, textOf("page", ...lines));
      if (quote.trim() === "") return;
      assert.isNotNull(found);
      assert.include(whole, found?.quote ?? "");
      assert.include(found?.quote, quote);
    },
    runs
  );

  it.prop(
    "case and spaces do not matter, and every match is in the source",
    positions,
    ({ lines, from, length }) => {
      const whole = lines.join("\n");
      const quote = [...whole].slice(from, from + length).join("");
      // Invisible text cannot be found, and a quote that separates a combining mark from its letter does not
      // match.
      if (
        quote.replace(/[\s\p{Default_Ignorable_Code_Point}\u2019']/gu, "") === "" ||
        /^[\p{M}\u1160-\u11ff]/u.test(quote)
      )
        return;
      if (/^[\p{M}\u1160-\u11ff]/u.test(whole.slice(whole.indexOf(quote) + quote.length))) return;
      const varied = ` ${quote.toUpperCase().replace(/\s+/gu, " \t ").normalize("NFD")} `;
      const found = find(varied, textOf("page", ...lines));
      assert.isNotNull(found, JSON.stringify([whole, quote]));
      assert.include(whole, found?.quote ?? "");
    },
    runs
  );

  it.prop(
    "times are those of the cues that the quote touches",
    positions,
    ({ lines, from, length }) => {
      const whole = lines.join("\n");
      const quote = [...whole].slice(from, from + length).join("");
      const found = find(quote, textOf("transcript", ...lines));
      if (found === null) return;
      const start = whole.indexOf(found.quote);
      const cueAt = (place: number): number => whole.slice(0, place).split("\n").length - 1;
      // A cue may have several lines: count cues, not lines.
      const ends = lines.map((_, index) => lines.slice(0, index + 1).join("\n").length);
      const cueOf = (place: number): number => ends.findIndex((end) => place <= end);
      assert.isAtLeast(cueAt(start), cueOf(start));
      assert.strictEqual(found.startSec, cueOf(start) * 2);
      assert.strictEqual(found.endSec, cueOf(start + found.quote.length - 1) * 2 + 2);
    },
    runs
  );
});

describe("time", () => {
  /** 9,000 words in cues of 8, as in an hour of speech. */
  const hour = textOf(
    "transcript",
    ...Array.from({ length: 1_125 }, (_, cue) =>
      Array.from({ length: 8 }, (_, word) => `w${(cue * 31 + word * 17) % 997}`).join(" ")
    )
  );

  it("of 500 quotes in an hour of speech is short", () => {
    const quotes = Array.from({ length: 500 }, (_, index) => ({
      pointer: "/a",
      quote: `${hour.segments[index * 2]?.text.toUpperCase()} ${hour.segments[index * 2 + 1]?.text}`
    }));
    const startMs = spentMs();
    const found = findQuotes(
      [hour],
      quotes.map(({ quote }) => quote)
    );
    const tookMs = spentMs() - startMs;
    assert.isTrue(found.every((place) => place !== null));
    // About 60 ms on an idle machine.
    assert.isBelow(tookMs, 2_000);
  });

  it("and memory stay bounded for endless punctuation and spaces", () => {
    const marks = `e${"\u0301".repeat(200_000)} x${" ".repeat(200_000)}y`;
    const quotes = ["x y", ...Array.from({ length: 300 }, (_, index) => "\u0301".repeat(index + 1))];
    const startMs = spentMs();
    const found = findQuotes([textOf("page", marks)], quotes);
    assert.isNull(found[0]);
    assert.isBelow(Math.max(...found.map((place) => place?.quote.length ?? 0)), 1_000);
    assert.isBelow(spentMs() - startMs, 10_000);
  });

  it("of a place ends at four thousand characters, whatever is between its words", () => {
    const placeOf = (spaces: number) => findQuotes([textOf("page", `x${" ".repeat(spaces)}y`)], ["x y"])[0];
    assert.isNotNull(placeOf(3_998));
    assert.isNull(placeOf(3_999));
  });

  it("stays bounded for repetitive text", () => {
    const page = textOf("page", "a".repeat(500_000));
    const quotes = Array.from({ length: 300 }, (_, index) => `b${"a".repeat(600 + index)}`);
    const startMs = spentMs();
    assert.isTrue(findQuotes([page], quotes).every((place) => place === null));
    // Separate searches would take minutes.
    assert.isBelow(spentMs() - startMs, 10_000);
  });
});

describe("a place in speech", () => {
  const spoken = (...cues: ReadonlyArray<readonly [number, number, string]>): QuotableText => ({
    source: "transcript",
    segments: cues.map(([startSeconds, endSeconds, text]) => ({
      startSeconds,
      endSeconds,
      text,
      author: null
    }))
  });

  it("spans captions, but never a silence", () => {
    const heard = spoken([0, 2, "Stir the"], [2.5, 4, "soup slowly"], [30, 32, "and serve it"]);
    assert.deepInclude(find("Stir the soup slowly", heard), { startSec: 0, endSec: 4 });
    assert.isNull(find("soup slowly and serve", heard));
  });

  it.each([
    [null, 10],
    [0, 10],
    [41, 40],
    [90, 80]
  ])("is the nearest to %s seconds, where the model names a time", (atSeconds, startSec) => {
    const refrain = spoken([10, 12, "add the salt"], [40, 42, "Add the salt"], [80, 82, "add the salt"]);
    const claimed = { pointer: "/step", quote: "add the salt", ...(atSeconds === null ? {} : { atSeconds }) };
    const { "/step": [place] = [] } = groundingOf({ step: "add the salt" }, [claimed], [refrain]);
    assert.strictEqual(place?.startSec, startSec);
  });
});
