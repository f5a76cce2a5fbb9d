// @module-tag long
import { inRun } from "@winnow/testing/samples/samples";
import type { IncomingMessage, ServerResponse } from "node:http";
import { assert, describe, it } from "@effect/vitest";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { makeTokenMeter } from "@winnow/core/ports/TokenMeter";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Metric from "effect/Metric";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import * as TestClock from "effect/testing/TestClock";
import { SpeechClient, type TranscriptionRequest } from "../../src/speech/SpeechClient.ts";
import * as LlmClient from "../../src/model/provider/LlmClient.ts";
import * as OpenAiClient from "../../src/model/provider/OpenAiClient.ts";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";

const SOUND = { audio: new Blob(["sound"]), filename: "sound.mp3", soundSeconds: 10.024, language: null };

const clientOf = (baseUrl: string, model = "ear") =>
  inRun(OpenAiClient.layer({ apiKey: null, baseUrl, model: "fake-ok", transcriptionModel: model }));

const ask = (request: Partial<TranscriptionRequest> = {}) =>
  SpeechClient.use((client) => client.transcribe({ ...SOUND, ...request }));

type Field = (name: string) => string | null;

/** A server that answers each request as told, and what it was asked for. */
const answering = Effect.fnUntraced(function* (
  answer: (response: ServerResponse, field: Field, request: IncomingMessage) => void
) {
  const asked: Array<{ readonly granularities: ReadonlyArray<string>; readonly language: string | null }> =
    [];
  const { url, requests } = yield* serve((request, response) => {
    const handle = async () => {
      const chunks: Array<Uint8Array> = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const form = await new Response(Buffer.concat(chunks), { headers }).formData();
      const field: Field = (name) => form.get(name) as string | null;
      asked.push({
        granularities: form.getAll("timestamp_granularities[]") as Array<string>,
        language: field("language")
      });
      answer(response, field, request);
    };
    handle().catch(() => response.destroy());
  });
  return { baseUrl: `${url}/v1`, requests, asked };
});

const send = (response: ServerResponse, status: number, body: unknown, type = "application/json") => {
  response.writeHead(status, { "content-type": type });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

const transcribed = Effect.fnUntraced(function* (model: string) {
  const server = yield* fakeOpenAi({ spokenText: "One sentence. Another one." });
  return yield* Effect.gen(function* () {
    const client = yield* LlmClient.LlmClient;
    const [first, second] = [yield* Effect.result(ask()), yield* Effect.result(ask())];
    return { first, second, capabilities: yield* client.capabilities, count: server.requests.length };
  }).pipe(Effect.provide(clientOf(server.baseUrl, model)));
}, Effect.scoped);

describe("a transcription", () => {
  it.live.each<readonly [object, number | null]>([
    [{ text: "Words.", segments: [], duration: 10.02 }, 10.02],
    [{ text: "Words.", usage: { type: "duration", seconds: 11 } }, 11],
    [{ text: "Words.", usage: { type: "tokens", input_tokens: 14 } }, null],
    [{ text: "Words." }, null]
  ])("counts the seconds that the server reports: %j", ([body, audioSeconds]) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* answering((response) => send(response, 200, body));
      const meter = makeTokenMeter(0);
      yield* ask().pipe(
        Effect.provideService(CurrentRun, runFor("acc_test", { meter })),
        Effect.provide(clientOf(baseUrl))
      );
      const expected = { inputTokens: null, outputTokens: null, requests: 1, audioSeconds };
      assert.deepStrictEqual(yield* meter.reported, expected);
      const metrics = (yield* Metric.snapshot).filter(({ id }) => id === "winnow_llm_audio_seconds_total");
      const counted = metrics.map(({ state }) => Number((state as { readonly count: number }).count));
      assert.isAtLeast(Math.max(0, ...counted), audioSeconds ?? 0);
    }).pipe(Effect.scoped)
  );

  it.live("leaves out what the server itself treats as silence", () =>
    Effect.gen(function* () {
      const { first } = yield* transcribed("fake-hears-silence");
      assert.deepInclude((first as any).success, { segments: [], hasTimes: true });
    })
  );

  it.live("is one text if the server does not report times, which is tried once", () =>
    Effect.gen(function* () {
      const { second, count } = yield* transcribed("fake-refuse-transcription-times");
      assert.deepInclude((second as any).success, {
        text: "One sentence. Another one.",
        segments: [],
        hasTimes: false,
        language: null
      });
      // Its message names the format.
      assert.strictEqual(count, 3);
    })
  );

  it.live("that has no endpoint is refused at the first request, and known as missing", () =>
    Effect.gen(function* () {
      const { first, capabilities } = yield* transcribed("fake-refuse-transcription");
      const refused = (first as any).failure;
      assert.deepStrictEqual(
        [refused._tag, refused.failure.reason],
        ["TranscriptionRefused", "speech_misconfigured"]
      );
      assert.isFalse(capabilities.transcription);
    })
  );

  it.live("is asked for with times of words, and without them from a server that refuses these, once", () =>
    Effect.gen(function* () {
      let refusals = 0;
      const { baseUrl, asked } = yield* answering((response) => {
        const { granularities } = asked.at(-1) ?? assert.fail();
        if (granularities.includes("word")) {
          refusals += 1;
          return send(response, 400, {
            message: "timestamp_granularities of verbose_json: only 'segment' is supported"
          });
        }
        send(response, 200, { text: "Hi.", segments: [{ text: "Hi.", start: 0, end: 1 }] });
      });
      yield* Effect.gen(function* () {
        yield* ask();
        yield* ask();
      }).pipe(Effect.provide(clientOf(baseUrl)));
      assert.strictEqual(refusals, 1);
      assert.deepStrictEqual(
        asked.map(({ granularities }) => granularities),
        [["segment", "word"], ["segment"], ["segment"]]
      );
    }).pipe(Effect.scoped)
  );

  it.live("names the language that is spoken, unless the server does not know it", () =>
    Effect.gen(function* () {
      const { baseUrl, asked } = yield* answering((response, field) =>
        field("language") === "xx"
          ? send(response, 400, { error: { message: "Language 'xx' is not supported", param: "language" } })
          : send(response, 200, { text: "Bonjour.", language: "french" })
      );
      yield* Effect.gen(function* () {
        yield* ask({ language: "fr" });
        yield* ask({ language: "xx" });
      }).pipe(Effect.provide(clientOf(baseUrl)));
      assert.deepStrictEqual(
        asked.map(({ language }) => language),
        ["fr", "xx", null]
      );
    }).pipe(Effect.scoped)
  );

  it.live("keeps the words of each segment, whether they stand in it or beside it", () =>
    Effect.gen(function* () {
      const words = [
        { word: "One", start: 0, end: 0.4 },
        { word: "two", start: 1.1, end: 1.5 }
      ];
      const times = [
        { text: "One.", start: 0, end: 1 },
        { text: "Two.", start: 1, end: 2 }
      ];
      const bodies = [
        { text: "One. Two.", words, segments: times },
        { segments: times.map((segment, index) => ({ ...segment, words: [words[index]] })) }
      ];
      for (const body of bodies) {
        const { baseUrl } = yield* answering((response) => send(response, 200, body));
        const { segments } = yield* Effect.provide(ask(), clientOf(baseUrl));
        assert.deepStrictEqual(segments, [
          {
            text: "One.",
            startSeconds: 0,
            endSeconds: 1,
            words: [{ text: "One", startSeconds: 0, endSeconds: 0.4 }]
          },
          {
            text: "Two.",
            startSeconds: 1,
            endSeconds: 2,
            words: [{ text: "two", startSeconds: 1.1, endSeconds: 1.5 }]
          }
        ]);
      }
    }).pipe(Effect.scoped)
  );

  it.live("leaves out what the model itself was unsure of, loops, and outros that may not be speech", () =>
    Effect.gen(function* () {
      const times = { start: 0, end: 5 };
      const { baseUrl } = yield* answering((response) =>
        send(response, 200, {
          segments: [
            { ...times, text: "meld", avg_logprob: -4.8 },
            { ...times, text: "la la la la", avg_logprob: -0.3, compression_ratio: 2.8 },
            { ...times, text: "Thank you for watching!", avg_logprob: -0.9, no_speech_prob: 0.4 },
            {
              ...times,
              text: "Good morning.",
              avg_logprob: -0.4,
              compression_ratio: 1.2,
              no_speech_prob: 0.4
            }
          ]
        })
      );
      const answer = yield* Effect.provide(ask(), clientOf(baseUrl));
      assert.deepStrictEqual(
        answer.segments.map(({ text }) => text),
        ["Good morning."]
      );
      assert.deepInclude(answer, { silentCount: 1, removedCount: 2, isSure: true });
    }).pipe(Effect.scoped)
  );
});

const ONE = { text: "One.", startSeconds: 0, endSeconds: 0.4 };

describe("an answer of another dialect", () => {
  const cases: ReadonlyArray<readonly [string, unknown, object]> = [
    ["plain text", "Good morning.\n", { text: "Good morning.", hasTimes: false }],
    ["JSON that is labelled as text", '{"text":"Hi."}', { text: "Hi.", hasTimes: false }],
    [
      "no segment and null for words",
      { text: "", segments: [], words: null },
      { text: "", segments: [], hasTimes: true }
    ],
    ["null for segments", { text: "Hi.", segments: null }, { text: "Hi.", hasTimes: false }],
    ["null for the text", { text: null, segments: [] }, { text: "", segments: [] }],
    [
      "null for probabilities",
      {
        segments: [{ text: "Hi.", start: 0, end: 1, avg_logprob: null, no_speech_prob: null }]
      },
      { segments: [{ text: "Hi.", startSeconds: 0, endSeconds: 1 }], hasTimes: true }
    ],
    [
      "words without segments",
      { text: "One.", words: [{ word: "One.", start: 0, end: 0.4 }] },
      { segments: [{ ...ONE, words: [ONE] }], hasTimes: true }
    ],
    ["segments without times", { text: "Hi.", segments: [{ text: "Hi.", start: null }] }, { hasTimes: false }]
  ];
  for (const [name, body, expected] of cases) {
    it.live(`is read: ${name}`, () =>
      Effect.gen(function* () {
        const type = typeof body === "string" ? "text/plain" : "application/json";
        const { baseUrl } = yield* answering((response) => send(response, 200, body, type));
        assert.deepInclude(yield* Effect.provide(ask(), clientOf(baseUrl)), expected);
      }).pipe(Effect.scoped)
    );
  }
});

/** Each with the number of requests until it is given up. */
const FAULTS: ReadonlyArray<readonly [string, number, unknown, string, number]> = [
  ["an error with status 200", 200, { error: "failed to process audio" }, "speech_unavailable", 3],
  ["an object that is no transcription", 200, {}, "speech_unavailable", 3],
  ["the page of a proxy", 200, "<!doctype html><p>Welcome", "speech_unavailable", 3],
  ["a wrong key", 401, { error: { message: "Incorrect API key" } }, "speech_misconfigured", 1],
  [
    "a model that is missing at speaches",
    404,
    { detail: "Model 'ear' is not installed locally. You can download the model" },
    "speech_misconfigured",
    1
  ],
  ["no such endpoint", 404, "404 page not found", "speech_misconfigured", 1],
  ["audio that it rejects", 400, { error: { message: "Invalid file format." } }, "speech_unavailable", 3],
  ["a server error", 503, { error: { message: "Overloaded" } }, "speech_unavailable", 4],
  ["a crash", 500, { error: { message: "CUDA error" } }, "speech_unavailable", 4]
];

describe("a failed transcription", () => {
  for (const [name, status, body, reason, count] of FAULTS) {
    it.live(`is never a recording without speech: ${name}`, () =>
      Effect.gen(function* () {
        const { baseUrl, requests } = yield* answering((response) =>
          send(response, status, body, typeof body === "string" ? "text/html" : "application/json")
        );
        const thrown = yield* Effect.flip(Effect.provide(ask(), clientOf(baseUrl)));
        const failed = "failure" in thrown ? thrown.failure : thrown;
        assert.strictEqual("reason" in failed ? failed.reason : failed._tag, reason);
        assert.strictEqual(requests.length, count);
      }).pipe(Effect.scoped)
    );
  }

  it.live("because nobody answers says so", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Effect.provide(ask(), clientOf("http://127.0.0.1:9/v1")));
      assert.deepInclude(failure, {
        reason: "speech_unavailable",
        message: "The server of the speech model cannot be reached."
      });
    })
  );

  it.live("because the connection broke is tried again", () =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* answering((response) => {
        if (requests.length < 2) {
          response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
          response.write('{"text":');
          setImmediate(() => response.destroy());
        } else send(response, 200, { text: "Hi." });
      });
      assert.strictEqual((yield* Effect.provide(ask(), clientOf(baseUrl))).text, "Hi.");
    }).pipe(Effect.scoped)
  );

  it.live("because a model was missing is not remembered: it may be installed", () =>
    Effect.gen(function* () {
      let isInstalled = false;
      const { baseUrl } = yield* answering((response) =>
        isInstalled
          ? send(response, 200, { text: "Words.", segments: [] })
          : send(response, 404, { detail: "Model 'ear' is not installed locally" })
      );
      yield* Effect.gen(function* () {
        assert.deepNestedInclude(yield* Effect.flip(ask()), { "failure.reason": "speech_misconfigured" });
        isInstalled = true;
        assert.strictEqual((yield* ask()).text, "Words.");
      }).pipe(Effect.provide(clientOf(baseUrl)));
    }).pipe(Effect.scoped)
  );

  it.effect("after a minute and four times the sound is given up, aborted, and nothing is sent again", () =>
    Effect.gen(function* () {
      const [begun, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { baseUrl, requests } = yield* answering((_response, _field, request) => {
        request.socket.once("close", () => aborted.resolve());
        begun.resolve();
      });
      const asking = yield* Effect.forkChild(
        Effect.flip(Effect.provide(ask({ soundSeconds: 100 }), clientOf(baseUrl)))
      );
      yield* Effect.promise(() => begun.promise);
      yield* TestClock.adjust("459 seconds");
      assert.isUndefined(asking.pollUnsafe());
      yield* TestClock.adjust("2 seconds");
      assert.deepInclude(yield* Fiber.join(asking), { reason: "speech_timeout" });
      yield* Effect.promise(() => aborted.promise);
      yield* TestClock.adjust("1 hour");
      assert.strictEqual(requests.length, 1);
    }).pipe(Effect.scoped)
  );

  it.effect("is told the operator with status and code, once a minute, and never the server's words", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      const logger = Logger.make(({ fiber, logLevel, message }) => {
        const annotations = fiber.getRef(References.CurrentLogAnnotations);
        lines.push(JSON.stringify([logLevel, message, annotations]));
      });
      const { baseUrl } = yield* answering((response) =>
        send(response, 401, { error: { code: "invalid_api_key", message: "secret-words" } })
      );
      yield* Effect.gen(function* () {
        for (let times = 0; times < 3; times++) yield* Effect.flip(ask());
        yield* TestClock.adjust("1 minute");
        yield* Effect.flip(ask());
      }).pipe(Effect.provide(clientOf(baseUrl)), Effect.provide(Logger.layer([logger])));
      assert.lengthOf(lines, 2);
      assert.include(lines[0], '"reason":"speech_misconfigured","status":401,"code":"invalid_api_key"');
      assert.include(lines[1], '"othersSince":2');
      assert.notInclude(lines.join(), "secret-words");
      assert.match(lines[0] ?? "", /^\["Warn/u);
    }).pipe(Effect.scoped)
  );
});
