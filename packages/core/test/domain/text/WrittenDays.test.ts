import { assert, describe, it } from "@effect/vitest";
import { dayInOrder, daysIn, momentOf } from "../../../src/domain/text/WrittenDays.ts";

const readingsOf = (text: string): ReadonlyArray<string> =>
  daysIn(text).flatMap(({ readings }) =>
    readings.map(({ day: number, month, year }) => [year, month, number].join("-"))
  );

describe("a written day", () => {
  it("in digits is both days that it can be, marked as ambiguous unless only one exists", () => {
    assert.deepStrictEqual(readingsOf("03/04/2024"), ["2024-4-3", "2024-3-4"]);
    for (const [text, order, iso] of [
      ["03/04/2024", null, null],
      ["03-04-2024", "day-first", "2024-04-03"],
      ["03/04/2024", "month-first", "2024-03-04"],
      ["15-03-2024", null, "2024-03-15"],
      ["03-15-2024", null, "2024-03-15"],
      ["03.04.2024", null, "2024-04-03"],
      ["04/04/2024", null, "2024-04-04"],
      ["25.12.24", null, null],
      ["31.2.2024", null, null]
    ] as const) {
      const [found, ...others] = daysIn(`on ${text}.`);
      if (found === undefined || others.length > 0) assert.fail(text);
      assert.strictEqual(dayInOrder(found, order), iso, text);
      assert.strictEqual(found.isAmbiguous, found.readings.length > 1, text);
    }
    for (const text of [
      "version 1.2.3.2025",
      "2025-03-045",
      "1741082400",
      "room 20240506",
      "6 tomatoes 2024"
    ])
      assert.isEmpty(daysIn(text), text);
  });

  it("may have its weekday, its time and the zone of that, and nothing else", () => {
    for (const [text, iso, time, zone] of [
      ["5 March 2024 10:30", "2024-03-05", "10:30", ""],
      ["Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05", "10:00:00", "Z"],
      ["2024-03-05T10:30:00.5+0200", "2024-03-05", "10:30:00", "+02:00"],
      ["20240305T1030Z", "2024-03-05", "10:30", "Z"],
      ["March 5th, 2024 at 6:15 pm", "2024-03-05", "18:15", ""],
      ["Dienstag, den 5. März 2024 um 10.30 Uhr", "2024-03-05", "10:30", ""],
      ["5 марта 2024 г., 10:30", "2024-03-05", "10:30", ""],
      ["03/04/2024 10:30", null, "10:30", ""],
      ["Mar 5, 2024 6:15 PM EST", "2024-03-05", null, ""],
      ["Tue Mar 05 2024 10:30:00 GMT+0100 (Central European Time)", "2024-03-05", "10:30:00", "+01:00"],
      ["2024-03-05 10:30 +0100 (CET)", "2024-03-05", "10:30", "+01:00"]
    ] as const)
      assert.deepInclude(momentOf(text), { day: iso, time, zone }, text);
    for (const text of [
      "5 March 2024 25:00",
      "5-7 March 2024",
      "5 March 2024 or later",
      "5/3/2024 - 6/3/2024"
    ])
      assert.isNull(momentOf(text), text);
  });
});
