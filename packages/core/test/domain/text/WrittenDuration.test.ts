import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { isoDurationSeconds, writtenDurationSeconds } from "../../../src/domain/text/WrittenDuration.ts";

const Whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }));

describe("a duration of ISO 8601", () => {
  it.each([
    ["PT1H2M3.5S", 3_723.5],
    ["P1DT1S", 86_401],
    ["P0Y0M0DT0H3M30S", 210],
    ["P00Y00M00DT00H03M30S", 210],
    ["P0Y0M0DT0H0M16.000S", 16],
    ["P0DT16S", 16],
    ["T1M33S", 93],
    ["P1W", 604_800],
    ["P1W2DT3H", 788_400],
    ["PT3,5S", 3.5],
    ["PT.5S", 0.5],
    ["PT3M30.S", 210],
    ["PT0.5H", 1_800],
    ["PT1.5M", 90],
    ["P0.5D", 43_200],
    ["pt1h2m", 3_720],
    [" PT90S\n", 90],
    ["+PT90S", 90],
    ["PT00:03:30", 210],
    ["P0000-00-01T00:03:30", 86_610],
    ["PT0S", 0]
  ])("%j has its seconds", (written, seconds) => {
    assert.strictEqual(isoDurationSeconds(written), seconds);
    assert.strictEqual(writtenDurationSeconds(written), seconds);
  });

  it.each([
    "",
    "P",
    "PT",
    "T",
    "P1Y",
    "P2M",
    "-PT5S",
    "PT1.2.3S",
    "PT5",
    "5",
    "1:02",
    `PT${"9".repeat(400)}H`
  ])("is not %j", (written) => assert.isNull(isoDurationSeconds(written)));

  it.prop("is read back from its parts", { d: Whole, h: Whole, m: Whole, s: Whole }, ({ d, h, m, s }) =>
    assert.strictEqual(isoDurationSeconds(`P0Y0M${d}DT${h}H${m}M${s}S`), ((d * 24 + h) * 60 + m) * 60 + s)
  );
});

it.each([
  ["1:02:03", 3_723],
  ["02:03", 123],
  ["0:03.5", 3.5],
  ["90", 90],
  ["90.5", 90.5],
  ["90,5", 90.5],
  ["93 s", 93],
  ["93 seconds", 93],
  ["3 min 30 s", 210],
  ["3m30s", 210],
  ["1 hr, 2 minutes", 3_720]
])("%j, as pages write it, has its seconds", (written, seconds) =>
  assert.strictEqual(writtenDurationSeconds(written), seconds)
);

it.each(["soon", "-5", "1:2", "1:02:03:04", "1e3", "12 pm"])("%j is no duration", (written) =>
  assert.isNull(writtenDurationSeconds(written))
);
