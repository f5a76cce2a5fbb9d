/** How each policy treats inputs that a source lacks or never has, in quotes, runs and reused results. */
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { ARTICLE, CAROUSEL, TestApp, type TestAccount, unlimited } from "../../TestApp.ts";

const SILENT = "https://example.com/silent";
const COUNTED = "https://example.com/counted";
const COUNTED_ONCE = "https://example.com/counted-once";

const without = (webpageUrl: string, commentCount: number | null) => ({
  facts: sampleFacts({ webpageUrl, durationSeconds: 100, hasComments: false, commentCount })
});

const CHAPTERED = "https://example.com/chaptered";
const LANGUAGES = [
  { language: "de", origin: "people" },
  { language: "en", origin: "automatic" }
] as const;
const MACHINE = "https://example.com/machine";
const chapters = [0, 60].map((startSeconds) => ({ title: `From ${startSeconds} s`, startSeconds }));

const sources = {
  [CHAPTERED]: { facts: sampleFacts({ webpageUrl: CHAPTERED, captionLanguages: LANGUAGES, chapters }) },
  [MACHINE]: {
    facts: sampleFacts({ webpageUrl: MACHINE, captionLanguages: [{ language: "en", origin: "automatic" }] })
  },
  [SILENT]: { facts: sampleFacts({ webpageUrl: SILENT, durationSeconds: 100, hasSubtitles: false }) },
  [COUNTED]: without(COUNTED, 9),
  [COUNTED_ONCE]: without(COUNTED_ONCE, 1)
};

const app = TestApp.with({ rateLimits: unlimited, analyst: FakeAnalyst.layer(), sources });

const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };
const TEXT = ["transcript", "comments"];
const NO_COMMENTS_ON_PAGES = "There are no comments: they are not offered for webpages.";

/** Submits, waits for the end, and returns the result. */
const resultOf = Effect.fnUntraced(function* (me: TestAccount, body: object) {
  const { call, finished } = yield* TestApp;
  const id = yield* finished(me, body);
  return (yield* call(`/v1/extractions/${id}/result`, { key: me.key })).json;
});

const detailOf = Effect.fnUntraced(function* ({ key }: TestAccount, id: string) {
  const { call } = yield* TestApp;
  return (yield* call(`/v1/extractions/${id}`, { key })).json;
});

const probe = Effect.fnUntraced(function* ({ key }: TestAccount, body: object) {
  const { call } = yield* TestApp;
  return (yield* call("/v1/probe", { key, body })).json;
});

layer(app, { excludeTestServices: true })("an input that was named", (it) => {
  const named: ReadonlyArray<readonly [body: object, unavailable: ReadonlyArray<object>, warnings: number]> =
    [
      [{ url: ARTICLE, schema: SCHEMA, inputs: TEXT }, [{ input: "comments", reason: "not_offered" }], 1],
      [
        { url: ARTICLE, schema: SCHEMA, inputs: ["comments"] },
        [{ input: "comments", reason: "not_offered" }],
        1
      ],
      [
        { url: ARTICLE, parts: ["transcript", "comments", "audio", "video"] },
        ["comments", "audio", "video"].map((input) => ({ input, reason: "not_offered" })),
        3
      ],
      [
        { url: CAROUSEL, schema: SCHEMA, inputs: ["transcript"] },
        [{ input: "transcript", reason: "not_offered" }],
        1
      ]
    ];
  for (const [body, unavailable, warnings] of named) {
    it.effect(`and is not offered counts as unavailable: ${JSON.stringify(body)}`, () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const me = yield* account(10_000);
        assert.deepStrictEqual((yield* probe(me, body)).unavailable, unavailable);
        const strict = yield* resultOf(me, { ...body, policy: "strict" });
        assert.deepStrictEqual([strict.status, strict.failure?.reason], ["failed", "input_unavailable"]);
        const fallback = yield* resultOf(me, body);
        assert.deepStrictEqual([fallback.status, fallback.warnings.length], ["complete", warnings]);
        assert.deepStrictEqual(fallback.warningCodes, Array(warnings).fill("not_offered"));
        const silent = yield* resultOf(me, { ...body, policy: "best-effort", force: true });
        assert.deepStrictEqual([silent.status, silent.warnings], ["complete", []]);
      })
    );
  }

  it.effect("by default is one that this kind of source offers", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(10_000);
      for (const body of [{ url: ARTICLE }, { url: ARTICLE, schema: SCHEMA }]) {
        assert.deepStrictEqual((yield* probe(me, body)).unavailable, []);
        const { status, warnings } = yield* resultOf(me, { ...body, policy: "strict" });
        assert.deepStrictEqual([status, warnings], ["complete", []]);
      }
    })
  );

  it.effect("and known to be missing is reported in advance, also by default", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(10_000);
      const notFound = (...inputs: ReadonlyArray<string>) =>
        inputs.map((input) => ({ input, reason: "not_found" }));
      const unavailable = (body: object) => Effect.map(probe(me, body), (told) => told.unavailable);
      assert.deepStrictEqual(yield* unavailable({ url: SILENT }), notFound("transcript", "comments"));
      assert.deepStrictEqual(yield* unavailable({ url: SILENT, parts: ["video"] }), []);
      assert.deepStrictEqual(yield* unavailable({ url: COUNTED, schema: SCHEMA }), notFound("comments"));
    })
  );
});

layer(app, { excludeTestServices: true })("a probe", (it) => {
  it.effect("returns languages and origin of captions, and the number of chapters", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(0);
      const told = yield* probe(me, { url: CHAPTERED });
      assert.deepStrictEqual([told.captionLanguages, told.chapters], [LANGUAGES, 2]);
      const untold = yield* probe(me, { url: ARTICLE });
      assert.deepStrictEqual([untold.captionLanguages, untold.chapters], [[], 0]);
    })
  );
});

layer(app, { excludeTestServices: true })("captions by people", (it) => {
  it.effect("are quoted, missing and refunded where there are only automatic ones, in batches too", () =>
    Effect.gen(function* () {
      const { account, call, finished } = yield* TestApp;
      const me = yield* account(10_000);
      const body = { url: MACHINE, parts: ["transcript"], captions: "people" };
      const told = yield* probe(me, body);
      assert.deepStrictEqual(told.unavailable, [{ input: "transcript", reason: "not_found" }]);
      const result = yield* resultOf(me, body);
      assert.strictEqual(result.parts.transcript, "not_found");
      assert.deepStrictEqual(result.warnings, [
        "There is no transcript: the source has no subtitles made by people, only automatic captions."
      ]);
      assert.deepStrictEqual([result.creditsDebited, result.creditsRefunded], [told.price.credits, 10]);
      const any = yield* finished(me, { ...body, captions: "any" });
      const { parts } = (yield* call(`/v1/extractions/${any}/result`, { key: me.key })).json;
      assert.strictEqual(parts.transcript, "found");
      for (const path of ["/v1/probe", "/v1/extractions"]) {
        const refused = yield* call(path, { key: me.key, body: { ...body, captions: "machine" } });
        assert.deepStrictEqual([refused.status, refused.json.error.details.param], [400, "captions"]);
      }
      const { url, ...shared } = body;
      const batch = yield* call("/v1/batches", {
        key: me.key,
        body: { urls: [url], ...shared, force: true }
      });
      assert.strictEqual(batch.status, 201);
      const { data } = (yield* call(`/v1/extractions?batchId=${batch.json.id}`, { key: me.key })).json;
      const request = (yield* call(`/v1/extractions/${data[0].id}/request`, { key: me.key })).json;
      assert.strictEqual(request.captions, "people");
    })
  );
});

layer(app, { excludeTestServices: true })("a result that is reused", (it) => {
  it.effect("warns by the policy and inputs of the extraction that is read", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(10_000);
      const body = { url: ARTICLE, schema: SCHEMA };
      assert.deepStrictEqual(
        (yield* resultOf(me, { ...body, policy: "best-effort", inputs: TEXT })).warnings,
        []
      );
      for (const [more, warnings] of [
        [{ inputs: TEXT }, [NO_COMMENTS_ON_PAGES]],
        [{ inputs: TEXT, policy: "best-effort" }, []],
        [{}, []],
        [{ policy: "strict" }, []]
      ] as const) {
        const reused = yield* resultOf(me, { ...body, ...more });
        assert.deepStrictEqual(reused.warnings, warnings, JSON.stringify(more));
        assert.isTrue((yield* detailOf(me, reused.id)).cached);
      }
      const strict = yield* resultOf(me, { ...body, inputs: TEXT, policy: "strict" });
      assert.deepStrictEqual([strict.status, strict.failure.reason], ["failed", "input_unavailable"]);
    })
  );

  it.effect("warns about missing inputs of a best-effort run", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(10_000);
      assert.deepStrictEqual((yield* resultOf(me, { url: SILENT, policy: "best-effort" })).warnings, []);
      assert.deepStrictEqual((yield* resultOf(me, { url: SILENT })).warnings, [
        "There is no transcript: the source has no subtitles.",
        "There are no comments: the source shows none."
      ]);
    })
  );
});

layer(app, { excludeTestServices: true })("comments that are counted and not shown", (it) => {
  for (const [url, sentence] of [
    [COUNTED, "There are no comments: the source reports 9 comments but shows none of them."],
    [COUNTED_ONCE, "There are no comments: the source reports 1 comment but does not show it."]
  ] as const) {
    it.effect(`are reported: ${sentence}`, () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const me = yield* account(10_000);
        assert.deepStrictEqual((yield* resultOf(me, { url })).warnings, [sentence]);
        const strict = yield* resultOf(me, { url, policy: "strict" });
        assert.strictEqual(strict.error, sentence);
      })
    );
  }
});
