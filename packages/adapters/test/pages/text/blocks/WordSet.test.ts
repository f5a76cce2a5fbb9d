import { assert, describe, it } from "@effect/vitest";
import { WordSet } from "../../../../src/pages/text/blocks/BlockWords.ts";
import { seededRandom } from "@winnow/testing/samples/samples";

describe("a set of words", () => {
  it("returns each word once, in the order of addition, block after block", () => {
    const random = seededRandom(7);
    const set = new WordSet();
    for (const count of [0, 3, 100, 5_000, 20]) {
      const words = Array.from({ length: count }, () => Math.floor(random() * 2 ** 32) >>> ((count % 7) * 4));
      for (const word of words) set.add(word);
      assert.deepStrictEqual([...set.take()], [...new Set(words)]);
    }
  });

  it("accepts zero and the largest number", () => {
    const set = new WordSet();
    for (const word of [0, 0xffffffff, 0, 0xffffffff]) set.add(word);
    assert.deepStrictEqual([...set.take()], [0, 0xffffffff]);
  });
});
