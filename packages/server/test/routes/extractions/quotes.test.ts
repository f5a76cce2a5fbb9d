// @module-tag long
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { ARTICLE, TestApp, unlimited, VIDEO } from "../../TestApp.ts";

const HIDDEN_LENGTH = "https://example.com/hidden-length";
const EXACTLY_AN_HOUR = "https://example.com/exactly-an-hour";
const OVER_AN_HOUR = "https://example.com/over-an-hour";
const SEVEN_SLIDES = "https://example.com/seven-slides";
const FIVE_MINUTES = "https://example.com/five-minutes";

const video = (webpageUrl: string, durationSeconds: number | null) => ({
  facts: sampleFacts({ webpageUrl, durationSeconds, hasComments: true })
});

const sources = {
  [HIDDEN_LENGTH]: { ...video(HIDDEN_LENGTH, null), measuredDurationSeconds: 40.2 },
  [EXACTLY_AN_HOUR]: video(EXACTLY_AN_HOUR, 3_600),
  [OVER_AN_HOUR]: video(OVER_AN_HOUR, 3_600.001),
  [FIVE_MINUTES]: video(FIVE_MINUTES, 300),
  [SEVEN_SLIDES]: {
    facts: sampleFacts({
      kind: "photos",
      durationSeconds: 30,
      imageCount: 7,
      hasComments: true,
      hasSubtitles: false,
      webpageUrl: SEVEN_SLIDES
    })
  }
};

const MODALITIES = ["transcript", "comments", "audio", "video"];
const SUBSETS = Array.from({ length: 16 }, (_, bits) =>
  MODALITIES.filter((_each, index) => bits & (1 << index))
);
const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };

/**
 * Prices of rungs of the sources above, some plus or minus one credit; also a very high and a fractional limit.
 */
const CEILINGS = [49, 50, 100, 186, 187, 230, 305, 306, 625, 626, 1_000_000, 230.5];

const bodiesOf = (url: string): ReadonlyArray<Record<string, unknown>> => [
  { url },
  ...SUBSETS.map((parts) => ({ url, parts })),
  { url, parts: ["video", "transcript", "video"] },
  ...[{ schema: SCHEMA }, { schemaId: "winnow.predefined.recipe.v1" }].flatMap((schema) => [
    { url, ...schema },
    ...SUBSETS.slice(1).map((inputs) => ({ url, ...schema, inputs }))
  ]),
  ...CEILINGS.flatMap((maxSpendCredits) =>
    [undefined, ["transcript"], ["audio"], MODALITIES].map((inputs) => ({
      url,
      schema: SCHEMA,
      auto: true,
      maxSpendCredits,
      ...(inputs === undefined ? {} : { inputs })
    }))
  )
];

const app = TestApp.with({ rateLimits: unlimited, analyst: FakeAnalyst.layer(), sources });

layer(app, { excludeTestServices: true })("a quote", (it) => {
  for (const [kind, url] of Object.entries({
    "a video": VIDEO,
    "a video of hidden length": HIDDEN_LENGTH,
    "a photo post": SEVEN_SLIDES,
    "a webpage": ARTICLE
  })) {
    it.effect(`equals debit and price of a run of the same body, or both are refused, for ${kind}`, () =>
      Effect.gen(function* () {
        const { account, accounts, call } = yield* TestApp;
        const me = yield* account(10_000_000);
        const rich = (yield* Effect.orDie(accounts.get(me.id))).balance;
        const quotes = yield* Effect.forEach(
          bodiesOf(url),
          Effect.fnUntraced(function* (body) {
            const sent = { ...body, force: true };
            return { sent, quote: yield* call("/v1/probe", { key: me.key, body: sent }) };
          })
        );
        assert.strictEqual((yield* Effect.orDie(accounts.get(me.id))).balance, rich, "a probe charged");
        let refusals = 0;
        for (const { sent, quote } of quotes) {
          const submit = yield* call("/v1/extractions", { key: me.key, body: sent });
          const what = JSON.stringify(sent);
          if (quote.status === 400) {
            refusals++;
            assert.strictEqual(submit.status, 400, what);
            assert.deepStrictEqual(submit.json, quote.json, what);
            continue;
          }
          assert.strictEqual(quote.status, 200, what);
          assert.strictEqual(submit.status, 201, what);
          assert.strictEqual(submit.json.creditsDebited, quote.json.price.credits, what);
          const run = yield* call(`/v1/extractions/${submit.json.id}`, { key: me.key });
          assert.deepStrictEqual(run.json.price, quote.json.price, what);
          assert.strictEqual(
            quote.json.price.mode,
            "schema" in sent || "schemaId" in sent ? "ai" : "download"
          );
          const { usd, credits, baseUsd, downloadUsd, breakdown } = quote.json.price;
          const sum = baseUsd + downloadUsd + breakdown.text + breakdown.audio + breakdown.video;
          assert.strictEqual(usd, credits / 10_000);
          assert.isTrue(sum <= usd + 1e-12 && usd - sum < 0.0001 + 1e-12, what);
        }
        assert.isAbove(refusals, 0);
      })
    );
  }

  it.effect("has the check values of the contract", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const values: ReadonlyArray<readonly [body: object, credits: number]> = [
        [{ url: VIDEO, schema: SCHEMA }, 187],
        [{ url: VIDEO, schema: SCHEMA, inputs: ["audio"] }, 306],
        [{ url: VIDEO, schema: SCHEMA, inputs: ["audio", "video"] }, 626],
        [{ url: FIVE_MINUTES, schema: SCHEMA, inputs: ["video"] }, 800],
        [{ url: VIDEO }, 230],
        [{ url: ARTICLE }, 50],
        [{ url: ARTICLE, schema: SCHEMA }, 100],
        [{ url: SEVEN_SLIDES }, 70],
        [{ url: SEVEN_SLIDES, parts: ["video"] }, 50],
        [{ url: SEVEN_SLIDES, schema: SCHEMA }, 190],
        [{ url: SEVEN_SLIDES, schema: SCHEMA, inputs: ["transcript"] }, 170]
      ];
      for (const [body, credits] of values) {
        const { json } = yield* call("/v1/probe", { key, body });
        assert.strictEqual(json.price.credits, credits, JSON.stringify(body));
      }
    })
  );

  it.effect("of auto is the most expensive step within the limit, to the credit", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const ask = (maxSpendCredits: number) =>
        call("/v1/probe", {
          key,
          body: { url: VIDEO, schema: SCHEMA, inputs: MODALITIES, auto: true, maxSpendCredits }
        });
      const [text, audio, all] = [187, 443, 762];
      const cases: ReadonlyArray<readonly [ceiling: number, credits: number]> = [
        [text, text],
        [audio - 1, text],
        [audio - 0.5, text],
        [audio, audio],
        [all - 1, audio],
        [all, all],
        [1e300, all]
      ];
      for (const [ceiling, credits] of cases) {
        assert.strictEqual((yield* ask(ceiling)).json.price.credits, credits, String(ceiling));
      }
      for (const ceiling of [0, text - 1, text - 0.001]) {
        const { status, json } = yield* ask(ceiling);
        assert.strictEqual(status, 400);
        assert.strictEqual(json.error.code, "invalid_request");
        assert.deepInclude(json.error.details, { param: "maxSpendCredits", minimumCredits: text });
      }
    })
  );

  it.effect("accepts exactly 60 minutes, and refuses a millisecond more like submit", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const body = { url: EXACTLY_AN_HOUR, parts: ["transcript"] };
      for (const path of ["/v1/probe", "/v1/extractions"]) {
        assert.oneOf((yield* call(path, { key, body })).status, [200, 201], path);
        const over = yield* call(path, { key, body: { ...body, url: OVER_AN_HOUR } });
        assert.strictEqual(over.status, 400, path);
        assert.strictEqual(over.json.error.code, "unsupported_url");
        assert.deepStrictEqual(over.json.error.details, {
          param: "url",
          reason: "duration_exceeded",
          durationSec: 3_600.001,
          maxDurationSec: 3_600
        });
      }
    })
  );

  it.effect("of an unknown duration is for 300 s, and the run settles at the measured one", () =>
    Effect.gen(function* () {
      const { account, accounts, call, finished, store } = yield* TestApp;
      const me = yield* account(10_000);
      const before = (yield* Effect.orDie(accounts.get(me.id))).balance;
      const body = { url: HIDDEN_LENGTH, parts: ["audio", "video"] };
      const { json } = yield* call("/v1/probe", { key: me.key, body });
      assert.strictEqual(json.durationSec, null);
      assert.strictEqual(json.price.credits, 50 + 60 + 150);
      const id = yield* finished(me, body);
      const done = yield* call(`/v1/extractions/${id}`, { key: me.key });
      // 40.2 s of audio and video: 50 + 8.04 + 20.1, rounded up.
      assert.deepInclude(done.json, { status: "complete", creditsDebited: 260, creditsRefunded: 260 - 79 });
      assert.deepStrictEqual(done.json.price, json.price, "the price is that of the debit");
      assert.strictEqual((yield* Effect.orDie(accounts.get(me.id))).balance, before - 79);
      const ledger = yield* store.listLedger(me.id, { before: null, limit: 100 });
      assert.strictEqual(ledger.filter(({ extractionId }) => extractionId === id).length, 2);
    })
  );

  it.effect(
    "neither validates a schema nor resolves an id, and ignores fields without effect on the price",
    () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { key } = yield* account(0);
        const bodies = [
          { schema: { type: "nonsense" } },
          { schema: { pattern: "(a+)+$", $ref: "https://evil.example/schema.json" } },
          { schema: "not even an object" },
          { schema: { description: "x".repeat(110_000) } },
          { schemaId: "there is none" },
          { schemaId: "auto" },
          { schema: SCHEMA, schemaId: "both" },
          { schema: SCHEMA, prompt: "p".repeat(30_000) },
          { schema: SCHEMA, policy: 7, webhookUrl: [], force: "perhaps", prompt: null }
        ];
        for (const body of bodies) {
          const { status, json } = yield* call("/v1/probe", {
            key,
            body: { url: VIDEO, ...body },
            isUndocumented: true
          });
          assert.strictEqual(status, 200, JSON.stringify(body).slice(0, 100));
          assert.strictEqual(json.price.credits, 187);
        }
      })
  );
});
