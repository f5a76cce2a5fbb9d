/** A video whose source hides its length: 300 s are debited, and the length that the run finds is charged. */
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { writeTranscript } from "@winnow/core/domain/transcript/Transcript";
import * as Effect from "effect/Effect";
import { TestApp, unlimited } from "../../TestApp.ts";

const CAPTIONED = "https://example.com/captioned";
const STREAM_TELLS = "https://example.com/stream-tells";
const NOTHING_TELLS = "https://example.com/nothing-tells";
const LONG_CAPTIONS = "https://example.com/long-captions";

const facts = (webpageUrl: string) =>
  sampleFacts({ webpageUrl, durationSeconds: null, hasComments: true, hasSubtitles: true });

const transcript = (endSeconds: number) => ({
  "transcript.txt": "Hello, and welcome to this talk about many things, all of them short.",
  "transcript.json": writeTranscript("en", [
    { startSeconds: 0, endSeconds: 2, text: "Hello, and welcome to this talk" },
    { startSeconds: 2, endSeconds, text: "about many things, all of them short." }
  ])
});

const comments = {
  "comments.json": JSON.stringify([
    { id: "1", author: "A", text: "Good.", likeCount: 1, timestamp: null, parentId: null }
  ])
};

const sources = {
  [CAPTIONED]: { facts: facts(CAPTIONED), files: { ...transcript(15.2), ...comments } },
  [LONG_CAPTIONS]: { facts: facts(LONG_CAPTIONS), files: { ...transcript(4_000), ...comments } },
  [STREAM_TELLS]: {
    facts: facts(STREAM_TELLS),
    files: { ...transcript(15.2), ...comments },
    streamDurationSeconds: 40.2
  },
  [NOTHING_TELLS]: { facts: facts(NOTHING_TELLS), files: comments }
};

const answer = {
  outcome: "ok",
  verdictReason: null,
  extraction: { topic: "things" },
  confidence: 1
} as const;
const quoted = {
  ...answer,
  quotes: [{ pointer: "/topic", quote: "about many things" }]
};

const app = TestApp.with({
  rateLimits: unlimited,
  analyst: FakeAnalyst.layer(() => Effect.succeed(quoted)),
  sources
});

const SCHEMA = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };
const ALL = ["transcript", "comments", "audio", "video"];
const warning = (seconds: number) =>
  `The duration of the video is unknown: it was charged as ${seconds} seconds.`;
const WARNING = warning(300);

layer(app, { excludeTestServices: true })("a video of hidden length", (it) => {
  const cases: ReadonlyArray<readonly [name: string, body: object, debited: number, paid: number]> = [
    ["by its last caption", { url: CAPTIONED, schema: SCHEMA }, 230, 88],
    ["by its last caption", { url: CAPTIONED, schema: SCHEMA, inputs: ["transcript"] }, 210, 68],
    // Settled with text only: 50 + 10 + 20 + 8.
    [
      "by its last caption",
      { url: CAPTIONED, schema: SCHEMA, inputs: ALL, auto: true, maxSpendCredits: 5_000 },
      1_040,
      88
    ],
    ["by its stream before its captions", { url: STREAM_TELLS, schema: SCHEMA }, 230, 101],
    ["by its stream", { url: STREAM_TELLS, schema: SCHEMA, inputs: ["comments"] }, 220, 91],
    ["never by more than was debited", { url: LONG_CAPTIONS, schema: SCHEMA }, 230, 230],
    // No warning if the price does not depend on the length.
    ["without a warning where seconds are not billed", { url: NOTHING_TELLS, parts: ["comments"] }, 70, 70]
  ];
  for (const [name, body, debited, paid] of cases) {
    it.effect(`is charged ${name}: ${debited} debited, ${paid} paid`, () =>
      Effect.gen(function* () {
        const { account, call, finished } = yield* TestApp;
        const me = yield* account(10_000);
        const quote = yield* call("/v1/probe", { key: me.key, body });
        assert.strictEqual(quote.json.price.credits, debited);
        const id = yield* finished(me, body);
        const { json } = yield* call(`/v1/extractions/${id}`, { key: me.key });
        assert.deepStrictEqual([json.status, json.creditsDebited], ["complete", debited]);
        assert.strictEqual(json.creditsDebited - json.creditsRefunded, paid);
        const result = yield* call(`/v1/extractions/${id}/result`, { key: me.key });
        assert.notInclude(result.json.warnings, WARNING);
        assert.isNull(result.json.summary.durationSeconds);
      })
    );
  }

  it.effect("that nothing reveals is charged as 300 s, with a warning under every policy", () =>
    Effect.gen(function* () {
      const { account, call, finished } = yield* TestApp;
      const me = yield* account(10_000);
      for (const policy of ["fallback", "best-effort"]) {
        const id = yield* finished(me, { url: NOTHING_TELLS, schema: SCHEMA, policy, force: true });
        const { json } = yield* call(`/v1/extractions/${id}`, { key: me.key });
        // 10 are refunded for the missing transcript.
        assert.deepStrictEqual([json.creditsDebited, json.creditsRefunded], [230, 10]);
        const result = yield* call(`/v1/extractions/${id}/result`, { key: me.key });
        assert.include(result.json.warnings, WARNING);
      }
      const stretch = { url: NOTHING_TELLS, schema: SCHEMA, range: { startSec: 65, endSec: 150 } };
      const short = (yield* call(`/v1/extractions/${yield* finished(me, stretch)}/result`, { key: me.key }))
        .json;
      assert.deepStrictEqual([short.creditsDebited, short.creditsRefunded], [123, 10]);
      assert.include(short.warnings, warning(85));
      const reused = yield* finished(me, { url: NOTHING_TELLS, schema: SCHEMA });
      const { json } = yield* call(`/v1/extractions/${reused}/result`, { key: me.key });
      assert.notInclude(json.warnings, WARNING);
    })
  );
});
