import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { canonical, MODALITIES, type Modality } from "../../../src/domain/source/Modality.ts";
import { price } from "../../../src/domain/money/Pricing.ts";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { Failed, type PartFailures } from "../../../src/domain/source/Failed.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import type { FakeSource } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { DEFAULT_RATES } from "../../../src/domain/money/Rates.ts";
import { balanceOf, openAccount, probe, runToEnd, submit, VIDEO, world } from "../World.ts";

const START = 11_000;
const DURATION_MS = 213_000;

const source = (more: Partial<FakeSource> = {}, facts = {}) => ({
  sources: { [VIDEO]: { facts: sampleFacts({ durationSeconds: 213, hasComments: true, ...facts }), ...more } }
});

const rateLimited = new Failed({
  reason: "rate_limited",
  message: "The source is rate limiting this server."
});

const refused = (...modalities: ReadonlyArray<Modality>): PartFailures =>
  Object.fromEntries(modalities.map((modality) => [modality, rateLimited]));

const completeView = (extraction: Extraction) => {
  const view = resultView(extraction, "https://winnow.example");
  return view.status === "complete" ? view : assert.fail(view.status);
};

const partsOf = (extraction: Extraction) => completeView(extraction).parts;

const subsets = MODALITIES.reduce<ReadonlyArray<ReadonlyArray<Modality>>>(
  (sets, modality) => [...sets, ...sets.map((set) => [...set, modality])],
  [[]]
);

describe("a failed look-up", () => {
  it.effect("is distinguished from a missing part, and its price is refunded", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, { url: VIDEO, parts: ["transcript", "comments", "audio"] });
      assert.deepStrictEqual(partsOf(run), {
        transcript: "lookup_failed",
        comments: "not_found",
        audio: "found",
        video: "not_requested"
      });
      assert.deepStrictEqual(run.absent, ["transcript", "comments"]);
      assert.strictEqual(run.creditsRefunded, 30);
      const [lookup = "", comments = ""] = completeView(run).warnings;
      assert.include(lookup, "The transcript could not be looked up");
      assert.notMatch(lookup, /has no|There is no/u);
      assert.include(comments, "the source shows none");
    }).pipe(Effect.provide(world(source({ failedLookups: refused("transcript") }, { hasComments: false }))))
  );

  it.effect("is never reused, under any policy", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { url: VIDEO, parts: ["transcript", "audio"] };
      yield* runToEnd(accountId, body);
      for (const policy of ["fallback", "best-effort", "strict"]) {
        assert.isFalse((yield* probe(accountId, { ...body, policy })).cached);
      }
      const again = yield* submit(accountId, body);
      assert.isAbove(again.extraction.creditsDebited, 0);
    }).pipe(Effect.provide(world(source({ failedLookups: refused("transcript") }))))
  );

  it.effect("of everything requested fails the run as retryable with a full refund", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const run = yield* runToEnd(accountId, { url: VIDEO, parts: ["transcript", "comments"] });
      assert.deepStrictEqual([run.status, run.failure?.reason], ["failed", "rate_limited"]);
      const view = resultView(run, "https://winnow.example");
      assert.isTrue("failure" in view && view.failure.retryable);
      assert.notMatch(run.failure?.message ?? "", /has no|There is no/u);
      assert.strictEqual(yield* balanceOf(accountId), START);
    }).pipe(Effect.provide(world(source({ failedLookups: refused("transcript") }, { hasComments: false }))))
  );

  it.effect("of all inputs also fails an AI run, instead of answering without input", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { url: VIDEO, schema: { type: "object", minProperties: 1 }, inputs: ["transcript"] };
      const run = yield* runToEnd(accountId, body);
      assert.deepStrictEqual([run.status, run.failure?.reason], ["failed", "rate_limited"]);
      assert.strictEqual(yield* balanceOf(accountId), START);
    }).pipe(
      Effect.provide(
        world({ ...source({ failedLookups: refused("transcript") }), analyst: FakeAnalyst.layer() })
      )
    )
  );

  it.effect("fails a strict run with the reason of the look-up; a missing part keeps its own reason", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const strict = { url: VIDEO, policy: "strict" };
      const looked = yield* runToEnd(accountId, { ...strict, parts: ["transcript", "audio"] });
      assert.deepStrictEqual([looked.status, looked.failure?.reason], ["failed", "rate_limited"]);
      const absent = yield* runToEnd(accountId, { ...strict, parts: ["comments", "audio"] });
      assert.strictEqual(absent.failure?.reason, "input_unavailable");
      assert.strictEqual(yield* balanceOf(accountId), START);
    }).pipe(Effect.provide(world(source({ failedLookups: refused("transcript") }, { hasComments: false }))))
  );

  for (const failing of subsets) {
    it.effect(`in [${failing.join()}]: the run is charged for what was found`, () =>
      Effect.gen(function* () {
        for (const parts of subsets.filter((set) => set.length > 0)) {
          const accountId = yield* openAccount();
          const run = yield* runToEnd(accountId, { url: VIDEO, parts, policy: "best-effort" });
          const found = canonical(parts.filter((part) => !failing.includes(part)));
          assert.strictEqual(run.status, found.length === 0 ? "failed" : "complete");
          const facts = { kind: "video", imageCount: 0, durationMs: DURATION_MS } as const;
          const kept =
            found.length === 0
              ? 0
              : price(facts, { mode: "download", modalities: found }, DEFAULT_RATES).credits;
          assert.strictEqual(run.creditsDebited - run.creditsRefunded, kept);
          assert.strictEqual(yield* balanceOf(accountId), START - kept);
          if (found.length === 0) continue;
          const states = partsOf(run);
          for (const part of MODALITIES) {
            const asked = parts.includes(part);
            const expected = failing.includes(part) ? "lookup_failed" : "found";
            assert.strictEqual(states[part], asked ? expected : "not_requested");
          }
        }
      }).pipe(Effect.provide(world(source({ failedLookups: refused(...failing) }))))
    );
  }
});
