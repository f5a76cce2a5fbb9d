/** The AI pass through the API: outcome, evidence, auto mode, and generated schemas. */
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { ARTICLE, TestApp, unlimited, VIDEO } from "../../TestApp.ts";

const SCHEMA = { type: "object", properties: { words: { type: "string" } }, required: ["words"] };
const BODY = { url: VIDEO, schema: SCHEMA };
const QUIET = "https://example.com/quiet";

/** Matches nothing for `cars`, needs audio to prove its answer for `listen`, and only text for other prompts. */
const analyst = FakeAnalyst.layer(
  ({ prompt, inputs }) => {
    if (prompt === "cars") {
      return Effect.succeed({
        outcome: "no_match",
        verdictReason: "It is a talk. Not about cars.",
        extraction: { words: "invented" }
      });
    }
    const isHeard = prompt !== "listen" || inputs.includes("audio");
    return Effect.succeed({
      outcome: "ok",
      verdictReason: null,
      extraction: { words: isHeard ? "content of" : "unknown" },
      quotes: [{ pointer: "/words", quote: isHeard ? "CONTENT  of" : "nowhere said" }],
      confidence: 0.9
    });
  },
  ({ facts }) =>
    Effect.succeed({
      name: facts.title ?? "",
      fields: [
        { path: "words", type: "string", description: "What is said.", required: true, isArray: false }
      ]
    })
);

const sources = { [QUIET]: { facts: sampleFacts({ durationSeconds: 100, webpageUrl: QUIET }) } };

layer(TestApp.with({ rateLimits: unlimited, analyst, sources }), { excludeTestServices: true })(
  "AI pass",
  (it) => {
    const open = Effect.map(TestApp, (app) => app);

    const run = Effect.fnUntraced(function* (
      me: { readonly id: string; readonly key: string },
      body: unknown
    ) {
      const app = yield* open;
      const id = yield* app.finished(me, body);
      const { json: result } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      const { json: detail } = yield* app.call(`/v1/extractions/${id}`, { key: me.key });
      return { id, result, detail, paid: detail.creditsDebited - detail.creditsRefunded };
    });

    it.effect("a result has the evidence of its values, also from the cache", () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const me = yield* account(10_000);
        const { id, result } = yield* run(me, BODY);
        assert.deepInclude(result, { outcome: "ok", extraction: { words: "content of" } });
        const evidence = {
          "/words": [{ source: "transcript", quote: "content of", startSec: 0, endSec: 2.5 }]
        };
        assert.deepStrictEqual(result.evidence, evidence);
        assert.notProperty(result, "schemaId");
        assert.include(result.summary.files, "transcript.json");
        const again = yield* run(me, BODY);
        assert.deepStrictEqual([again.detail.cached, again.paid], [true, 0]);
        assert.notStrictEqual(again.id, id);
        assert.deepStrictEqual(again.result.evidence, evidence);
      })
    );

    it.effect("the transcript with timestamps is a file", () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const me = yield* account(10_000);
        const { id } = yield* run(me, { url: VIDEO, parts: ["transcript"] });
        const { json, headers } = yield* call(`/v1/extractions/${id}/files/transcript.json`, { key: me.key });
        assert.strictEqual(headers.get("content-type"), "application/json");
        assert.deepStrictEqual(json, {
          language: "en",
          origin: "people",
          segments: [{ startSec: 0, endSec: 2.5, text: "content of transcript.txt" }]
        });
      })
    );

    it.effect("content about something else has one sentence and no values, and is charged", () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const { result, detail } = yield* run(yield* account(10_000), { ...BODY, prompt: "cars" });
        assert.deepInclude(result, {
          outcome: "no_match",
          verdictReason: "It is a talk.",
          extraction: null
        });
        assert.notProperty(result, "evidence");
        assert.deepInclude(detail, {
          status: "complete",
          verdictReason: "It is a talk.",
          creditsRefunded: 0
        });
      })
    );

    it.effect("the id of the schema is returned, also of a predefined one, and what was used with it", () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const me = yield* account(10_000);
        const { json: saved } = yield* call("/v1/schemas", {
          key: me.key,
          body: { name: "x", schema: SCHEMA }
        });
        for (const schemaId of [saved.id, "winnow.predefined.recipe.v1"]) {
          const { result } = yield* run(me, { url: VIDEO, schemaId });
          assert.strictEqual(result.schemaId, schemaId);
        }
        yield* run(me, { url: VIDEO, schema: SCHEMA });
        const { json: used } = yield* call("/v1/usage?days=1", { key: me.key });
        assert.sameDeepMembers(
          used.bySchema.map(({ schemaId, runs }: Record<string, unknown>) => [schemaId, runs]),
          [
            [saved.id, 1],
            ["winnow.predefined.recipe.v1", 1]
          ]
        );
        assert.strictEqual(used.data[0].runs, 3);
      })
    );

    const auto = { url: QUIET, schema: SCHEMA, auto: true, maxSpendCredits: 1_000, prompt: "listen" };

    it.effect("auto mode continues as far as needed, and charges the rung it returns", () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const me = yield* account(10_000);
        const body = { ...auto, inputs: ["transcript", "audio", "video"] };
        const { json: quote } = yield* call("/v1/probe", { key: me.key, body });
        const { result, detail, paid } = yield* run(me, body);
        // 50 + 10 + 20 + 50 for downloads, 50 + 200 for text and video.
        assert.deepStrictEqual([quote.price.credits, detail.creditsDebited], [380, 380]);
        // 50 + 10 + 20 for downloads, 50 + 100 for text and audio.
        assert.strictEqual(paid, 230);
        assert.deepInclude(result, { outcome: "ok", extraction: { words: "content of" }, warnings: [] });
        assert.property(result.artifacts, "audio");
        assert.notProperty(result.artifacts, "video");
      })
    );

    it.effect("auto mode reuses only a result with inputs up to its ceiling", () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const me = yield* account(10_000);
        const plain = { url: QUIET, schema: SCHEMA, prompt: "listen" };
        const first = yield* run(me, { ...plain, inputs: ["transcript", "audio"] });
        assert.strictEqual(first.result.evidence["/words"].length, 1);
        const narrower = yield* run(me, { ...auto, inputs: ["transcript"] });
        assert.isFalse(narrower.detail.cached);
        const wider = yield* run(me, { ...auto, inputs: ["transcript", "audio", "video"] });
        assert.deepStrictEqual([wider.detail.cached, wider.detail.creditsDebited], [true, 0]);
        assert.deepStrictEqual(wider.result.extraction, first.result.extraction);
        const forced = yield* run(me, { ...auto, inputs: ["transcript", "audio", "video"], force: true });
        assert.isFalse(forced.detail.cached);
        const otherPrompt = yield* run(me, { ...auto, inputs: ["transcript", "audio"], prompt: "else" });
        assert.isFalse(otherPrompt.detail.cached);
      })
    );

    it.effect("auto mode reuses the result of a higher ceiling, if its rung fits", () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const me = yield* account(10_000);
        const high = { ...auto, prompt: "text is enough", inputs: ["transcript", "audio", "video"] };
        const first = yield* run(me, high);
        assert.isAbove(first.detail.creditsRefunded, 0);
        const narrower = yield* run(me, { ...high, inputs: ["transcript"] });
        assert.deepStrictEqual([narrower.detail.cached, narrower.paid], [true, 0]);
        const heard = { ...high, prompt: "listen" };
        assert.isFalse((yield* run(me, heard)).detail.cached);
        assert.isFalse((yield* run(me, { ...heard, inputs: ["transcript"] })).detail.cached);
      })
    );

    it.effect("a schema generated from the content is returned by id, listed, and can be submitted", () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const me = yield* account(10_000);
        const { result, paid } = yield* run(me, { url: ARTICLE, schemaId: "auto" });
        assert.deepInclude(result, { outcome: "ok", extraction: { words: "content of" } });
        assert.strictEqual(paid, 100);
        const { status, json } = yield* call(`/v1/schemas/${result.schemaId}`, { key: me.key });
        assert.strictEqual(status, 200);
        assert.deepStrictEqual(
          [json.name, json.schema],
          [
            "A talk",
            {
              type: "object",
              properties: { words: { type: "string", description: "What is said." } },
              required: ["words"],
              additionalProperties: false,
              "x-described-by-content": true
            }
          ]
        );
        const used = yield* run(me, { url: ARTICLE, schemaId: result.schemaId });
        assert.deepStrictEqual([used.result.schemaId, used.result.outcome], [result.schemaId, "ok"]);
      })
    );
  }
);
