import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { openAccount, runToEnd, VIDEO, world } from "../World.ts";

const BODY = { url: VIDEO, schema: { type: "object", minProperties: 1 }, inputs: ["transcript"] };

describe("a run", () => {
  it.effect("warns of numbers that were rounded, which no evidence confirms", () => {
    const id = Number("1917043659912705296");
    const quotes = [
      { pointer: "/title", quote: "content of transcript.txt" },
      { pointer: "/id", quote: "content of transcript.txt" }
    ];
    const analyst = FakeAnalyst.layer(() =>
      Effect.succeed({
        outcome: "ok",
        verdictReason: null,
        extraction: { title: "content of transcript.txt", id },
        quotes,
        inexact: ["/id"],
        warnings: ["Something else."]
      })
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result } = yield* runToEnd(accountId, BODY);
      assert.deepStrictEqual(result?.extraction, { title: "content of transcript.txt", id });
      assert.deepStrictEqual(
        result?.warnings.map(({ code }) => code),
        ["number_not_exact", "other"]
      );
      assert.include(result?.warnings[0]?.message, "The number at /id may differ");
      assert.isTrue(result?.evidence?.["/id"]?.every(({ supported }) => supported === false));
      const required = yield* runToEnd(accountId, { ...BODY, evidence: "require" });
      assert.deepStrictEqual(required.result?.extraction, { title: "content of transcript.txt", id: null });
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("names twenty of them, and counts the others", () => {
    const extraction = { ids: Array.from({ length: 22 }, () => 1e18) };
    const inexact = extraction.ids.map((_, at) => `/ids/${at}`);
    const analyst = FakeAnalyst.layer(() =>
      Effect.succeed({ outcome: "ok", verdictReason: null, extraction, inexact })
    );
    return Effect.gen(function* () {
      const { warnings } = yield* runToEnd(yield* openAccount(), BODY);
      assert.match(warnings.join("\n"), /^The numbers at \/ids\/0, .*, \/ids\/19 and 2 more may differ/mu);
    }).pipe(Effect.provide(world({ analyst })));
  });
});
