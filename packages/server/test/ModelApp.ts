/** The whole API with the OpenAI adapter and the real schema checker, its language model a stand-in. */
import * as LlmClient from "@winnow/adapters/openai/LlmClient";
import * as MediaReader from "@winnow/adapters/openai/inputs/MediaReader";
import * as OpenAiAnalyst from "@winnow/adapters/openai/OpenAiAnalyst";
import { fakeOpenAi } from "@winnow/adapters/openai/testing/FakeOpenAiServer";
import * as WorkerSchemaChecker from "@winnow/adapters/schema/WorkerSchemaChecker";
import { sampleFacts } from "@winnow/core/testing/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { TestApp, unlimited } from "./TestApp.ts";

/** A recipe whose transcript says title and servings. */
export const TALK = "https://example.com/recipe";
const WORDS = [
  "title: Tomato soup.",
  "servings: 4.",
  "Chop the tomatoes and the onion into small pieces, then fry them in oil for five minutes.",
  "Add one litre of water, let everything boil for twenty minutes and puree it with a blender.",
  "Season with salt and pepper to taste, and serve the soup with fresh basil and toasted bread."
].join("\n");

const sources = {
  [TALK]: {
    facts: sampleFacts({ durationSeconds: 100, webpageUrl: TALK }),
    files: { "transcript.txt": WORDS }
  }
};

/** The app whose language model is a stand-in of that name. */
export const withModel = Effect.fnUntraced(function* (model: string) {
  const server = yield* fakeOpenAi();
  const client = LlmClient.layer({
    apiKey: Redacted.make("sk-hunter2"),
    baseUrl: server.baseUrl,
    model,
    transcriptionModel: model
  });
  const workDir = yield* temporaryFolder("language-model");
  const analyst = OpenAiAnalyst.layer().pipe(
    Layer.provide([client, WorkerSchemaChecker.layer, Layer.orDie(MediaReader.layer({ workDir }))])
  );
  const schemaChecker = WorkerSchemaChecker.layer;
  const context = yield* Layer.build(
    TestApp.with({ rateLimits: unlimited, analyst, schemaChecker, sources })
  );
  return { server, app: yield* Effect.provideContext(TestApp, context) };
});
