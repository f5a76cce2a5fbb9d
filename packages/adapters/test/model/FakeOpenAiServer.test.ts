import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { OpenAI } from "openai";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";

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
