import { assert, describe, it } from "vitest";
import { creditsText, durationText, pairsText, sizeText, tableText } from "../src/Output.ts";

describe("what commands print", () => {
  it("sizes are in the unit that people use, with one decimal", () => {
    const sizes = [0, 999, 1_000, 12_400_000, 999_949, 999_951, 5_000_000_000];
    assert.deepStrictEqual(sizes.map(sizeText), [
      "0 B",
      "999 B",
      "1.0 kB",
      "12.4 MB",
      "999.9 kB",
      "1.0 MB",
      "5.0 GB"
    ]);
  });

  it("times are in seconds, then minutes, then hours", () => {
    const times = [0.4, 45, 119.6, 180, 3_599, 3_600, 3_900];
    assert.deepStrictEqual(times.map(durationText), [
      "0 s",
      "45 s",
      "2 min",
      "3 min",
      "1 h",
      "1 h",
      "1 h 5 min"
    ]);
  });

  it("tables align their columns below heads, numbers to the right", () => {
    assert.strictEqual(
      tableText(
        ["id", "runs", "title"],
        [
          ["a", 5, "Talk"],
          ["bcd", 10_000, null]
        ]
      ),
      "ID    RUNS  TITLE\na        5  Talk\nbcd  10000  -"
    );
  });

  it("pairs leave out what is not there", () => {
    assert.strictEqual(
      pairsText([
        ["id", "a"],
        ["title", null],
        ["status", "ok"]
      ]),
      "id      a\nstatus  ok"
    );
    assert.deepStrictEqual([creditsText(1), creditsText(1_500)], ["1 credit", "1,500 credits"]);
  });
});
