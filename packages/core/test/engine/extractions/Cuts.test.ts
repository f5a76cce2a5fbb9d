/** A stretch of which only the transcript is asked, cut for nothing from a stored result of the whole. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import {
  subtitleFile,
  subtitleSrtFile,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE
} from "../../../src/domain/result/ArtifactName.ts";
import { captionFiles, transcriptFiles } from "../../../src/domain/result/TranscriptFiles.ts";
import { deleteOver } from "../../../src/engine/extractions/Removal.ts";
import { Store } from "../../../src/ports/Store.ts";
import type { TranscribedSpeech } from "../../../src/ports/Transcriber.ts";
import { completeView, ear, text, WORDS } from "../runs/Hearing.ts";
import {
  ARTICLE,
  balanceOf,
  DAY_MS,
  execute,
  openAccount,
  probe,
  read,
  runToEnd,
  SOURCES,
  submit,
  VIDEO,
  world,
  type WorldOptions
} from "../World.ts";

const RANGE = { startSec: 65, endSec: 150 };
const WHOLE = { url: VIDEO, parts: ["transcript"] };
const STRETCH = { ...WHOLE, range: RANGE };
const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };
/** Base fee and transcript. */
const FRESH = 60;
const MUTE = "https://example.com/mute";
/** Of a length that nobody can tell. */
const ENDLESS = "https://example.com/endless";

const CUES = [
  { startSeconds: 1, endSeconds: 4, text: "Hello <all> & welcome." },
  { startSeconds: 64, endSeconds: 66, text: "It begins" },
  { startSeconds: 149.5, endSeconds: 152, text: "and ends." },
  { startSeconds: 200, endSeconds: 205, text: "Goodbye." }
];

const FILES = {
  ...transcriptFiles(
    "en",
    CUES.map((cue) => ({ ...cue, words: [{ ...cue, text: cue.text.split(" ")[0] ?? "" }], speaker: "A" })),
    "automatic",
    [
      { startSeconds: 5, endSeconds: 60 },
      { startSeconds: 70, endSeconds: 80 }
    ]
  ),
  ...captionFiles("en", CUES),
  ...captionFiles("pt-BR", CUES.slice(0, 1)),
  "description.txt": "About it.",
  "comments.json": "[]"
};

let fetches = 0;
const counted = Effect.sync(() => {
  fetches += 1;
});

const facts = sampleFacts({ durationSeconds: 213, hasComments: true });
const sources = {
  ...SOURCES,
  [VIDEO]: { facts, files: FILES, warnings: ["One track could not be fetched."], beforeFetch: counted },
  [MUTE]: { facts: { ...facts, durationSeconds: null, hasSubtitles: false }, measuredDurationSeconds: 200 },
  [ENDLESS]: {
    facts: { ...facts, durationSeconds: null, hasSubtitles: false },
    measuredDurationSeconds: null
  }
};

const GAPS = [
  { startSeconds: 10, endSeconds: 20 },
  { startSeconds: 60, endSeconds: 90 }
];

const engine = (more: WorldOptions = {}, words: TranscribedSpeech = WORDS) =>
  Layer.provideMerge(world({ sources, analyst: FakeAnalyst.layer(), ...more }), ear(Effect.succeed(words)));

const ledgerOf = (accountId: string) =>
  Store.use((store) => store.listLedger(accountId, { before: null, limit: 100 }));

describe("the transcript of a stretch", () => {
  it.effect("is cut for nothing from a result of the whole, as probe said", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const whole = yield* runToEnd(accountId, WHOLE);
      const before = [fetches, yield* balanceOf(accountId), (yield* ledgerOf(accountId)).length];
      const quote = yield* probe(accountId, STRETCH);
      assert.deepStrictEqual(
        [quote.cached, quote.extractionId, quote.price.credits, quote.price.freshCredits],
        [true, whole.id, 0, FRESH]
      );
      const done = yield* runToEnd(accountId, { ...STRETCH, maxCredits: 0 });
      assert.deepStrictEqual([done.status, done.creditsDebited, done.creditsRefunded], ["complete", 0, 0]);
      assert.deepStrictEqual(
        [fetches, yield* balanceOf(accountId), (yield* ledgerOf(accountId)).length],
        before
      );
      const view = completeView(done);
      assert.deepStrictEqual(view.range, RANGE);
      assert.deepStrictEqual([view.summary.duration, view.summary.durationSeconds], [213, 85]);
      assert.deepStrictEqual(view.warnings, ["One track could not be fetched."]);
      assert.sameMembers(
        [...view.summary.files],
        [
          TRANSCRIPT_FILE,
          TRANSCRIPT_SEGMENTS_FILE,
          subtitleFile("en"),
          subtitleSrtFile("en"),
          "description.txt",
          "metadata.json"
        ]
      );
      const shown = CUES.slice(1, 3);
      const { gaps, language, origin, segments } = JSON.parse(yield* text(done, TRANSCRIPT_SEGMENTS_FILE));
      assert.deepStrictEqual([language, origin, gaps], ["en", "automatic", [{ startSec: 70, endSec: 80 }]]);
      assert.deepStrictEqual(segments[0], {
        startSec: 64,
        endSec: 66,
        text: "It begins",
        words: [{ startSec: 64, endSec: 66, text: "It" }],
        speaker: "A"
      });
      assert.strictEqual(yield* text(done, TRANSCRIPT_FILE), "It begins\nand ends.\n");
      for (const [name, file] of Object.entries(captionFiles("en", shown)))
        assert.strictEqual(yield* text(done, name), file);
    }).pipe(Effect.provide(engine()))
  );

  it.effect("is what a fetch of it gives, of captions with signs that their files escape", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, WHOLE);
      const done = yield* runToEnd(accountId, { ...STRETCH, range: { endSec: 64 } });
      const shown = CUES.slice(0, 1);
      const of = { ...captionFiles("en", shown), ...captionFiles("pt-BR", shown) };
      for (const [name, file] of Object.entries(of)) assert.strictEqual(yield* text(done, name), file);
    }).pipe(Effect.provide(engine()))
  );

  it.effect("that was cut before is served at once, as long as the whole is", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const whole = yield* runToEnd(accountId, WHOLE);
      yield* TestClock.adjust(20 * DAY_MS);
      const cut = yield* runToEnd(accountId, STRETCH);
      const { extraction: again } = yield* submit(accountId, STRETCH);
      assert.deepStrictEqual([again.status, again.cachedFrom, again.creditsDebited], ["complete", cut.id, 0]);
      const { price } = yield* probe(accountId, { ...STRETCH, maxAgeSeconds: (10 * DAY_MS) / 1_000 });
      assert.strictEqual(price.credits, FRESH);
      yield* deleteOver(accountId, whole.id);
      assert.strictEqual((yield* probe(accountId, STRETCH)).price.credits, FRESH);
    }).pipe(Effect.provide(engine()))
  );

  it.effect("has no file where nothing is said, and fails under `strict`, as if it were fetched", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, WHOLE);
      const silent = { ...STRETCH, range: { startSec: 100, endSec: 110 } };
      const done = yield* runToEnd(accountId, silent);
      assert.deepStrictEqual([done.creditsDebited, done.absent], [0, ["transcript"]]);
      assert.strictEqual(completeView(done).summary.transcriptFile, null);
      const { creditsDebited, failure } = yield* runToEnd(accountId, { ...silent, policy: "strict" });
      assert.deepStrictEqual([creditsDebited, failure?.reason], [0, "input_unavailable"]);
    }).pipe(Effect.provide(engine()))
  );

  it.effect("is cut from what was heard in the whole, and nothing is heard or charged again", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const heard = { url: MUTE, parts: ["transcript"], speech: true };
      yield* runToEnd(accountId, heard);
      const body = { ...heard, range: { startSec: 2.75 } };
      const quote = yield* probe(accountId, body);
      const done = yield* runToEnd(accountId, body);
      assert.deepStrictEqual([quote.price.credits, done.creditsDebited], [0, 0]);
      assert.isAbove(quote.price.freshCredits, FRESH);
      assert.strictEqual(yield* text(done, TRANSCRIPT_FILE), "Es kostet 12 Euro.\n");
      assert.strictEqual(completeView(done).summary.durationSeconds, 197.25);
      assert.deepStrictEqual(done.warnings, []);
    }).pipe(Effect.provide(engine()))
  );

  it.effect.each([MUTE, ENDLESS])("in which nobody speaks says so, as if it were listened to: of %s", (url) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const heard = { url, parts: ["transcript"], speech: true };
      yield* runToEnd(accountId, heard);
      const silent = yield* runToEnd(accountId, { ...heard, range: { startSec: 5, endSec: 6 } });
      assert.deepStrictEqual([silent.creditsDebited, silent.absent], [0, ["transcript"]]);
      const { warnings, warningCodes } = completeView(silent);
      assert.deepStrictEqual(warnings, [
        "There is no transcript: the source has no subtitles, and the audio contains no speech."
      ]);
      assert.deepStrictEqual(warningCodes, ["speech"]);
    }).pipe(Effect.provide(engine()))
  );

  it.effect("names those gaps of what was heard that are in it", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const heard = { url: MUTE, parts: ["transcript"], speech: true };
      const warningsOf = (range?: object) =>
        Effect.map(
          runToEnd(accountId, range === undefined ? heard : { ...heard, range }),
          (done) => completeView(done).warnings
        );
      assert.match((yield* warningsOf()).join(), /sound: 00:10 to 00:20, 01:00 to 01:30\.$/u);
      assert.match((yield* warningsOf({ startSec: 3.5, endSec: 30 })).join(), /sound: 00:10 to 00:20\.$/u);
      assert.deepStrictEqual(yield* warningsOf({ startSec: 1, endSec: 9 }), []);
    }).pipe(Effect.provide(engine({}, { ...WORDS, gaps: GAPS })))
  );

  it.effect.each([
    ["a schema", { url: VIDEO, range: RANGE, schema: SCHEMA, inputs: ["transcript"] }],
    ["another part", { ...STRETCH, parts: ["transcript", "comments"] }],
    ["whatever is there", { url: VIDEO, range: RANGE }],
    ["another language", { ...STRETCH, language: "pt-BR" }],
    ["other captions", { ...STRETCH, captions: "automatic" }],
    ["a fresh run", { ...STRETCH, force: true }],
    ["no stored result", { ...STRETCH, maxAgeSeconds: 0 }]
  ] as const)("is not cut if %s is asked for", ([, body]) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, WHOLE);
      const quote = yield* probe(accountId, body);
      assert.deepStrictEqual([quote.cached, quote.extractionId], [false, null]);
      const { extraction } = yield* submit(accountId, body);
      assert.strictEqual(extraction.creditsDebited, quote.price.credits);
      assert.isAtLeast(extraction.creditsDebited, FRESH);
    }).pipe(Effect.provide(engine()))
  );

  it.effect.each([
    ["another account has", () => Effect.void],
    ["is older than results are reused", () => TestClock.adjust(31 * DAY_MS)],
    ["was deleted", (accountId: string, id: string) => deleteOver(accountId, id)]
  ] as const)("is not cut from a whole that %s", ([why, happens]) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const whole = yield* runToEnd(accountId, WHOLE);
      yield* happens(accountId, whole.id);
      const asking = why.startsWith("another") ? yield* openAccount() : accountId;
      const quote = yield* probe(asking, STRETCH);
      const { extraction } = yield* submit(asking, STRETCH);
      assert.deepStrictEqual(
        [quote.cached, quote.price.credits, extraction.creditsDebited],
        [false, FRESH, FRESH]
      );
    }).pipe(Effect.provide(engine()))
  );

  it.effect("is refused of what is no video or has ended, whatever is stored", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const [url, range] of [
        [ARTICLE, RANGE],
        [VIDEO, { startSec: 213 }]
      ] as const) {
        yield* runToEnd(accountId, { url, parts: ["transcript"] });
        const body = { url, parts: ["transcript"], range };
        const refused = yield* Effect.flip(submit(accountId, body));
        assert.strictEqual(refused._tag, "InvalidRequest");
        assert.deepStrictEqual<unknown>(yield* Effect.flip(probe(accountId, body)), refused);
      }
    }).pipe(Effect.provide(engine()))
  );

  it.effect(
    "fails for nothing if the whole is deleted before it is cut, and is fetched when asked again",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const whole = yield* runToEnd(accountId, WHOLE);
        const balance = yield* balanceOf(accountId);
        const { extraction } = yield* submit(accountId, STRETCH);
        yield* deleteOver(accountId, whole.id);
        yield* execute(extraction);
        const { creditsDebited, creditsRefunded, failure } = yield* read(accountId, extraction.id);
        assert.deepStrictEqual(
          [creditsDebited, creditsRefunded, failure?.reason],
          [0, 0, "input_unavailable"]
        );
        assert.strictEqual(failure?.hint, "Submit its URL again, which is then fetched.");
        assert.strictEqual(yield* balanceOf(accountId), balance);
        assert.strictEqual((yield* runToEnd(accountId, STRETCH)).creditsDebited, FRESH);
      }).pipe(Effect.provide(engine()))
  );

  it.effect("is cut even if its source has gone", () => {
    let isGone = false;
    const beforeInspect = Effect.suspend(() => (isGone ? Effect.fail(refuses("private")) : Effect.void));
    const vanishing = { ...sources, [VIDEO]: { ...sources[VIDEO], beforeInspect } };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* runToEnd(accountId, WHOLE);
      isGone = true;
      assert.strictEqual((yield* probe(accountId, STRETCH)).price.credits, 0);
      assert.strictEqual((yield* runToEnd(accountId, STRETCH)).status, "complete");
    }).pipe(Effect.provide(engine({ sources: vanishing })));
  });
});
