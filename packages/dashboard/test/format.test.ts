/** Numbers and times as people read them, in a locale of English. */
import { assert, describe, it } from "vitest";
import { ago, milliseconds, signed, size, spokenClock, writtenDate } from "../src/words/format.ts";

const NOW_MS = Date.parse("2026-11-24T12:00:00Z");
const agoOf = (seconds: number): string => ago(new Date(NOW_MS - seconds * 1_000).toISOString(), NOW_MS);

describe("the time since something", () => {
  it("is in the largest unit that it fills, and a date after a week", () => {
    const texts = [0, 59, 61, 3_599, 2 * 3_600, 86_400, 6.9 * 86_400].map(agoOf);
    assert.deepStrictEqual(texts, [
      "now",
      "59 sec. ago",
      "1 min. ago",
      "59 min. ago",
      "2 hr. ago",
      "yesterday",
      "6 days ago"
    ]);
    assert.match(agoOf(8 * 86_400), /^Nov 16, 2026$/u);
  });

  it("is none by a clock that is a little behind the server's", () => {
    assert.deepStrictEqual([-1, -59].map(agoOf), ["now", "now"]);
    assert.strictEqual(agoOf(-61), "in 1 min.");
  });
});

describe("a size, a length and a difference", () => {
  it("have the unit in which they are short", () => {
    assert.deepStrictEqual([1, 999, 1_500, 1_250_000, 3e12].map(size), [
      "1 byte",
      "999 bytes",
      "2 kB",
      "1.3 MB",
      "3,000 GB"
    ]);
    assert.deepStrictEqual([0, 59.9, 60, 245].map(spokenClock), [
      "0 seconds",
      "59 seconds",
      "1 minute",
      "4 minutes 5 seconds"
    ]);
    assert.deepStrictEqual([12.4, 1_240].map(milliseconds), ["12 ms", "1.2 sec"]);
    assert.deepStrictEqual([5, -50, 0].map(signed), ["+5", "\u221250", "0"]);
  });
});

describe("a date with its precision", () => {
  it.each([
    ["2026", "year", "2026"],
    ["2026-03", "month", "March 2026"],
    ["2026-03-14", "day", "Mar 14, 2026"],
    ["2026-03-14T21:30", "minute", "Mar 14, 2026, 9:30 PM"],
    ["2026-03-14T21:30:05", "second", "Mar 14, 2026, 9:30:05 PM"],
    ["the day before", "day", "the day before"]
  ])("%s by the %s is %s", (value, precision, text) => {
    // A narrow no-break space precedes AM and PM.
    assert.strictEqual(writtenDate({ value, precision }).replaceAll("\u202F", " "), text);
  });

  it("is in the reader's time zone if it has one", () => {
    const value = "2026-03-14T21:30:00+05:00";
    const here = new Date(value).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
    assert.strictEqual(writtenDate({ value, precision: "second" }), here);
  });
});
