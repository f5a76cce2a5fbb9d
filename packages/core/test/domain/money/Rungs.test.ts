import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { canonical, DEFAULT_INPUTS, MODALITIES, Modality } from "../../../src/domain/source/Modality.ts";
import { sampleRequest } from "@winnow/testing/samples/samples";
import { ceilingRung, price, pricedSelection, rungsOf } from "../../../src/domain/money/Pricing.ts";
import { type PricedFacts, SourceKind } from "../../../src/domain/source/SourceFacts.ts";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { Facts } from "../Arbitraries.ts";

const video: PricedFacts = { kind: "video", durationMs: 213_000, imageCount: 0 };
/** 50 + 10 + 20 + 106.5; then audio 42.6 + 213; then video 106.5 + 426 in place of 213. */
const [TEXT, AUDIO, VIDEO] = [187, 443, 762];

describe("the rungs", () => {
  it("of a video are text, audio, video, cut to the ceiling", () => {
    assert.deepStrictEqual(rungsOf("video", MODALITIES), [
      ["transcript", "comments"],
      ["transcript", "comments", "audio"],
      ["transcript", "comments", "audio", "video"]
    ]);
    assert.deepStrictEqual(rungsOf("video", ["video", "transcript"]), [
      ["transcript"],
      ["transcript", "video"]
    ]);
    assert.deepStrictEqual(rungsOf("video", ["audio"]), [["audio"]]);
    assert.deepStrictEqual(rungsOf("video", DEFAULT_INPUTS), [DEFAULT_INPUTS]);
  });

  it("of a webpage and a photo post are one", () => {
    assert.deepStrictEqual(rungsOf("webpage", MODALITIES), [MODALITIES]);
    assert.deepStrictEqual(rungsOf("photos", ["video", "comments"]), [["comments", "video"]]);
  });

  it.prop(
    "ascend: each includes the previous one, costs no less, and the last is the ceiling",
    { facts: Facts, inputs: Arbitrary.array(Arbitrary.schema(Modality), { minLength: 1, maxLength: 6 }) },
    ({ facts, inputs }) => {
      const rungs = rungsOf(facts.kind, inputs);
      assert.deepStrictEqual(rungs.at(-1), canonical(inputs));
      const costs = rungs.map(
        (modalities) => price(facts, { mode: "ai", modalities }, DEFAULT_RATES).credits
      );
      for (let index = 1; index < rungs.length; index++) {
        assert.includeMembers([...(rungs[index] ?? [])], [...(rungs[index - 1] ?? [])]);
        assert.isAtLeast(costs[index] ?? 0, costs[index - 1] ?? 0);
      }
    }
  );

  it.prop("are never empty", { kind: SourceKind }, ({ kind }) => {
    assert.lengthOf(rungsOf(kind, []), 1);
  });
});

describe("the debited rung", () => {
  const ALONE = { mode: "ai", range: null, speech: false, isFetched: false } as const;
  const top = (maxSpendCredits: number) =>
    ceilingRung(video, sampleRequest(), maxSpendCredits, DEFAULT_RATES);

  it("is the most expensive one within maxSpendCredits", () => {
    assert.deepStrictEqual(top(TEXT), Result.succeed(["transcript", "comments"]));
    assert.deepStrictEqual(top(AUDIO - 0.5), Result.succeed(["transcript", "comments"]));
    assert.deepStrictEqual(top(AUDIO), Result.succeed(["transcript", "comments", "audio"]));
    assert.deepStrictEqual(top(VIDEO - 1), Result.succeed(["transcript", "comments", "audio"]));
    assert.deepStrictEqual(top(VIDEO), Result.succeed(MODALITIES));
    assert.deepStrictEqual(top(1e9), Result.succeed(MODALITIES));
  });

  it("below the cheapest is rejected with the minimum", () => {
    const refused = top(TEXT - 0.5);
    assert.isTrue(Result.isFailure(refused));
    if (Result.isFailure(refused)) {
      assert.deepStrictEqual(refused.failure.details, {
        param: "maxSpendCredits",
        reason: "below_minimum",
        minimumCredits: TEXT
      });
    }
  });

  it("of a request without auto has its inputs, regardless of maxSpendCredits", () => {
    const request = sampleRequest({ mode: "ai", maxSpendCredits: 1 });
    assert.deepStrictEqual(
      pricedSelection(video, request, DEFAULT_RATES),
      Result.succeed({ ...ALONE, modalities: MODALITIES })
    );
  });

  it("of an auto request is its rung", () => {
    const request = sampleRequest({ mode: "ai", auto: true, maxSpendCredits: AUDIO });
    assert.deepStrictEqual(
      pricedSelection(video, request, DEFAULT_RATES),
      Result.succeed({ ...ALONE, modalities: ["transcript", "comments", "audio"] })
    );
  });

  it.prop(
    "is the most expensive one that fits within maxSpendCredits",
    { facts: Facts, max: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_000 })) },
    ({ facts, max }) => {
      const credits = rungsOf(facts.kind, MODALITIES).map(
        (modalities) => price(facts, { mode: "ai", modalities }, DEFAULT_RATES).credits
      );
      const chosen = ceilingRung(facts, sampleRequest(), max, DEFAULT_RATES);
      if (Result.isFailure(chosen)) assert.isTrue(credits.every((cost) => cost > max));
      else {
        const cost = price(facts, { mode: "ai", modalities: chosen.success }, DEFAULT_RATES).credits;
        assert.strictEqual(cost, Math.max(...credits.filter((each) => each <= max)));
      }
    }
  );
});
