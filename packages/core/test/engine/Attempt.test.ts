/** What one attempt makes of a source: the policy for what is missing, and the AI pass. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { AnalysisFailed } from "../../src/ports/Analyst.ts";
import { ArtifactStore } from "../../src/ports/ArtifactStore.ts";
import * as FakeAnalyst from "../../src/testing/FakeAnalyst.ts";
import { ARTICLE, balanceOf, BONUS, CAROUSEL, openAccount, runToEnd, VIDEO, world } from "./World.ts";

const START = 10_000 + BONUS;

describe("policy", () => {
  it.effect("strict fails a run that lacks an input, with its reason and a full refund", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO, parts: ["comments", "video"], policy: "strict" });
      assert.deepStrictEqual(done.failure, {
        reason: "input_unavailable",
        message: "There are no comments: the source shows none."
      });
      assert.strictEqual(yield* balanceOf(accountId), START);
      const artifacts = yield* ArtifactStore;
      const key = { extractionId: done.id, attempt: 1, name: "video.mp4" };
      assert.deepStrictEqual(yield* artifacts.size(key), Option.none());
      const fine = yield* runToEnd(accountId, { url: VIDEO, parts: ["video"], policy: "strict" });
      assert.strictEqual(fine.status, "complete");
    }).pipe(Effect.provide(world()))
  );

  it.effect("best-effort says nothing", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result } = yield* runToEnd(accountId, { url: VIDEO, policy: "best-effort" });
      assert.deepStrictEqual([result?.unavailable, result?.warnings], [["comments"], []]);
    }).pipe(Effect.provide(world()))
  );

  it.effect("everything of a kind that never has it is nothing to warn about, even under strict", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const url of [ARTICLE, CAROUSEL]) {
        const { status, result } = yield* runToEnd(accountId, { url, policy: "strict" });
        assert.deepStrictEqual([status, result?.unavailable, result?.warnings], ["complete", [], []]);
      }
    }).pipe(Effect.provide(world()))
  );

  it.effect("naming what a kind never has is told, or refused under strict", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { url: CAROUSEL, parts: ["comments", "video"] };
      const { result, creditsRefunded } = yield* runToEnd(accountId, body);
      assert.deepStrictEqual(result?.warnings, ["There is no video: it is not offered for photo posts."]);
      assert.strictEqual(creditsRefunded, 0);
      const strict = yield* runToEnd(accountId, { ...body, policy: "strict" });
      assert.strictEqual(strict.failure?.reason, "input_unavailable");
    }).pipe(Effect.provide(world()))
  );
});

describe("an AI run", () => {
  const body = { url: VIDEO, schema: { type: "object" }, inputs: ["transcript", "comments", "audio"] };

  it.effect("gives the analyst what was fetched and keeps its answer", () => {
    const asked: Array<unknown> = [];
    const analyst = FakeAnalyst.layer(({ inputs, prompt, files }) => {
      asked.push([inputs, prompt, files.map(({ name }) => name)]);
      return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { title: "A talk" } });
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result, creditsDebited, creditsRefunded } = yield* runToEnd(accountId, {
        ...body,
        prompt: "Go."
      });
      const names = ["audio.m4a", "transcript.txt", "subtitles.en.vtt", "thumbnail.jpg", "description.txt"];
      assert.deepStrictEqual(asked, [[["transcript", "audio"], "Go.", names]]);
      assert.deepInclude(result, { outcome: "ok", extraction: { title: "A talk" } });
      // 50 + 10 + 20 + 42.6 + 106.5 + 213 at submit; comments are not there.
      assert.deepStrictEqual([creditsDebited, creditsRefunded], [443, 20]);
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("whose model does not answer fails with a full refund", () => {
    const analyst = FakeAnalyst.layer(() =>
      Effect.fail(new AnalysisFailed({ reason: "invalid_model_output", message: "No fit." }))
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, body);
      assert.deepStrictEqual(done.failure, { reason: "invalid_model_output", message: "No fit." });
      assert.strictEqual(yield* balanceOf(accountId), START);
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("with nothing left to read is uncertain, and the model is not asked", () => {
    const analyst = FakeAnalyst.layer(() => Effect.die(new Error("asked")));
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result, creditsRefunded } = yield* runToEnd(accountId, { ...body, inputs: ["comments"] });
      assert.deepInclude(result, { outcome: "uncertain", extraction: null });
      // Only the base fee is left of 50 + 20 + 106.5.
      assert.strictEqual(creditsRefunded, 127);
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("in auto mode is carried out at the debited rung", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const auto = { ...body, inputs: ["transcript", "audio", "video"], auto: true, maxSpendCredits: 450 };
      const { result, creditsDebited, creditsRefunded } = yield* runToEnd(accountId, auto);
      assert.deepStrictEqual(result?.rung, ["transcript", "audio"]);
      // 50 + 10 + 42.6 + 106.5 + 213
      assert.deepStrictEqual([creditsDebited, creditsRefunded], [423, 0]);
    }).pipe(Effect.provide(world({ analyst: FakeAnalyst.layer() })))
  );
});
