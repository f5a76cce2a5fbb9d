import { assert, describe, it } from "@effect/vitest";
import { stretchMs, stretchSeconds } from "../../../src/domain/source/TimeRange.ts";
import { intBetween } from "../Arbitraries.ts";

describe("a stretch", () => {
  it("ends with the range or the video, whichever is first, and is the whole without a range", () => {
    assert.strictEqual(stretchSeconds({ startSec: 65, endSec: 150 }, 213), 85);
    assert.strictEqual(stretchSeconds({ startSec: 65, endSec: 150 }, 100), 35);
    assert.strictEqual(stretchSeconds({ startSec: 65, endSec: null }, 213), 148);
    assert.strictEqual(stretchSeconds(null, 213.0449), 213.0449);
  });

  it("has the length that its ends say in decimals, none beyond the end, and an unknown one without an end", () => {
    assert.strictEqual(stretchSeconds({ startSec: 65.1, endSec: 150.2 }, 213), 85.1);
    assert.strictEqual(stretchSeconds({ startSec: 300, endSec: null }, 213), 0);
    assert.isNull(stretchSeconds({ startSec: 300, endSec: null }, null));
    assert.strictEqual(stretchMs({ startSec: 65.1, endSec: 150.2 }, null, 300_000), 85_100);
    assert.strictEqual(stretchMs({ startSec: 65.1, endSec: null }, null, 300_000), 300_000);
  });

  it.prop(
    "and what is before and after it have the length of the video",
    {
      startMs: intBetween(1, 3_000_000),
      lengthMs: intBetween(1, 3_000_000),
      restMs: intBetween(1, 3_000_000)
    },
    ({ startMs, lengthMs, restMs }) => {
      const [startSec, endSec] = [startMs / 1_000, (startMs + lengthMs) / 1_000];
      const wholeMs = startMs + lengthMs + restMs;
      const parts = [
        { startSec: 0, endSec: startSec },
        { startSec, endSec },
        { startSec: endSec, endSec: null }
      ];
      assert.deepStrictEqual(
        parts.map((range) => stretchMs(range, wholeMs)),
        [startMs, lengthMs, restMs]
      );
    }
  );
});
