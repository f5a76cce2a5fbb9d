/** Reading again what another extraction stored: nothing is fetched, and only the reading is charged. */
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { lookUntil } from "../../lookUntil.ts";
import { STUCK, TestApp, type TestAccount, unlimited } from "../../TestApp.ts";

const SCHEMA = { type: "object", properties: { words: { type: "string" } }, required: ["words"] };
const TALK = "https://example.com/talk";
const PAGE = "https://example.com/page";
const SLIDES = "https://example.com/slides";
const HIDDEN = "https://example.com/hidden-length";

/** Requests that reached a source. */
let visits = 0;
const visit = Effect.sync(() => {
  visits += 1;
});
const source = (facts: Parameters<typeof sampleFacts>[0], more: object = {}) => ({
  facts: sampleFacts(facts),
  details: { platform: "example", tags: ["chaff"], language: "en" },
  beforeInspect: visit,
  beforeFetch: visit,
  ...more
});
const sources = {
  [TALK]: source({ webpageUrl: TALK, durationSeconds: 213, hasComments: true }),
  [PAGE]: source(
    { webpageUrl: PAGE, kind: "webpage", durationSeconds: null, hasSubtitles: false },
    { sections: [{ page: 2, heading: "Chaff", text: "content of transcript.txt", markdown: [] }] }
  ),
  [SLIDES]: source({
    webpageUrl: SLIDES,
    kind: "photos",
    durationSeconds: null,
    imageCount: 7,
    hasSubtitles: false,
    hasComments: true
  }),
  [HIDDEN]: source(
    { webpageUrl: HIDDEN, durationSeconds: null, hasComments: true },
    { measuredDurationSeconds: 40.2 }
  )
};

/** What the model was given at its last question. */
let seen: { inputs: ReadonlyArray<string>; media: ReadonlyArray<string>; texts: string } | null = null;
const analyst = FakeAnalyst.layer(({ inputs, media, texts }) => {
  seen = {
    inputs,
    media: media.map(({ name }) => name),
    texts: texts.flatMap(({ segments }) => segments.map(({ text }) => text)).join("\n")
  };
  return Effect.succeed({
    outcome: "ok",
    verdictReason: null,
    extraction: { words: "content of" },
    quotes: [{ pointer: "/words", quote: "content of" }],
    confidence: 0.9
  });
});

const app = TestApp.with({ rateLimits: unlimited, analyst, sources });

const setup = Effect.gen(function* () {
  const { account, call, finished } = yield* TestApp;
  const me = yield* account(1_000_000);
  const read = Effect.fnUntraced(function* (id: string) {
    const { json: detail } = yield* call(`/v1/extractions/${id}`, { key: me.key });
    const { json: result } = yield* call(`/v1/extractions/${id}/result`, { key: me.key });
    return { id, detail, result, paid: detail.creditsDebited - detail.creditsRefunded };
  });
  const again = (body: object) => Effect.flatMap(finished(me, { schema: SCHEMA, ...body }), read);
  const refusal = Effect.fnUntraced(function* (body: object, who: TestAccount = me) {
    const [probe, submit] = [
      yield* call("/v1/probe", { key: who.key, body }),
      yield* call("/v1/extractions", { key: who.key, body })
    ];
    assert.deepStrictEqual([probe.status, probe.json], [submit.status, submit.json]);
    return { status: submit.status, ...submit.json.error };
  });
  return { me, call, finished, read, again, refusal };
});

layer(app, { excludeTestServices: true })("an extraction that is read again", (it) => {
  for (const [url, credits, slides] of [
    // 213 s of text at 0.5 a second.
    [TALK, 107, 0],
    [PAGE, 50, 0],
    // A flat price and one per slide.
    [SLIDES, 120, 7],
    // As measured, not as the worst case.
    [HIDDEN, 21, 0]
  ] as const) {
    it.effect(`costs the reading alone, as quoted, and fetches nothing: ${url}`, () =>
      Effect.gen(function* () {
        const { call, me, again, finished } = yield* setup;
        const first = yield* finished(me, { url });
        visits = 0;
        const body = { fromExtraction: first, schema: SCHEMA };
        const { json: quote } = yield* call("/v1/probe", { key: me.key, body });
        assert.deepInclude(quote.price, { credits, baseUsd: 0, downloadUsd: 0, downloadBreakdown: {} });
        assert.strictEqual(quote.url, url);
        const { detail, result } = yield* again({ fromExtraction: first });
        assert.deepInclude(detail, {
          url,
          fromExtraction: first,
          status: "complete",
          creditsDebited: credits,
          creditsRefunded: 0,
          cached: false
        });
        assert.strictEqual(visits, 0);
        assert.deepStrictEqual(result.extraction, { words: "content of" });
        assert.lengthOf(seen?.media.filter((name) => name.startsWith("image.")) ?? [], slides);
        if (slides > 0) return;
        assert.isAbove(result.evidence["/words"].length, 0);
        assert.include(seen?.texts, "content of");
      })
    );
  }

  it.effect("keeps the texts and the metadata it was read from", () =>
    Effect.gen(function* () {
      const { me, call, again, finished, read } = yield* setup;
      const first = yield* read(yield* finished(me, { url: TALK, parts: ["transcript", "comments"] }));
      const { id, result } = yield* again({ fromExtraction: first.id });
      assert.deepStrictEqual(result.summary.files.toSorted(), first.result.summary.files.toSorted());
      const file = (of: string, name: string) =>
        Effect.map(call(`/v1/extractions/${of}/files/${name}`, { key: me.key }), ({ text }) => text);
      for (const name of ["transcript.txt", "transcript.json", "metadata.json"]) {
        assert.strictEqual(yield* file(id, name), yield* file(first.id, name), name);
      }
    })
  );

  it.effect(
    "tells the page and the heading of a quote, however often, and never lists where these are stored",
    () =>
      Effect.gen(function* () {
        const { me, call, again, finished } = yield* setup;
        let id = yield* finished(me, { url: PAGE });
        for (const prompt of ["Once.", "Again."]) {
          const { result, ...read } = yield* again({ fromExtraction: id, prompt });
          assert.deepStrictEqual(result.evidence["/words"], [
            { source: "page", quote: "content of", page: 2, heading: "Chaff" }
          ]);
          assert.notInclude(JSON.stringify(result), "sections.json");
          id = read.id;
        }
        const { status } = yield* call(`/v1/extractions/${id}/files/sections.json`, { key: me.key });
        assert.strictEqual(status, 404);
      })
  );

  it.effect("reads stored audio, which it does not store again", () =>
    Effect.gen(function* () {
      const { again, finished, me } = yield* setup;
      const first = yield* finished(me, { url: TALK });
      visits = 0;
      const { detail, result } = yield* again({ fromExtraction: first, inputs: ["transcript", "audio"] });
      assert.include(seen?.media ?? [], "audio.m4a");
      assert.notInclude(result.summary.files, "audio.m4a");
      // 213 s at 0.5 for the text and at 1 for the audio.
      assert.strictEqual(detail.creditsDebited, 320);
      assert.strictEqual(visits, 0);
    })
  );

  it.effect("is reused for the same files and schema, and not for those of another fetch", () =>
    Effect.gen(function* () {
      const { again, finished, me } = yield* setup;
      const first = yield* finished(me, { url: PAGE });
      const once = yield* again({ fromExtraction: first });
      const twice = yield* again({ fromExtraction: first });
      assert.deepInclude(twice.detail, { cached: true, creditsDebited: 0 });
      const other = yield* finished(me, { url: PAGE, force: true });
      assert.strictEqual((yield* again({ fromExtraction: other })).paid, 50);
      // A result that was served from the cache has the files of its source.
      const served = yield* finished(me, { url: PAGE });
      assert.strictEqual((yield* again({ fromExtraction: served })).paid, 0);
      const chained = yield* again({ fromExtraction: once.id, prompt: "Again." });
      assert.deepInclude(chained.detail, { url: PAGE, status: "complete", creditsDebited: 50 });
    })
  );

  it.effect("is refused with the field and the remedy, by the quote as by the submit", () =>
    Effect.gen(function* () {
      const { me, call, finished, refusal } = yield* setup;
      const { account } = yield* TestApp;
      const id = yield* finished(me, { url: TALK, parts: ["transcript"] });
      const body = { fromExtraction: id, schema: SCHEMA };
      for (const [more, param, reason] of [
        [{ url: TALK }, "url", "excluded_by_from_extraction"],
        [{ force: true }, "force", "excluded_by_from_extraction"],
        [{ language: "de" }, "language", "excluded_by_from_extraction"],
        [{ parts: ["transcript"] }, "parts", "excluded_by_schema"],
        [{ schema: undefined }, "fromExtraction", "requires_schema"],
        [{ inputs: ["transcript", "video"] }, "inputs", "not_kept"]
      ] as const) {
        const refused = yield* refusal({ ...body, ...more });
        assert.strictEqual(refused.status, 400, param);
        assert.deepInclude(refused.details, { param, reason });
      }
      assert.include((yield* refusal({ ...body, inputs: ["video"] })).message, "video");
      assert.strictEqual((yield* refusal({ ...body, fromExtraction: 7 })).details.param, "fromExtraction");
      const stranger = yield* account(1_000);
      const unknown = yield* refusal({
        ...body,
        fromExtraction: id.replace(/.$/u, (last) => (last === "0" ? "1" : "0"))
      });
      assert.deepStrictEqual(unknown, yield* refusal(body, stranger));
      assert.deepInclude(unknown, { status: 404, details: { param: "fromExtraction" } });
      const { json: live } = yield* call("/v1/extractions", { key: me.key, body: { url: STUCK } });
      const early = yield* refusal({ ...body, fromExtraction: live.id });
      assert.deepInclude(early.details, { param: "fromExtraction", reason: "not_complete" });
      yield* call(`/v1/extractions/${live.id}/cancel`, { key: me.key, method: "POST" });
    })
  );

  /** Submits while all slots are taken, deletes the source before it is read, and waits for the end. */
  const deletedMeanwhile = Effect.fnUntraced(function* (
    { me, call }: Effect.Success<typeof setup>,
    source: string,
    submit: Effect.Effect<string>
  ) {
    const { store } = yield* TestApp;
    const stuck = yield* Effect.forEach(["audio", "video"], (part) =>
      Effect.map(
        call("/v1/extractions", { key: me.key, body: { url: STUCK, parts: [part] } }),
        ({ json }) => json.id as string
      )
    );
    const id = yield* submit;
    yield* call(`/v1/extractions/${source}`, { key: me.key, method: "DELETE" });
    for (const each of stuck) yield* call(`/v1/extractions/${each}/cancel`, { key: me.key, method: "POST" });
    yield* lookUntil(store.getExtraction(me.id, id), (row) =>
      Option.exists(row, ({ status }) => isTerminal(status))
    );
    return id;
  });

  it.effect("fails with a full refund if its source is deleted before it is read", () =>
    Effect.gen(function* () {
      const world = yield* setup;
      const { me, call, finished, read } = world;
      const first = yield* finished(me, { url: PAGE });
      const body = { fromExtraction: first, schema: SCHEMA };
      const submit = Effect.map(call("/v1/extractions", { key: me.key, body }), ({ json }) => {
        assert.strictEqual(json.status, "queued");
        return json.id as string;
      });
      const id = yield* deletedMeanwhile(world, first, submit);
      const { detail, result, paid } = yield* read(id);
      assert.strictEqual(detail.status, "failed");
      assert.strictEqual(result.failure.reason, "input_unavailable");
      assert.strictEqual(paid, 0);
    })
  );

  it.effect("is not retried once its source is deleted: its URL is not fetched in place of it", () =>
    Effect.gen(function* () {
      const world = yield* setup;
      const { me, call, finished } = world;
      const { accounts } = yield* TestApp;
      const first = yield* finished(me, { url: PAGE });
      const body = { items: [{ fromExtraction: first, schema: SCHEMA }] };
      let batchId = "";
      const submit = Effect.map(call("/v1/batches", { key: me.key, body }), ({ json }) => {
        batchId = json.id;
        return json.items[0].id as string;
      });
      const id = yield* deletedMeanwhile(world, first, submit);
      visits = 0;
      const { balance } = yield* Effect.orDie(accounts.get(me.id));
      const retry = yield* call(`/v1/batches/${batchId}/retry-failed`, { key: me.key, method: "POST" });
      assert.deepInclude(retry.json.items[0], { id, status: "failed" });
      assert.strictEqual((yield* Effect.orDie(accounts.get(me.id))).balance, balance);
      assert.strictEqual(visits, 0);
    })
  );

  it.effect("is an item of a batch like any other", () =>
    Effect.gen(function* () {
      const { me, call, finished } = yield* setup;
      const first = yield* finished(me, { url: PAGE });
      const next = { ...SCHEMA, required: [] };
      const items = [SCHEMA, next].map((schema) => ({ fromExtraction: first, schema }));
      const quote = yield* call("/v1/batches/quote", { key: me.key, body: { items } });
      const lines = quote.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.deepInclude(lines.at(-1), { credits: 100, accepted: 2, refused: 0 });
      assert.deepStrictEqual(new Set(lines.slice(0, -1).map(({ url }) => url)), new Set([PAGE]));
      const { json: batch } = yield* call("/v1/batches", { key: me.key, body: { items, maxCredits: 100 } });
      assert.strictEqual(batch.creditsDebited, 100);
    })
  );
});
