/** Patterns mean the same in RE2 as in ECMA-262, with this Node's engine as the reference. */
import { assert, describe, it } from "@effect/vitest";
import { compilePattern } from "../../src/schema-check/Patterns.ts";
import { NotLinear, PatternRefused, toRe2Syntax } from "../../src/schema-check/PatternSyntax.ts";

const range = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** All characters of the first blocks; punctuation and spaces of others; surrogates; some at the end of Unicode. */
const CHARACTERS = [
  ...range(0, 0x5ff),
  ...range(0x1680, 0x1690),
  ...range(0x2000, 0x20d0),
  ...range(0x3000, 0x3040),
  0xd7ff,
  0xd800,
  0xdbff,
  0xdc00,
  0xdfff,
  0xe000,
  ...range(0xfef0, 0xffff),
  ...range(0x1f5f0, 0x1f650),
  0x10ffff
].map((point) => String.fromCodePoint(point));

const OF_ONE_CHARACTER = [
  ".",
  "\\s",
  "\\S",
  "\\w",
  "\\W",
  "\\d",
  "\\D",
  "[^\\s]",
  "[\\S\\n]",
  "[^\\w-]",
  "[^]",
  "[]",
  "[\\b]",
  "[a-f\\u00e0-\\u{1F600}]",
  "[[:alpha:]",
  "[\\]\\\\^-]",
  "\\p{L}",
  "\\P{L}",
  "\\p{Lu}",
  "\\p{Letter}",
  "\\p{Script=Greek}",
  "\\p{scx=Deva}",
  "\\p{Emoji}",
  "\\p{ASCII}",
  "\\p{Cs}",
  "[^\\p{L}\\p{N}]",
  "\\cJ",
  "\\0",
  "\\x41",
  "\\/",
  "\\ud83d\\ude00"
];

const WHOLE: ReadonlyArray<readonly [pattern: string, texts: ReadonlyArray<string>]> = [
  ["^a|b$", ["a", "xb", "xa", "b\n"]],
  ["a{2,3}?b", ["ab", "aab", "aaaab"]],
  ["^(?<x>a)(?:b|(c))*$", ["a", "abcb", "b", "abd"]],
  ["\\bfoo\\B", ["foob", "foo", "afoob", "éfoob"]],
  ["^$", ["", " ", "\n"]],
  ["", ["", "a"]],
  ["^[\\w\\-.]+\\@x$", ["a-b.c@x", "a b@x"]],
  ["^.{0,1000}$", ["a".repeat(1_000), "a".repeat(1_001)]],
  ["(a*)*$", ["aaab", "b"]]
];

describe("a pattern in the syntax of RE2", () => {
  it.each(OF_ONE_CHARACTER)("%s matches the same characters", (pattern) => {
    const ours = compilePattern(`^(?:${pattern})$`);
    const measure = new RegExp(`^(?:${pattern})$`, "u");
    const apart = CHARACTERS.filter((text) => ours.test(text) !== measure.test(text));
    assert.deepStrictEqual(apart, []);
  });

  it.each(WHOLE)("%s matches the same texts", (pattern, texts) => {
    const ours = compilePattern(pattern);
    let measure: RegExp;
    try {
      measure = new RegExp(pattern, "u");
    } catch {
      measure = new RegExp(pattern);
    }
    for (const text of texts) assert.strictEqual(ours.test(text), measure.test(text), JSON.stringify(text));
  });

  it.each([
    ["(?=a)", NotLinear, "uses lookahead"],
    ["(?<!a)b", NotLinear, "uses lookahead or lookbehind"],
    ["(a)\\1", NotLinear, "uses a backreference"],
    ["(?<n>a)\\k<n>", NotLinear, "uses a backreference"],
    ["a{1001}", NotLinear, "1000 times"],
    ["(?i:a)", NotLinear, "flags"],
    ["(", PatternRefused, "not a regular expression"],
    ["a{2,1}", PatternRefused, "not a regular expression"]
  ])("%s has none, which is said in words", (pattern, kind, words) => {
    try {
      toRe2Syntax(pattern);
      assert.fail("it was written");
    } catch (error) {
      assert.instanceOf(error, kind);
      assert.include((error as Error).message, words);
    }
  });
});
