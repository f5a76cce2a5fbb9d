import { assert, describe, it } from "@effect/vitest";
import { packWords } from "../../../../bench/page-text/packing.ts";
import { type WordPage, wordScores, wordTrainer } from "../../../../bench/page-text/words.ts";
import { unpackWords, wordScore } from "../../../../src/pages/text/blocks/BlockWords.ts";

const WANTED = 1;
const UNWANTED = 2;
const EVERYWHERE = 4_000_000_000;

/** Each site also has a word that no other site has. */
const pages: ReadonlyArray<WordPage> = Array.from({ length: 30 }, (_, site) => ({
  site: `${site}.test`,
  words: [Uint32Array.of(WANTED, EVERYWHERE, 100 + site), Uint32Array.of(UNWANTED, EVERYWHERE)],
  labels: Float32Array.of(1, 0),
  weights: Float32Array.of(0.5, 0.5)
}));
const train = wordTrainer(pages);
const table = train((page) => page !== 0);

describe("a table of words", () => {
  it("distinguishes blocks on an unseen page", () => {
    const [wanted = 0, unwanted = 0] = wordScores(pages[0] as WordPage, table);
    assert.isAbove(wanted, 0);
    assert.isBelow(unwanted, 0);
  });

  it("knows only words of many sites", () => {
    assert.sameMembers([...table.weights.keys()], [WANTED, UNWANTED, EVERYWHERE]);
  });

  it("gives the same scores after packing", () => {
    const unpacked = unpackWords(packWords(table));
    for (const words of [[WANTED], [UNWANTED, EVERYWHERE], [7], []])
      assert.strictEqual(
        wordScore(unpacked, Uint32Array.from(words)),
        wordScore(table, Uint32Array.from(words))
      );
  });

  it("gives unknown words the same score as no words", () => {
    assert.strictEqual(wordScore(table, Uint32Array.of(7, 8)), wordScore(table, Uint32Array.of()));
  });

  it("is the same for the same pages", () => {
    assert.strictEqual(packWords(train((page) => page !== 0)), packWords(table));
  });
});
