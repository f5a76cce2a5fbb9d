/** Stretches of a source: what is refused, and what a run of one hands to its ports. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import type { FetchRequest } from "../../../src/ports/Downloader.ts";
import type { Material } from "../../../src/ports/Analyst.ts";
import {
  ARTICLE,
  CAROUSEL,
  OPENING_BALANCE,
  openAccount,
  balanceOf,
  probe,
  runToEnd,
  SOURCES,
  submit,
  UNSEEN,
  VIDEO,
  world
} from "../World.ts";

const RANGE = { startSec: 65, endSec: 150 };
const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };

describe("a range", () => {
  it.effect.each([
    [{ url: ARTICLE, range: RANGE }, "not_a_video"],
    [{ url: CAROUSEL, range: RANGE }, "not_a_video"],
    [{ url: VIDEO, range: { startSec: 213 } }, "beyond_end"],
    [{ url: VIDEO, range: { startSec: 300, endSec: 400 } }, "beyond_end"],
    [{ url: VIDEO, range: RANGE, schema: SCHEMA, auto: true, maxSpendCredits: 50 }, "below_minimum"],
    [{ url: VIDEO, range: RANGE, maxCredits: 50 }, "price_above_limit"]
  ] as const)("is refused as its source is seen, by submit and probe alike: %j", ([body, reason]) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const refused = yield* Effect.flip(submit(accountId, body));
      assert.deepStrictEqual<unknown>(yield* Effect.flip(probe(accountId, body)), refused);
      assert.strictEqual("details" in refused && refused.details["reason"], reason);
      if ("range" in body && /video|end/u.test(reason))
        assert.deepStrictEqual("details" in refused && refused.details, { param: "range", reason });
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
    }).pipe(Effect.provide(world({ analyst: FakeAnalyst.layer() })))
  );

  it.effect.each([
    [sampleFacts({ kind: "webpage", durationSeconds: null }), /is for videos/u],
    [sampleFacts({ durationSeconds: 40 }), /has ended, after 40 s/u]
  ] as const)("that only the run can see to be none fails it, with a full refund", ([facts, message]) => {
    let looks = 0;
    const beforeInspect = Effect.suspend(() =>
      looks++ === 0 ? Effect.fail(refuses("timeout")) : Effect.void
    );
    return Effect.gen(function* () {
      const run = yield* runToEnd(yield* openAccount(), { url: UNSEEN, range: RANGE, parts: ["audio"] });
      assert.deepStrictEqual([run.creditsDebited, run.creditsRefunded], [50 + 17, 50 + 17]);
      assert.strictEqual(run.failure?.reason, "input_unavailable");
      assert.match(run.failure?.message ?? "", message);
      assert.include(run.failure?.hint ?? "", "`range`");
    }).pipe(Effect.provide(world({ sources: { [UNSEEN]: { facts, beforeInspect } } })));
  });

  it.effect(
    "is told to who fetches and to who reads, and is that of an extraction that is read again",
    () => {
      const fetches: Array<Pick<FetchRequest, "range">> = [];
      const read: Array<Material["range"]> = [];
      const analyst = FakeAnalyst.layer(({ range }) => {
        read.push(range);
        return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { isFound: true } });
      });
      const beforeFetch = (request: Pick<FetchRequest, "range">) => Effect.sync(() => fetches.push(request));
      const sources = {
        [VIDEO]: { ...SOURCES[VIDEO], beforeFetch },
        [UNSEEN]: { facts: sampleFacts({ durationSeconds: null }), measuredDurationSeconds: 100, beforeFetch }
      };
      return Effect.gen(function* () {
        const accountId = yield* openAccount();
        for (const [url, seconds] of [
          [VIDEO, 85],
          [UNSEEN, 35]
        ] as const) {
          const body = { url, range: RANGE, schema: SCHEMA, inputs: ["transcript", "audio"] };
          const first = yield* runToEnd(accountId, body);
          assert.strictEqual(first.result?.measuredDurationSeconds, seconds);
          const again = yield* runToEnd(accountId, {
            fromExtraction: first.id,
            schema: SCHEMA,
            inputs: ["transcript"]
          });
          assert.deepStrictEqual(again.request.range, RANGE);
          assert.strictEqual(again.result?.facts.durationSeconds, first.result?.facts.durationSeconds);
          assert.deepStrictEqual([again.creditsDebited, again.creditsRefunded], [Math.ceil(seconds / 2), 0]);
        }
        yield* runToEnd(accountId, { url: VIDEO, range: { startSec: 0 }, schema: SCHEMA });
        assert.deepStrictEqual(
          fetches.map(({ range }) => range),
          [RANGE, RANGE, undefined]
        );
        assert.deepStrictEqual(read, [RANGE, RANGE, RANGE, RANGE, undefined]);
      }).pipe(Effect.provide(world({ sources, analyst })));
    }
  );
});
