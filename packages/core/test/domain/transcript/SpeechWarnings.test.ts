import { assert, describe, it } from "@effect/vitest";
import { speechWarnings } from "../../../src/domain/transcript/SpeechWarnings.ts";

describe("what the caller is told about a transcript", () => {
  it("is nothing if the model had words for the sound", () => {
    assert.deepStrictEqual(speechWarnings({}), []);
    assert.deepStrictEqual(speechWarnings({ gaps: [], isUnsure: false }), []);
  });

  it("names the first ten gaps and counts the others", () => {
    const gaps = Array.from({ length: 13 }, (_, index) => ({
      startSeconds: 3_590 + index * 10,
      endSeconds: 3_595 + index * 10
    }));
    const [warning = "", ...others] = speechWarnings({ gaps });
    assert.isEmpty(others);
    assert.include(warning, ": 59:50 to 59:55, 1:00:00 to 1:00:05, ");
    assert.match(warning, /1:01:20 to 1:01:25, and 3 more\.$/u);
  });

  it("says that the model was unsure", () => {
    assert.match(speechWarnings({ isUnsure: true }).join(), /^The speech model was unsure: /u);
  });
});
