/**
 * The language model of the settings.
 */
import * as LlmClient from "@winnow/adapters/openai/LlmClient";
import * as MediaReader from "@winnow/adapters/openai/inputs/MediaReader";
import * as OpenAiAnalyst from "@winnow/adapters/openai/OpenAiAnalyst";
import * as WorkerSchemaChecker from "@winnow/adapters/schema/WorkerSchemaChecker";
import type { Analyst } from "@winnow/core/ports/Analyst";
import * as Layer from "effect/Layer";
import type { Settings } from "../Config.ts";
import type { StartFailed } from "../StartFailed.ts";
import { notStarted } from "./notStarted.ts";
import { toolSettings } from "./programs.ts";

export const analyst = (
  settings: Settings,
  model: string,
  workDir: string
): Layer.Layer<Analyst, StartFailed> => {
  const { openAiApiKey: apiKey, llmBaseUrl: baseUrl, llmTranscriptionModel: transcriptionModel } = settings;
  return OpenAiAnalyst.layer({ contextTokens: settings.llmContextTokens }).pipe(
    Layer.provide([
      LlmClient.layer({ apiKey, baseUrl, model, transcriptionModel }),
      MediaReader.layer({ workDir, tools: toolSettings(settings) }),
      WorkerSchemaChecker.layer
    ]),
    Layer.catchTag("ToolsMissing", ({ message }) => notStarted<Analyst>(message))
  );
};
