/**
 * The language model of the settings.
 */
import * as LlmClient from "@winnow/adapters/openai/LlmClient";
import * as MediaReader from "@winnow/adapters/openai/inputs/MediaReader";
import * as OpenAiAnalyst from "@winnow/adapters/openai/OpenAiAnalyst";
import { requirePackage } from "@winnow/adapters/optional/OptionalPackage";
import * as WorkerSchemaChecker from "@winnow/adapters/schema/WorkerSchemaChecker";
import type { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { Settings } from "../Config.ts";
import type { StartFailed } from "../StartFailed.ts";
import { notStarted } from "./notStarted.ts";
import { programSettings } from "./programs.ts";

export const analyst = (
  settings: Settings,
  model: string,
  workDir: string
): Layer.Layer<Analyst, StartFailed> => {
  const { openAiApiKey: apiKey, llmBaseUrl: baseUrl, llmTranscriptionModel: transcriptionModel } = settings;
  const openAi = OpenAiAnalyst.layer({ contextTokens: settings.llmContextTokens }).pipe(
    Layer.provide([
      LlmClient.layer({ apiKey, baseUrl, model, transcriptionModel }),
      MediaReader.layer({ workDir, programs: programSettings(settings), sandbox: settings.sandbox }),
      WorkerSchemaChecker.layer
    ]),
    Layer.catchTag("ProgramsMissing", ({ message }) => notStarted<Analyst>(message)),
    Layer.catchTag("SandboxMissing", ({ message }) => notStarted<Analyst>(`WINNOW_SANDBOX: ${message}`))
  );
  return Layer.unwrap(Effect.as(requirePackage("openai"), openAi)).pipe(
    Layer.catchTag("PackageMissing", ({ message }) =>
      notStarted<Analyst>(`${message}\nOr unset OPENAI_API_KEY and WINNOW_LLM_MODEL.`)
    )
  );
};
