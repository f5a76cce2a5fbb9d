/** An analyst on a fake server, with the real workers and the real media programs. */
import { inRun } from "@winnow/testing/samples/samples";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { AnalysisRequest, Material } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { layer as answerReader } from "../../src/model/answer/AnswerReader.ts";
import * as FfmpegMediaReader from "../../src/model/media/FfmpegMediaReader.ts";
import * as OpenAiClient from "../../src/model/provider/OpenAiClient.ts";
import type { LlmPreset } from "../../src/model-server/ServerPresets.ts";
import * as OpenAiAnalyst from "../../src/model/OpenAiAnalyst.ts";
import { fakeOpenAi, type FakeOpenAiOptions } from "@winnow/testing/openai/FakeOpenAiServer";
import { onUnhaltedTime } from "@winnow/isolation/test/worker/UnhaltedTime";
import { keeping } from "./KeptWorkers.ts";

export const KEY = "sk-hunter2-test";

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-analysing-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
);

const workers = keeping(answerReader);

/** The layer of an analyst that uses this model of a server. */
export const analystAt = Effect.fnUntraced(function* (baseUrl: string, model: string, preset?: LlmPreset) {
  const workDir = yield* temporaryFolder;
  const client = OpenAiClient.layer({
    apiKey: Redacted.make(KEY),
    baseUrl,
    model,
    preset,
    transcriptionModel: model
  });
  return OpenAiAnalyst.layer().pipe(
    Layer.provideMerge([client, workers, Layer.orDie(FfmpegMediaReader.layer({ workDir }))]),
    // Reading and checking an answer is limited to two seconds. On this clock, time in which the machine stalls
    // does not count.
    Layer.merge(onUnhaltedTime),
    inRun
  );
});

/** The same, with a new fake server. */
export const analystOn = Effect.fnUntraced(function* (model = "fake-ok", options: FakeOpenAiOptions = {}) {
  const server = yield* fakeOpenAi(options);
  return { server, layer: yield* analystAt(server.baseUrl, model) };
});

export const RECIPE = [
  "title: Tomato soup",
  "servings: 4",
  "prep time: 15",
  "Chop the tomatoes and the onion into small pieces, then fry them in oil for five minutes.",
  "Add one litre of water, let everything boil for twenty minutes and puree it with a blender.",
  "Season with salt and pepper to taste, and serve the soup with fresh basil and toasted bread."
].join("\n");

export const RECIPE_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    title: { type: "string" },
    servings: { type: "integer", minimum: 1 },
    prepTime: { type: "number" },
    calories: { type: "number" },
    steps: { type: "array", items: { type: "string" }, minItems: 1 }
  },
  required: ["title", "servings", "steps"],
  additionalProperties: false
};

export const FACTS: SourceFacts = {
  kind: "webpage",
  webpageUrl: "https://example.com/soup",
  title: "Soup",
  uploader: null,
  description: null,
  thumbnailUrl: null,
  durationSeconds: null,
  viewCount: null,
  likeCount: null,
  commentCount: null,
  uploadDate: null,
  hasSubtitles: false,
  hasComments: false,
  imageCount: 0
};

export const pageOf = (text: string): Material => ({
  spokenLanguage: null,
  facts: FACTS,
  prompt: null,
  inputs: ["transcript", "comments"],
  texts: [
    {
      source: "page",
      segments: text
        .split("\n")
        .map((line) => ({ text: line, startSeconds: null, endSeconds: null, author: null }))
    }
  ],
  media: []
});

export const requestOf = (text: string = RECIPE, schema: JsonObject = RECIPE_SCHEMA): AnalysisRequest => ({
  ...pageOf(text),
  schema
});
