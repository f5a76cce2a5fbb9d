/** The whole API with the OpenAI adapter and the real schema checker; its language model is a stand-in. */
import { layer as answerReader } from "@winnow/adapters/model/answer/AnswerReader";
import * as OpenAiClient from "@winnow/adapters/model/provider/OpenAiClient";
import * as FfmpegMediaReader from "@winnow/adapters/model/media/FfmpegMediaReader";
import * as OpenAiAnalyst from "@winnow/adapters/model/OpenAiAnalyst";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import * as WorkerSchemaChecker from "@winnow/adapters/schema-check/WorkerSchemaChecker";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { keeping } from "@winnow/adapters/test/model/KeptWorkers";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { TestApp, unlimited } from "./TestApp.ts";

/** A recipe whose transcript states its title and servings. */
export const TALK = "https://example.com/recipe";
const WORDS = [
  "title: Tomato soup.",
  "servings: 4.",
  "Chop the tomatoes and the onion into small pieces, then fry them in oil for five minutes.",
  "Add one litre of water, let everything boil for twenty minutes and puree it with a blender.",
  "Season with salt and pepper to taste, and serve the soup with fresh basil and toasted bread."
].join("\n");

/** A page with Markdown; a document of two pages; a page whose text has low confidence. */
export const PAGE = "https://example.com/soup";
export const PAPER = "https://example.com/soup.pdf";
export const DOUBTFUL = "https://example.com/soups";

const REST = WORDS.split("\n").slice(2).join("\n");

const webpage = (webpageUrl: string) =>
  sampleFacts({
    kind: "webpage",
    durationSeconds: null,
    webpageUrl,
    hasSubtitles: false,
    hasComments: false
  });

const sources = {
  [PAGE]: {
    facts: webpage(PAGE),
    files: {
      "transcript.txt": `Tomato soup\nFor Quantity\nServings: 4\nCook: https://example.com\n${REST}\n`,
      "page.md": `# Tomato soup\n\n| For | Quantity |\n| --- | --- |\n| Servings: | **4** |\n\n${REST}\n`
    }
  },
  [PAPER]: {
    facts: webpage(PAPER),
    files: {
      "transcript.txt": `Tomato soup\n\f${REST}\nServings: 4\n\f\n`,
      "page.md": `<!-- page 1 -->\n\n# Tomato soup\n\n<!-- page 2 -->\n\n${REST}\n\n- Servings: **4**\n`
    },
    sections: [
      { page: 1, heading: "Tomato soup", text: "Tomato soup", markdown: ["# Tomato soup"] },
      {
        page: 2,
        heading: "Tomato soup",
        text: `${REST}\nServings: 4`,
        markdown: [...REST.split("\n"), "- Servings: **4**"]
      }
    ]
  },
  [DOUBTFUL]: {
    facts: webpage(DOUBTFUL),
    files: { "transcript.txt": `${REST}\n`, "page.md": `${REST}\n` },
    wholePage: {
      text: `Tomato soup\nServings: 4\n${REST}\nTerms of use\n`,
      markdown: `## Tomato soup\n\nServings: **4**\n\n${REST}\n\n[Terms of use](https://example.com/terms)`
    }
  },
  [TALK]: {
    facts: sampleFacts({ durationSeconds: 100, webpageUrl: TALK }),
    files: { "transcript.txt": WORDS }
  }
};

const schemaChecker = keeping(WorkerSchemaChecker.layer);
const reader = keeping(answerReader);

/** The app with the stand-in model of this name. */
export const withModel = Effect.fnUntraced(function* (model: string) {
  const server = yield* fakeOpenAi();
  const client = OpenAiClient.layer({
    apiKey: Redacted.make("sk-hunter2"),
    baseUrl: server.baseUrl,
    model,
    transcriptionModel: model
  });
  const workDir = yield* temporaryFolder("language-model");
  const analyst = OpenAiAnalyst.layer().pipe(
    Layer.provide([client, reader, Layer.orDie(FfmpegMediaReader.layer({ workDir }))])
  );
  const context = yield* Layer.build(
    TestApp.with({ rateLimits: unlimited, analyst, schemaChecker, sources })
  );
  return { server, app: yield* Effect.provideContext(TestApp, context) };
});
