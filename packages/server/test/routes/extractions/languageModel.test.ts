// @module-tag long
/** AI runs with a server that speaks the OpenAI protocol, over real HTTP on both sides. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { DOUBTFUL, PAGE, PAPER, TALK, withModel } from "../../ModelApp.ts";
import { keepWorkers } from "@winnow/adapters/test/model/KeptWorkers";
import { TestApp, unlimited, VIDEO } from "../../TestApp.ts";

keepWorkers();

const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    servings: { type: "integer" },
    calories: { type: "number" }
  },
  required: ["title", "servings"],
  additionalProperties: false
};

const BODY = { url: TALK, schema: SCHEMA, inputs: ["transcript"] };

const submitted = Effect.fnUntraced(function* (model: string, body: object = BODY) {
  const { server, app } = yield* withModel(model);
  const me = yield* app.account(10_000);
  const id = yield* app.finished(me, body);
  const { json: result } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
  const { json: detail } = yield* app.call(`/v1/extractions/${id}`, { key: me.key });
  return { server, result, detail, paid: detail.creditsDebited - detail.creditsRefunded };
});

const scoped = <A, E>(name: string, test: Effect.Effect<A, E, any>) =>
  it.live(name, () => Effect.scoped(test as Effect.Effect<A, E>));

describe("a run with a language model", () => {
  scoped(
    "answers an object of the schema whose values were found in the transcript",
    Effect.gen(function* () {
      const { result, paid, server } = yield* submitted("fake-ok");
      assert.deepInclude(result, {
        outcome: "ok",
        extraction: { title: "Tomato soup", servings: 4 }
      });
      assert.strictEqual(result.evidence["/title"][0].quote, "Tomato soup");
      assert.isAbove(paid, 0);
      assert.lengthOf(server.requests, 1);
    })
  );

  for (const outcome of ["no_match", "uncertain"]) {
    scoped(
      `is ${outcome}, and paid for, when the model says so`,
      Effect.gen(function* () {
        const { result, paid } = yield* submitted(`fake-${outcome.replace("_", "-")}`);
        assert.strictEqual(result.outcome, outcome);
        assert.match(result.verdictReason, /^The content .*\.$/u);
        assert.isNull(result.extraction);
        assert.isAbove(paid, 0);
      })
    );
  }

  for (const [model, reason] of [
    ["fake-wrong-types", "invalid_model_output"],
    ["fake-refusal", "model_refused"],
    ["fake-always-server-error", "model_error"]
  ] as const) {
    scoped(
      `fails with ${reason} and gives everything back (${model})`,
      Effect.gen(function* () {
        const { result, detail, paid } = yield* submitted(model);
        assert.strictEqual(detail.status, "failed");
        assert.strictEqual(result.failure.reason, reason);
        assert.notMatch(JSON.stringify([result, detail]), /hunter2|127\.0\.0\.1/u);
        assert.strictEqual(paid, 0);
      })
    );
  }

  scoped(
    "that is cancelled stops the request at the provider",
    Effect.gen(function* () {
      const { server, app } = yield* withModel("fake-slow");
      const me = yield* app.account(10_000);
      const { json } = yield* app.call("/v1/extractions", { key: me.key, body: BODY });
      const until = (met: () => boolean) => Effect.repeat(Effect.sleep("10 millis"), { until: met });
      yield* until(() => server.requests.length > 0);
      yield* app.call(`/v1/extractions/${json.id}/cancel`, { key: me.key, method: "POST" });
      yield* until(() => server.requests[0]?.isAborted === true);
      const { json: detail } = yield* app.call(`/v1/extractions/${json.id}`, { key: me.key });
      assert.strictEqual(detail.status, "failed");
      assert.strictEqual(detail.creditsRefunded, detail.creditsDebited);
    })
  );
});

describe("a run over a webpage", () => {
  const askedIn = ({ requests }: { readonly requests: ReadonlyArray<unknown> }) => JSON.stringify(requests);

  scoped(
    "reads its Markdown, and finds quotes with marks in its text",
    Effect.gen(function* () {
      const { result, server } = yield* submitted("fake-quotes-marks", { url: PAGE, schema: SCHEMA });
      assert.include(askedIn(server), "| Servings: | **4** |");
      assert.notInclude(askedIn(server), "For Quantity");
      assert.deepInclude(result, { outcome: "ok", extraction: { title: "Tomato soup", servings: 4 } });
      assert.deepStrictEqual(result.evidence["/title"], [{ source: "page", quote: "Tomato soup" }]);
      assert.deepStrictEqual(result.evidence["/servings"], [{ source: "page", quote: "Servings: 4" }]);
      assert.deepStrictEqual(result.warnings ?? [], []);
    })
  );

  scoped(
    "shows the model the pages of a document, and tells the page and the heading of each quote",
    Effect.gen(function* () {
      const { result, server } = yield* submitted("fake-quotes-marks", { url: PAPER, schema: SCHEMA });
      assert.include(askedIn(server), "<!-- page 2 -->");
      assert.deepStrictEqual(result.evidence["/title"], [
        { source: "page", quote: "Tomato soup", page: 1, heading: "Tomato soup" }
      ]);
      assert.deepStrictEqual(result.evidence["/servings"], [
        { source: "page", quote: "Servings: 4", page: 2, heading: "Tomato soup" }
      ]);
    })
  );

  for (const policy of ["strict", "fallback", "best-effort"])
    scoped(
      `reads all of the page and says so where its text is doubtful, whatever the policy (${policy})`,
      Effect.gen(function* () {
        const { result, server } = yield* submitted("fake-ok", { url: DOUBTFUL, schema: SCHEMA, policy });
        assert.include(askedIn(server), "Terms of use");
        assert.deepInclude(result, { outcome: "ok", extraction: { title: "Tomato soup", servings: 4 } });
        assert.deepStrictEqual(result.evidence["/servings"], [{ source: "page", quote: "4" }]);
        assert.deepStrictEqual(result.warnings, [
          "The main text of the page could not be identified reliably, so the language model read the whole page."
        ]);
      })
    );

  scoped(
    "keeps the files of what is probably its text where that is doubtful, and warns of nothing without a model",
    Effect.gen(function* () {
      const { app } = yield* withModel("fake-ok");
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: DOUBTFUL });
      const { json: result } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      assert.deepStrictEqual(result.warnings ?? [], []);
      const { text } = yield* app.call(`/v1/extractions/${id}/files/transcript.txt`, { key: me.key });
      assert.notInclude(text, "Terms of use");
    })
  );
});

describe("without a language model", () => {
  scoped(
    "an AI run is refused at submit",
    Effect.gen(function* () {
      const context = yield* Layer.build(TestApp.with({ rateLimits: unlimited }));
      const app = yield* Effect.provideContext(TestApp, context);
      const { key } = yield* app.account(10_000);
      const { status, json } = yield* app.call("/v1/extractions", {
        key,
        body: { url: VIDEO, schema: SCHEMA }
      });
      assert.strictEqual(status, 400);
      assert.strictEqual(json.error.details.reason, "ai_not_configured");
    })
  );
});
