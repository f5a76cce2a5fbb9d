/** The result of one attempt: the policy for missing parts, and the AI pass. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { Failed } from "../../../src/domain/source/Failed.ts";
import type { SourceDetails } from "../../../src/domain/source/SourceMetadata.ts";
import { type AnalysisRequest } from "../../../src/ports/Analyst.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import {
  ARTICLE,
  balanceOf,
  CAROUSEL,
  openAccount,
  OPENING_BALANCE,
  runToEnd,
  VIDEO,
  world
} from "../World.ts";

describe("policy", () => {
  it.effect("strict fails a run with a missing input, with its reason and a full refund", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, { url: VIDEO, parts: ["comments", "video"], policy: "strict" });
      assert.deepInclude(done.failure, {
        reason: "input_unavailable",
        message: "There are no comments: the source shows none."
      });
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
      const artifacts = yield* ArtifactStore;
      const key = { extractionId: done.id, attempt: 1, name: "video.mp4" };
      assert.deepStrictEqual(yield* artifacts.size(key), Option.none());
      const fine = yield* runToEnd(accountId, { url: VIDEO, parts: ["video"], policy: "strict" });
      assert.strictEqual(fine.status, "complete");
    }).pipe(Effect.provide(world()))
  );

  it.effect("best-effort does not warn", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { absent, warnings } = yield* runToEnd(accountId, { url: VIDEO, policy: "best-effort" });
      assert.deepStrictEqual([absent, warnings], [["comments"], []]);
    }).pipe(Effect.provide(world()))
  );

  it.effect("default inputs that a kind never offers cause no warning, even under strict", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const url of [ARTICLE, CAROUSEL]) {
        const { absent, status, warnings } = yield* runToEnd(accountId, { url, policy: "strict" });
        assert.deepStrictEqual([status, absent, warnings], ["complete", [], []]);
      }
    }).pipe(Effect.provide(world()))
  );

  /** A model without image support, or one that skips some slides. */
  const missing = (unreadSlides: number) =>
    world({
      analyst: FakeAnalyst.layer(() =>
        Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { a: "b" }, unreadSlides })
      )
    });
  const post = { url: CAROUSEL, schema: { type: "object", minProperties: 1 }, inputs: ["comments"] };

  it.effect("slides that the model does not get are not charged, with a warning", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { creditsDebited, creditsRefunded, warnings } = yield* runToEnd(accountId, post);
      // 50, 50, 20 for comments, 7 slides.
      assert.deepStrictEqual([creditsDebited, creditsRefunded], [190, 70]);
      assert.deepStrictEqual(warnings, ["The slides were not read: the model does not support images."]);
      const silent = yield* runToEnd(accountId, { ...post, force: true, policy: "best-effort" });
      assert.deepStrictEqual([silent.creditsRefunded, silent.warnings], [70, []]);
    }).pipe(Effect.provide(missing(7)))
  );

  it.effect("slides that the model does not get fail a strict run, which reuses no result without them", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { creditsRefunded, warnings } = yield* runToEnd(accountId, post);
      assert.deepStrictEqual([creditsRefunded, warnings], [20, ["2 of 7 slides were not read."]]);
      const strict = yield* runToEnd(accountId, { ...post, policy: "strict" });
      assert.deepStrictEqual(
        [strict.failure?.reason, strict.cachedFrom, strict.creditsRefunded],
        ["input_unavailable", null, 190]
      );
    }).pipe(Effect.provide(missing(2)))
  );

  it.effect("naming an input that a kind never offers causes a warning, or a failure under strict", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { url: CAROUSEL, parts: ["comments", "video"] };
      const { creditsRefunded, warnings } = yield* runToEnd(accountId, body);
      assert.deepStrictEqual(warnings, ["There is no video: it is not offered for photo posts."]);
      assert.strictEqual(creditsRefunded, 0);
      const strict = yield* runToEnd(accountId, { ...body, policy: "strict" });
      assert.strictEqual(strict.failure?.reason, "input_unavailable");
    }).pipe(Effect.provide(world()))
  );
});

describe("an answer without one value that the content supports", () => {
  const random = world({
    analyst: FakeAnalyst.layer(() =>
      Effect.succeed({
        outcome: "ok",
        verdictReason: null,
        extraction: { a: "qvätt zoum", b: 918_273, c: "1811-03-09" },
        confidence: 1
      })
    )
  });
  const schema = { type: "object", minProperties: 1 };

  it.effect("is uncertain with our sentence, and charged as such, if text alone was read", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const evidence of ["attach", "require"]) {
        const { result } = yield* runToEnd(accountId, { url: ARTICLE, schema, evidence });
        assert.strictEqual(result?.outcome, "uncertain");
        assert.isNull(result?.extraction);
        assert.isNull(result?.evidence);
        if (evidence === "attach") {
          assert.strictEqual(
            result?.verdictReason,
            "None of the values that the language model gave could be found in the content."
          );
        }
      }
    }).pipe(Effect.provide(random))
  );

  it.effect("stands if slides or a video were seen, whose text nobody can look up", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const body of [{ url: CAROUSEL }, { url: VIDEO, inputs: ["transcript", "video"] }]) {
        const { result } = yield* runToEnd(accountId, { ...body, schema });
        assert.strictEqual(result?.outcome, "ok", JSON.stringify(result));
      }
    }).pipe(Effect.provide(random))
  );
});

describe("an AI run", () => {
  const body = {
    url: VIDEO,
    schema: { type: "object", minProperties: 1 },
    inputs: ["transcript", "comments", "audio"]
  };

  it.effect("passes the fetched content to the analyst and stores its answer", () => {
    const asked: Array<unknown> = [];
    const analyst = FakeAnalyst.layer(({ inputs, prompt, media: files }) => {
      asked.push([inputs, prompt, files.map(({ name }) => name)]);
      return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { title: "A talk" } });
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result, creditsDebited, creditsRefunded } = yield* runToEnd(accountId, {
        ...body,
        prompt: "Go."
      });
      assert.deepStrictEqual(asked, [[["transcript", "audio"], "Go.", ["audio.m4a", "thumbnail.jpg"]]]);
      assert.deepInclude(result, { outcome: "ok", extraction: { title: "A talk" } });
      // 50 + 10 + 20 + 42.6 + 106.5 + 213 at submit; there are no comments.
      assert.deepStrictEqual([creditsDebited, creditsRefunded], [443, 20]);
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("whose model does not respond fails with a full refund", () => {
    const analyst = FakeAnalyst.layer(() =>
      Effect.fail(new Failed({ reason: "invalid_model_output", message: "No fit." }))
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const done = yield* runToEnd(accountId, body);
      assert.deepInclude(done.failure, { reason: "invalid_model_output", message: "No fit." });
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("with nothing to read is uncertain, without a call of the model", () => {
    const analyst = FakeAnalyst.layer(() => Effect.die(new Error("asked")));
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result, creditsRefunded } = yield* runToEnd(accountId, { ...body, inputs: ["comments"] });
      assert.deepInclude(result, { outcome: "uncertain", extraction: null });
      // Only the base fee is left of 50 + 20 + 106.5.
      assert.strictEqual(creditsRefunded, 127);
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("whose model does not support an input says so and refunds its price", () => {
    const analyst = FakeAnalyst.layer(() =>
      Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { a: 1 }, unavailable: ["audio"] })
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const spoken = { ...body, inputs: ["transcript", "audio"] };
      const { absent, creditsDebited, creditsRefunded, warnings } = yield* runToEnd(accountId, spoken);
      assert.deepStrictEqual(
        [absent, warnings],
        [["audio"], ["The audio was not read: the model does not support it."]]
      );
      // 50 + 10 + 106.5 are left of 50 + 10 + 42.6 + 106.5 + 213.
      assert.deepStrictEqual([creditsDebited, creditsRefunded], [423, 256]);
      const silent = yield* runToEnd(accountId, { ...spoken, force: true, policy: "best-effort" });
      assert.deepStrictEqual([silent.warnings, silent.creditsRefunded], [[], 256]);
      const strict = yield* runToEnd(accountId, { ...spoken, force: true, policy: "strict" });
      assert.deepStrictEqual(
        [strict.failure?.reason, strict.creditsRefunded],
        ["input_unavailable", strict.creditsDebited]
      );
    }).pipe(Effect.provide(world({ analyst })));
  });

  it.effect("of an article reads its text for any inputs", () => {
    const analyst = FakeAnalyst.layer(({ texts }) =>
      Effect.succeed({
        outcome: "ok",
        verdictReason: null,
        extraction: { sources: texts.map(({ source }) => source) }
      })
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { result, warnings } = yield* runToEnd(accountId, {
        ...body,
        url: ARTICLE,
        inputs: ["comments"]
      });
      assert.deepStrictEqual(result?.extraction, { sources: ["page", "description"] });
      assert.deepStrictEqual(warnings, ["There are no comments: they are not offered for webpages."]);
    }).pipe(Effect.provide(world({ analyst })));
  });
});

describe("the input of the analyst", () => {
  const sources = {
    [VIDEO]: {
      facts: sampleFacts({ title: "Bread", uploader: "Ann", hasComments: true, durationSeconds: 60 }),
      files: {
        "video.mp4": "v",
        "audio.m4a": "a",
        "transcript.txt": "Preheat the oven\nto 180 degrees\n",
        "transcript.json": JSON.stringify({
          language: "en",
          origin: "people",
          segments: [
            { startSec: 1, endSec: 3, text: "Preheat the oven" },
            { startSec: 3, endSec: 5.5, text: "to 180 degrees" }
          ]
        }),
        "comments.json": JSON.stringify([{ id: "1", author: "Bob", text: "Tasty Bread!" }, { text: 7 }, "x"]),
        "thumbnail.jpg": "t",
        "description.txt": "For four people.\n\nEnjoy.\n"
      }
    }
  };
  const body = { url: VIDEO, schema: { type: "object", minProperties: 1 } };
  const segment = { startSeconds: null, endSeconds: null, author: null };

  it.effect("has cues with times, comments with authors, and the description", () => {
    const seen: Array<unknown> = [];
    const analyst = FakeAnalyst.layer(({ texts, media }) => {
      seen.push(
        texts,
        media.map(({ name }) => name)
      );
      return Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { isFound: true } });
    });
    return Effect.gen(function* () {
      yield* runToEnd(yield* openAccount(), { ...body, inputs: ["transcript", "comments", "video"] });
      assert.deepStrictEqual(seen, [
        [
          {
            source: "transcript",
            segments: [
              { ...segment, text: "Preheat the oven", startSeconds: 1, endSeconds: 3 },
              { ...segment, text: "to 180 degrees", startSeconds: 3, endSeconds: 5.5 }
            ]
          },
          { source: "comments", segments: [{ ...segment, text: "Tasty Bread!", author: "Bob" }] },
          {
            source: "description",
            segments: [
              { ...segment, text: "For four people." },
              { ...segment, text: "Enjoy." }
            ]
          }
        ],
        ["video.mp4", "thumbnail.jpg"]
      ]);
    }).pipe(Effect.provide(world({ analyst, sources })));
  });

  it.effect("is where evidence is found; quotes from its own transcription count too", () => {
    const analyst = FakeAnalyst.layer(() =>
      Effect.succeed({
        outcome: "ok",
        verdictReason: null,
        extraction: { name: "Bread", degrees: 180, fan: true, minutes: 20 },
        quotes: [
          { pointer: "/degrees", quote: "oven to 180" },
          { pointer: "/fan", quote: "use the fan" },
          { pointer: "/minutes", quote: "twenty minutes" }
        ],
        texts: [
          {
            source: "transcript",
            segments: [{ ...segment, text: "for twenty minutes", startSeconds: 7, endSeconds: 9 }]
          }
        ]
      })
    );
    return Effect.gen(function* () {
      const { result } = yield* runToEnd(yield* openAccount(), body);
      assert.deepStrictEqual(result?.evidence, {
        "/name": [{ source: "metadata", quote: "Bread" }],
        "/degrees": [{ source: "transcript", quote: "oven\nto 180", startSec: 1, endSec: 5.5 }],
        "/fan": [],
        "/minutes": [{ source: "transcript", quote: "twenty minutes", startSec: 7, endSec: 9 }]
      });
    }).pipe(Effect.provide(world({ analyst, sources })));
  });

  it.effect("includes the page's own structured data, which can be quoted", () => {
    const asked: Array<AnalysisRequest> = [];
    const analyst = FakeAnalyst.layer((request) => {
      asked.push(request);
      return Effect.succeed({
        outcome: "ok",
        verdictReason: null,
        extraction: { first: "100 g pumpkin" },
        quotes: [{ pointer: "/first", quote: "100 g pumpkin" }]
      });
    });
    const facts = sampleFacts({ kind: "webpage", title: "Pizza", uploader: null, description: null });
    const files = {
      "transcript.txt": "Why order a pizza when you can make it yourself at home?\n",
      "thumbnail.jpg": "t"
    };
    const details: SourceDetails = {
      structured: [{ type: "Recipe", origin: "json-ld", values: { ingredients: ["100 g pumpkin", "1 egg"] } }]
    };
    return Effect.gen(function* () {
      const { result } = yield* runToEnd(yield* openAccount(), { ...body, url: ARTICLE });
      assert.deepStrictEqual(result?.evidence, {
        "/first": [
          { source: "structured", quote: "100 g pumpkin", pointer: "/structured/0/values/ingredients/0" }
        ]
      });
      const read = asked[0]?.texts.find(({ source }) => source === "structured");
      assert.deepStrictEqual(
        read?.segments.map(({ text }) => text),
        ["Recipe", "100 g pumpkin", "1 egg"]
      );
    }).pipe(Effect.provide(world({ analyst, sources: { [ARTICLE]: { facts, files, details } } })));
  });

  it.effect("includes the words on slides, whose quotes name the slide", () => {
    const analyst = FakeAnalyst.layer(({ texts }) =>
      Effect.succeed({
        outcome: "ok",
        verdictReason: null,
        extraction: { first: texts.map(({ source }) => source).join() },
        quotes: [{ pointer: "/first", quote: "slides" }]
      })
    );
    const facts = sampleFacts({ kind: "photos", imageCount: 2, title: "Post", description: null });
    const files = { "image.02.jpg": "i", "slides.txt": "[2] These slides\nhave words\n" };
    const sections = [{ slide: 2, text: "These slides\nhave words", markdown: [] }];
    return Effect.gen(function* () {
      const { result } = yield* runToEnd(yield* openAccount(), { ...body, url: ARTICLE });
      assert.deepStrictEqual(result?.evidence, {
        "/first": [{ source: "slides", quote: "slides", slide: 2 }]
      });
    }).pipe(Effect.provide(world({ analyst, sources: { [ARTICLE]: { facts, files, sections } } })));
  });

  it.effect("is not sent if it is too little, and the verdict needs no call", () => {
    const analyst = FakeAnalyst.layer(() => Effect.die(new Error("asked")));
    const facts = sampleFacts({ kind: "webpage", title: "Home", uploader: null, description: null });
    const files = { "transcript.txt": "Loading now\n", "thumbnail.jpg": "t" };
    return Effect.gen(function* () {
      const { result } = yield* runToEnd(yield* openAccount(), { ...body, url: ARTICLE });
      assert.strictEqual(result?.outcome, "uncertain");
      assert.match(result?.verdictReason ?? "", /too little content/u);
      assert.isNull(result?.evidence);
    }).pipe(Effect.provide(world({ analyst, sources: { [ARTICLE]: { facts, files } } })));
  });
});
