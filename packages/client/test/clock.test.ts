import { assert, describe, it } from "vitest";
import { clockText, readClock, stretchText } from "../src/clock.ts";

describe("a time within a video", () => {
  it("is hours, minutes and seconds, minutes and seconds, or seconds", () => {
    const times = ["65", "1:05", " 90:00 ", "1:02:03.5", "0:00.001", "65.3", "1:05:05.3"];
    assert.deepStrictEqual(times.map(readClock), [65, 65, 5_400, 3_723.5, 0.001, 65.3, 3_905.3]);
  });

  it("is nothing else", () => {
    const texts = [
      "",
      "-1",
      "1:5",
      "1:75",
      "1:90:00",
      "1:2:3:4",
      "1:05.1234",
      "1e3",
      "½",
      ":05",
      "5 min",
      "0x10"
    ];
    assert.deepStrictEqual(
      texts.filter((text) => readClock(text) !== null),
      []
    );
  });

  it("is read as it was written, to the millisecond", () => {
    const differ = Array.from({ length: 10_000 }, (_, index) => (index * 38_861) / 1_000).filter(
      (seconds) => readClock(clockText(seconds)) !== seconds
    );
    assert.deepStrictEqual(differ, []);
  });

  it("is written like in players, and a stretch with both its ends", () => {
    assert.deepStrictEqual([0, 245, 3_723.5, 59.9996].map(clockText), ["0:00", "4:05", "1:02:03.5", "1:00"]);
    const stretches = [{ startSec: 65, endSec: 150 }, { startSec: 65 }, { endSec: 3_600 }];
    assert.deepStrictEqual(stretches.map(stretchText), [
      "1:05 to 2:30",
      "1:05 to the end",
      "0:00 to 1:00:00"
    ]);
  });
});
