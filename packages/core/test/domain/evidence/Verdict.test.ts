import { assert, describe, it } from "@effect/vitest";
import type { InputText } from "../../../src/domain/text/InputText.ts";
import {
  countWords,
  isSufficient,
  verdictOf,
  WORDS_TO_JUDGE_MIN,
  type Verdict
} from "../../../src/domain/evidence/Verdict.ts";

const told = (over: Partial<Verdict>): Verdict =>
  verdictOf({ outcome: "no_match", verdictReason: "It is about cars.", extraction: null, ...over });

describe("a verdict", () => {
  it("other than ok has one sentence and no extraction, whatever the model returned", () => {
    assert.deepStrictEqual(told({ extraction: { a: 1 } }), {
      outcome: "no_match",
      verdictReason: "It is about cars.",
      extraction: null
    });
    const reasons = [
      ["It is about\n v1.5 of cars. So what? No.", "It is about v1.5 of cars."],
      ["\u8fd9\u662f\u8f66\u3002\u4e0d\u662f\u9762\u5305\u3002", "\u8fd9\u662f\u8f66\u3002"],
      ["  ", "The content is about something else."],
      [null, "The content is about something else."]
    ] as const;
    for (const [verdictReason, sentence] of reasons)
      assert.strictEqual(told({ verdictReason }).verdictReason, sentence);
    assert.lengthOf(told({ verdictReason: "so it is ".repeat(100) }).verdictReason ?? "", 300);
  });

  it.each([
    "Irrelevant",
    "xk3 Boden 夜 ^^ ;; 12",
    "{ reason: the page is about cars }",
    "no no",
    "汽车",
    "Irrelevant.",
    "привет world 你好 مرحبا again",
    "4 815 162 342, 23 42 and 7",
    "One sentence unless the verdict is ok."
  ])("whose reason is none gets ours: %s", (verdictReason) => {
    assert.strictEqual(told({ verdictReason }).verdictReason, "The content is about something else.");
    assert.strictEqual(
      told({ outcome: "uncertain", verdictReason }).verdictReason,
      "The content says too little."
    );
  });

  it.each([
    "The page is a login form.",
    "Too thin.",
    "Nothing but advertisements",
    "Это статья о машинах.",
    "これはレシピではありません。",
    "이 글은 요리법이 아닙니다.",
    "هذا المقال عن السيارات.",
    "这是关于 iPhone 17 的新闻。",
    "Es geht um VW, 3 Modelle und 12 % Rabatt."
  ])("keeps a reason that is a sentence: %s", (verdictReason) => {
    assert.strictEqual(told({ verdictReason }).verdictReason, verdictReason);
  });

  it("of ok has no reason", () => {
    const ok = told({ outcome: "ok", extraction: { a: 0 }, verdictReason: "Because." });
    assert.deepStrictEqual(ok, { outcome: "ok", verdictReason: null, extraction: { a: 0 } });
  });

  it("of ok without a value, or with only empty ones, is uncertain", () => {
    for (const extraction of [
      {},
      { a: {}, b: { c: {} } },
      { a: null, b: [{ c: " " }] },
      { a: null, b: [] }
    ]) {
      assert.strictEqual(
        told({ outcome: "ok", extraction }).outcome,
        "uncertain",
        JSON.stringify(extraction)
      );
    }
    assert.strictEqual(told({ outcome: "ok", extraction: { a: null, b: false } }).outcome, "ok");
  });

  it("of ok with only empty lists is no_match, and says so", () => {
    for (const extraction of [{ events: [] }, { a: { b: [] }, c: [] }, { a: [[]] }]) {
      assert.deepStrictEqual(told({ outcome: "ok", extraction }), {
        outcome: "no_match",
        verdictReason: "The content has no item for the lists that the schema asks for.",
        extraction: null
      });
    }
    const extraction = { title: "Fairs", events: [] };
    assert.deepStrictEqual(told({ outcome: "ok", extraction }).extraction, extraction);
  });
});

describe("words", () => {
  it("are counted in scripts with and without spaces", () => {
    const counted = (...texts: ReadonlyArray<string>): number =>
      countWords([
        {
          source: "page",
          segments: texts.map((text) => ({ text, startSeconds: null, endSeconds: null, author: null }))
        }
      ]);
    assert.strictEqual(counted("It's  v1.5 \u2014 na\u00efve", "two\nlines"), 5);
    assert.strictEqual(counted("\u4f60\u597d\u4e16\u754c, hello"), 3);
    assert.strictEqual(counted("", " - \u{1f600} "), 0);
  });
});

const textOf = (...texts: ReadonlyArray<string>): ReadonlyArray<InputText> => [
  {
    source: "page",
    segments: texts.map((text) => ({ text, startSeconds: null, endSeconds: null, author: null }))
  }
];

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(" ");

describe("enough to read", () => {
  it("is a number of words, however they are split", () => {
    assert.isFalse(isSufficient(textOf(words(WORDS_TO_JUDGE_MIN - 1)), 0));
    assert.isTrue(isSufficient(textOf(words(WORDS_TO_JUDGE_MIN)), 0));
    assert.isFalse(isSufficient(textOf(words(4), words(WORDS_TO_JUDGE_MIN - 5)), 0));
    assert.isTrue(isSufficient([...textOf(words(4)), ...textOf(words(WORDS_TO_JUDGE_MIN - 4))], 0));
  });

  it("is any image or audio", () => {
    assert.isTrue(isSufficient([], 1));
    assert.isFalse(isSufficient([], 0));
  });

  it("does not count punctuation, rules and spaces as words", () => {
    assert.isFalse(isSufficient(textOf(" - ".repeat(200), "*** ### ... !!! \u{1f600} ".repeat(100)), 0));
    assert.isFalse(isSufficient(textOf("don't ".repeat(WORDS_TO_JUDGE_MIN - 1)), 0));
  });

  it("counts two characters as a word in scripts without spaces", () => {
    const poem = "春眠不覚暁処処";
    assert.isTrue(isSufficient(textOf(poem.repeat(4)), 0));
    assert.isFalse(isSufficient(textOf(poem), 0));
    assert.isTrue(isSufficient(textOf(`${words(4)} ${poem}`), 0));
    assert.isFalse(isSufficient(textOf("오늘은 날씨가 좋습니다 ".repeat(2)), 0));
  });
});
