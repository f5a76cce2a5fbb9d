// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import { findQuotes } from "@winnow/core/domain/evidence/QuoteSearch";
import { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as OpenAiAnalyst from "../../src/model/OpenAiAnalyst.ts";
import { analystOn, RECIPE_SCHEMA, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";

keepWorkers();

const FILLER = "Nothing of any importance is told in this long paragraph about the weather.";

/** No section of a short context contains both values. */
const LONG = ["title: Tomato soup", ...Array.from({ length: 200 }, () => FILLER), "servings: 4"].join("\n");

/** Longer than the maximum number of sections that are read, with the last value beyond them. */
const ENDLESS = ["title: Tomato soup", ...Array.from({ length: 1_500 }, () => FILLER), "servings: 4"].join(
  "\n"
);

describe("an analyst with a short context", () => {
  it.live("merges values from both ends of a long page, with quotes from the page", () =>
    Effect.gen(function* () {
      const { server, layer } = yield* analystOn();
      const short = OpenAiAnalyst.layer({ contextTokens: 4_000 }).pipe(Layer.provideMerge(layer));
      const request = requestOf(LONG, RECIPE_SCHEMA);
      const analysis = yield* Effect.flatMap(Analyst, (analyst) => analyst.analyse(request)).pipe(
        Effect.provide(short)
      );
      assert.strictEqual(analysis.outcome, "ok");
      const { title, servings } = analysis.extraction as Record<string, unknown>;
      assert.deepStrictEqual({ title, servings }, { title: "Tomato soup", servings: 4 });
      assert.deepStrictEqual(analysis.warnings, []);
      assert.isAbove(server.requests.length, 3);
      const quotes = analysis.quotes.filter(({ pointer }) => ["/title", "/servings"].includes(pointer));
      assert.isNotEmpty(quotes);
      for (const { quote } of quotes) assert.isNotNull(findQuotes(request.texts, [quote])[0] ?? null);
    }).pipe(Effect.scoped)
  );

  it.live("says that not all was read if required values are missing", () =>
    Effect.gen(function* () {
      const { server, layer } = yield* analystOn();
      const short = OpenAiAnalyst.layer({ contextTokens: 4_000 }).pipe(Layer.provideMerge(layer));
      const analyse = Analyst.use((analyst) => analyst.analyse(requestOf(ENDLESS, RECIPE_SCHEMA)));
      const failure = yield* Effect.provide(Effect.flip(analyse), short);
      assert.strictEqual(failure.reason, "invalid_model_output");
      assert.match(failure.message, /does not match the schema\. .*only its first \d+ % were read/u);
      const asked = JSON.stringify(server.requests.at(-1)?.body["messages"]);
      assert.match(asked, /only its first \d+ % were read/u);
    }).pipe(Effect.scoped)
  );
});
