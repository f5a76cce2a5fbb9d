import { assert, describe, it } from "@effect/vitest";
import { UNITS_PER_CREDIT, ceilToCredits } from "../../../src/domain/money/Credits.ts";
import { DEFAULT_INPUTS, DEFAULT_PARTS, type Modality } from "../../../src/domain/source/Modality.ts";
import { effectiveFacts, price, settlementRefund } from "../../../src/domain/money/Pricing.ts";
import { type Selection, withoutUnavailable } from "../../../src/domain/request/RunRequest.ts";
import {
  durationMsOf,
  pricedFacts,
  UNKNOWN_FACTS,
  type PricedFacts
} from "../../../src/domain/source/SourceFacts.ts";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { sampleFacts } from "@winnow/testing/samples/samples";

const video = (seconds: number): PricedFacts => ({
  kind: "video",
  durationMs: seconds * 1_000,
  imageCount: 0
});
const carousel: PricedFacts = { kind: "photos", durationMs: null, imageCount: 7 };
const webpage: PricedFacts = { kind: "webpage", durationMs: null, imageCount: 0 };
const ai = (modalities: ReadonlyArray<Modality>): Selection => ({ mode: "ai", modalities });
const download = (modalities: ReadonlyArray<Modality>): Selection => ({ mode: "download", modalities });

describe("the published check values", () => {
  const cases: ReadonlyArray<
    readonly [name: string, facts: PricedFacts, selection: Selection, credits: number]
  > = [
    ["213 s, schema, default inputs", video(213), ai(DEFAULT_INPUTS), 187],
    ["213 s, inputs [audio]", video(213), ai(["audio"]), 306],
    ["213 s, inputs [audio, video]", video(213), ai(["audio", "video"]), 626],
    ["300 s, inputs [video]", video(300), ai(["video"]), 800],
    ["213 s, download of all four parts", video(213), download(DEFAULT_PARTS), 230],
    ["webpage without schema", webpage, download(DEFAULT_PARTS), 50],
    ["webpage with schema", webpage, ai(DEFAULT_INPUTS), 100],
    ["carousel of 7, default parts", carousel, download(DEFAULT_PARTS), 70],
    ["carousel of 7, parts [video]", carousel, download(["video"]), 50],
    ["carousel of 7, schema, default inputs", carousel, ai(DEFAULT_INPUTS), 190],
    ["carousel of 7, schema, inputs [transcript]", carousel, ai(["transcript"]), 170]
  ];
  for (const [name, facts, selection, credits] of cases) {
    it(`${name} costs ${credits} credits`, () => {
      assert.strictEqual(price(facts, selection, DEFAULT_RATES).credits, credits);
    });
  }
});

describe("the parts of a price", () => {
  it("are unrounded, list only requested modalities and have no AI component without a schema", () => {
    assert.deepStrictEqual(price(video(213), download(["transcript", "audio"]), DEFAULT_RATES), {
      mode: "download",
      credits: 103,
      freshCredits: 103,
      parts: { base: 500_000, download: { transcript: 100_000, audio: 426_000 }, text: 0, audio: 0, video: 0 }
    });
  });

  it("charge text once for transcript and comments, and no audio in addition to video", () => {
    const { parts } = price(video(100), ai(["transcript", "comments", "audio", "video"]), DEFAULT_RATES);
    assert.deepInclude(parts, { text: 500_000, audio: 0, video: 2_000_000 });
  });

  it("of a photo post put the text under text and the slides under video", () => {
    const { parts } = price(carousel, ai(DEFAULT_INPUTS), DEFAULT_RATES);
    assert.deepInclude(parts, { download: { comments: 200_000 }, text: 500_000, audio: 0, video: 700_000 });
  });
});

describe("rounding", () => {
  it("rounds up to the next credit only if there is a fraction", () => {
    assert.strictEqual(ceilToCredits(0), 0);
    assert.strictEqual(ceilToCredits(186 * UNITS_PER_CREDIT), 186);
    assert.strictEqual(ceilToCredits(186 * UNITS_PER_CREDIT + 1), 187);
  });
});

describe("a duration", () => {
  it("that is unknown is priced as 300 s", () => {
    assert.strictEqual(price(UNKNOWN_FACTS, ai(["video"]), DEFAULT_RATES).credits, 800);
  });

  it("reported as zero or less is unknown, so that it cannot lower a price", () => {
    for (const durationSeconds of [0, -5, 0.000_1]) {
      assert.strictEqual(pricedFacts(sampleFacts({ durationSeconds })).durationMs, null);
    }
  });

  it("of a photo post is a background track and never billed", () => {
    const facts = pricedFacts(sampleFacts({ kind: "photos", durationSeconds: 600, imageCount: 7 }));
    assert.deepStrictEqual(facts, carousel);
  });

  it("keeps its milliseconds", () => {
    assert.strictEqual(pricedFacts(sampleFacts({ durationSeconds: 12.018 })).durationMs, 12_018);
  });
});

it("a number of slides below zero counts as none", () => {
  assert.strictEqual(pricedFacts(sampleFacts({ kind: "photos", imageCount: -3 })).imageCount, 0);
});

describe("settlement", () => {
  it("keeps a duration that was known at submit", () => {
    assert.strictEqual(effectiveFacts(video(213), video(500), 900_000).durationMs, 213_000);
  });

  it("prices an unknown duration by the measurement, up to 300 s", () => {
    const found: PricedFacts = { kind: "video", durationMs: 90_000, imageCount: 0 };
    assert.strictEqual(effectiveFacts(UNKNOWN_FACTS, found, 60_000).durationMs, 60_000);
    assert.strictEqual(effectiveFacts(UNKNOWN_FACTS, found, null).durationMs, 90_000);
    assert.strictEqual(effectiveFacts(UNKNOWN_FACTS, UNKNOWN_FACTS, null).durationMs, 300_000);
    assert.strictEqual(effectiveFacts(UNKNOWN_FACTS, found, 900_000).durationMs, 300_000);
  });

  it("does not use a measurement of 0 as a duration", () => {
    for (const measured of [null, 0, -1]) assert.isNull(durationMsOf(measured));
    assert.strictEqual(durationMsOf(12.018), 12_018);
  });

  it("refunds a missing artifact", () => {
    const asked = download(DEFAULT_PARTS);
    const delivered = withoutUnavailable(asked, ["comments"]);
    assert.strictEqual(settlementRefund(230, video(213), delivered, DEFAULT_RATES), 20);
  });

  it("re-prices the whole run instead of adding rounded parts", () => {
    // 50 + 10 + 20 + 106.5 = 186.5 -> 187 without comments 50 + 10 + 106.5 = 166.5 -> 167
    const delivered = withoutUnavailable(ai(DEFAULT_INPUTS), ["comments"]);
    assert.strictEqual(settlementRefund(187, video(213), delivered, DEFAULT_RATES), 20);
    // Neither input exists, so the text was not read either: 50 -> 137 refunded.
    const nothing = withoutUnavailable(ai(DEFAULT_INPUTS), ["comments", "transcript"]);
    assert.strictEqual(settlementRefund(187, video(213), nothing, DEFAULT_RATES), 137);
  });

  it("never charges more than the debit", () => {
    const album: PricedFacts = { kind: "photos", durationMs: null, imageCount: 500 };
    assert.strictEqual(settlementRefund(230, album, ai(DEFAULT_INPUTS), DEFAULT_RATES), 0);
  });
});
