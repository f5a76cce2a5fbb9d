import { assert, describe, it } from "@effect/vitest";
import { segmentedCaptions } from "../../../src/sources/captions/segmentedCaptions.ts";

type Said = readonly [from: number, to: number, text: string];

const time = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23);

const segment = (map: string | null, ...said: ReadonlyArray<Said>): string =>
  `WEBVTT\n${map === null ? "" : `X-TIMESTAMP-MAP=${map}\n`}\n` +
  said.map(([from, to, text]) => `${time(from)} --> ${time(to)} line:0\n${text}\n\n`).join("");

const shown = (...segments: ReadonlyArray<string>) =>
  segmentedCaptions(segments)?.map(({ endSeconds, startSeconds, text }) => [startSeconds, endSeconds, text]);

const AT_TEN = "MPEGTS:900000,LOCAL:00:00:00.000";

describe("captions in segments", () => {
  it.each([
    ["of the first segment", AT_TEN, [1, 3, "Yes."], AT_TEN, [9, 11, "Yes."]],
    ["of each segment", AT_TEN, [1, 3, "Yes."], "MPEGTS:1620000,LOCAL:00:00:00.000", [1, 3, "Yes."]],
    [
      "with an hour of its own",
      "MPEGTS:900000,LOCAL:10:00:00.000",
      [36_001, 36_003, "Yes."],
      "LOCAL:10:00:08.000,MPEGTS:1620000",
      [36_009, 36_011, "Yes."]
    ],
    [
      "in other words",
      "local:00:00.000 , mpegts:900000",
      [1, 3, "Yes."],
      " MPEGTS: 1620000, LOCAL: 0:00:00",
      [1, 3, "Yes."]
    ],
    [
      "of a clock that began anew",
      `MPEGTS:${2 ** 33 - 360_000},LOCAL:00:00:00.000`,
      [1, 3, "Yes."],
      "MPEGTS:360000,LOCAL:00:00:00.000",
      [1, 3, "Yes."]
    ],
    ["of none", null, [1, 3, "Yes."], null, [9, 11, "Yes."]],
    ["of some", AT_TEN, [1, 3, "Yes."], null, [9, 11, "Yes."]]
  ] as const)("have the times %s", (_, first, one, second, two) => {
    assert.deepStrictEqual(shown(segment(first, one), segment(second, two)), [
      [1, 3, "Yes."],
      [9, 11, "Yes."]
    ]);
  });

  it("are one where a segment cut them, or shows them again", () => {
    const end: Said = [11, 12, "End."];
    assert.deepStrictEqual(
      shown(
        segment(AT_TEN, [7, 8, "Top."], [7, 8, "On."]),
        segment(AT_TEN, [8, 9, "Top."], [8, 10, "On."], end)
      ),
      [
        [7, 9, "Top."],
        [7, 10, "On."],
        [11, 12, "End."]
      ]
    );
    for (const [from, to, again] of [
      [7, 8, 7],
      [7, 10.001, 7],
      [7, 7.99, 8],
      [7, 10, 8]
    ] as const)
      assert.deepStrictEqual(
        shown(segment(AT_TEN, [from, to, "Long."]), segment(AT_TEN, [again, 10, "Long."], end)),
        [
          [7, Math.max(to, 10), "Long."],
          [11, 12, "End."]
        ]
      );
    assert.deepStrictEqual(
      shown(
        segment(null, [7, 8, "Long."]),
        segment(null, [8, 16, "Long."]),
        segment(null, [16, 17, "Long."])
      ),
      [[7, 17, "Long."]]
    );
  });

  it("stay apart where they are said twice", () => {
    const twice: ReadonlyArray<Said> = [
      [1, 2, "No."],
      [2, 3, "No."]
    ];
    assert.strictEqual(shown(segment(null, ...twice))?.length, 2);
    assert.strictEqual(shown(segment(null, [1, 3, "No."], [2, 3, "No."]))?.length, 2);
    assert.deepStrictEqual(shown(segment(null, [6, 7, "No."]), segment(null, [8, 9, "No."]))?.length, 2);
  });

  it("are null if a segment cannot be read whole", () => {
    assert.isNull(
      segmentedCaptions([segment(null, [1, 2, "No."]), "WEBVTT\n\nNaN:NaN:NaN --> NaN:NaN:NaN\nLost"])
    );
  });
});
