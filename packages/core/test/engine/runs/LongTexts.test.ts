/** Texts longer than what is read of a file: their beginning is read, whole entry by whole entry. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { TEXT_BYTES_MAX } from "../../../src/domain/result/ArtifactTexts.ts";
import type { InputText } from "../../../src/domain/text/InputText.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { openAccount, runToEnd, VIDEO, world } from "../World.ts";

const LONG = 'ü, \\"{['.repeat(20_000);
const entries = (count: number, more: object) =>
  Array.from({ length: count }, (_, at) => ({ ...more, text: `${at} ${LONG}` }));
const COUNT = Math.ceil(TEXT_BYTES_MAX / LONG.length);

describe("a file that is longer than what is read of it", () => {
  it.effect("gives its first comments and captions, and the result says so", () => {
    const seen: Array<InputText> = [];
    const analyst = FakeAnalyst.layer(({ texts }) => {
      seen.push(...texts);
      return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { isFound: true } });
    });
    const files = {
      "transcript.txt": "x",
      "transcript.json": JSON.stringify({
        language: "en",
        origin: "people",
        segments: entries(COUNT, { startSec: 1, endSec: 2 })
      }),
      "comments.json": JSON.stringify(entries(COUNT, { author: "Ann" }))
    };
    const source = { facts: sampleFacts({ hasComments: true, durationSeconds: 60 }), files };
    return Effect.gen(function* () {
      const { warnings } = yield* runToEnd(yield* openAccount(), {
        url: VIDEO,
        schema: { type: "object", minProperties: 1 }
      });
      for (const [at, name] of ["transcript", "comments"].entries()) {
        assert.strictEqual(seen[at]?.segments[0]?.text.slice(0, 2), "0 ", name);
        assert.isTrue(
          warnings.some((sentence) => sentence.startsWith(`Only the beginning of ${name}.json`)),
          name
        );
      }
      assert.strictEqual(seen[0]?.segments[0]?.startSeconds, 1);
    }).pipe(Effect.provide(world({ analyst, sources: { [VIDEO]: source } })));
  });
});
