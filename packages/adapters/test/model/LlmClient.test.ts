import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { OpenAI } from "openai";
import * as LlmClient from "../../src/model/client/LlmClient.ts";
import { serve } from "../network/LoopbackServer.ts";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";

const transcribed = Effect.fnUntraced(function* (model: string) {
  const server = yield* fakeOpenAi({ spokenText: "One sentence. Another one." });
  const settings = { apiKey: null, baseUrl: server.baseUrl, model: "fake-ok", transcriptionModel: model };
  return yield* Effect.gen(function* () {
    const client = yield* LlmClient.LlmClient;
    const ask = client.transcribe({ audio: new Blob(["sound"]), filename: "sound.mp3" });
    const [first, second] = [yield* Effect.result(ask), yield* Effect.result(ask)];
    return { first, second, capabilities: yield* client.capabilities, count: server.requests.length };
  }).pipe(Effect.provide(LlmClient.layer(settings)));
}, Effect.scoped);

describe("a transcription", () => {
  it.live("comes with its times", () =>
    Effect.gen(function* () {
      const { first } = yield* transcribed("fake-ok");
      assert.deepStrictEqual((first as any).success, {
        text: "One sentence. Another one.",
        segments: [
          { text: "One sentence.", startSeconds: 0, endSeconds: 2 },
          { text: "Another one.", startSeconds: 2, endSeconds: 4 }
        ],
        hasTimes: true,
        language: "english"
      });
    })
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
      assert.deepStrictEqual((second as any).success, {
        text: "One sentence. Another one.",
        segments: [],
        hasTimes: false,
        language: null
      });
      assert.strictEqual(count, 3);
    })
  );

  it.live("is not requested again from a server without it", () =>
    Effect.gen(function* () {
      const { first, capabilities, count } = yield* transcribed("fake-refuse-transcription");
      assert.deepInclude((first as any).failure, { _tag: "ModalityRefused", modality: "transcription" });
      assert.isFalse(capabilities.transcription);
      assert.strictEqual(count, 2);
    })
  );
});

describe("a transcription model that is missing", () => {
  it.live("is requested again by the next run, because it may be installed", () =>
    Effect.gen(function* () {
      let isInstalled = false;
      const { url } = yield* serve((request, response) => {
        request.resume().on("end", () => {
          response.writeHead(isInstalled ? 200 : 404, { "content-type": "application/json" });
          response.end(
            isInstalled
              ? '{"text":"Words.","segments":[]}'
              : '{"detail":"Model \'ear\' is not installed locally"}'
          );
        });
      });
      const settings = { apiKey: null, baseUrl: `${url}/v1`, model: "ear", transcriptionModel: "ear" };
      yield* Effect.gen(function* () {
        const client = yield* LlmClient.LlmClient;
        const ask = client.transcribe({ audio: new Blob(["sound"]), filename: "sound.mp3" });
        assert.strictEqual((yield* Effect.flip(ask))._tag, "ModalityRefused");
        isInstalled = true;
        assert.strictEqual((yield* ask).text, "Words.");
      }).pipe(Effect.provide(LlmClient.layer(settings)));
    }).pipe(Effect.scoped)
  );
});

describe("the stand-in server", () => {
  it.live("speaks the protocol of the SDK: models, streams and responses too", () =>
    Effect.gen(function* () {
      const server = yield* fakeOpenAi();
      yield* Effect.promise(async () => {
        const sdk = new OpenAI({ apiKey: "none", baseURL: server.baseUrl });
        assert.strictEqual((await sdk.models.list()).data[0]?.id, "fake-ok");
        const messages = [{ role: "user" as const, content: "Hello" }];
        let streamed = "";
        for await (const chunk of await sdk.chat.completions.create({
          model: "fake-ok",
          messages,
          stream: true
        })) {
          streamed += chunk.choices[0]?.delta.content ?? "";
        }
        const whole = await sdk.chat.completions.create({ model: "fake-ok", messages });
        assert.strictEqual(streamed, whole.choices[0]?.message.content);
        const response = await sdk.responses.create({ model: "fake-ok", input: "Hello" });
        assert.strictEqual(response.output_text, streamed);
      });
    }).pipe(Effect.scoped)
  );
});
