/** The configured language model and speech model. Tests: the CLI's modelChecks.test.ts. */
import * as AnswerReader from "@winnow/adapters/model/answer/AnswerReader";
import { LlmClient } from "@winnow/adapters/model/provider/LlmClient";
import * as OpenAiClient from "@winnow/adapters/model/provider/OpenAiClient";
import { checkLanguageModel, checkSpeechModel } from "@winnow/adapters/model/ModelCheck";
import type { MediaProgramOptions } from "@winnow/adapters/programs/LocalMedia";
import type { LlmServer } from "@winnow/adapters/model-server/Sdk";
import * as FfmpegMediaReader from "@winnow/adapters/model/media/FfmpegMediaReader";
import * as OpenAiAnalyst from "@winnow/adapters/model/OpenAiAnalyst";
import * as OpenAiTranscriber from "@winnow/adapters/speech/OpenAiTranscriber";
import * as FfmpegSoundReader from "@winnow/adapters/speech/FfmpegSoundReader";
import * as Transcriptions from "@winnow/adapters/speech/Transcriptions";
import { requirePackage } from "@winnow/adapters/runtime/OptionalPackage";
import { type AnalysisRequest, Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { localModelOf, STAND_IN_MODEL, STAND_IN_NOTE } from "../settings/ModelSettings.ts";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import type { StartFailed } from "../settings/StartFailed.ts";
import { programSettings, started } from "./programs.ts";

/** Server of the speech model: that of the language model, unless another one is set. */
const speechServer = (settings: Settings): LlmServer => {
  const { llmBaseUrl, openaiApiKey, speechApiKey, speechBaseUrl } = settings;
  // A key is only sent to its own server.
  return speechBaseUrl === null
    ? { apiKey: speechApiKey ?? openaiApiKey, baseUrl: llmBaseUrl }
    : { apiKey: speechApiKey, baseUrl: speechBaseUrl };
};

/** What reads the files of runs, with the programs and the sandbox of the settings. */
const onFiles = <A, E>(
  settings: Settings,
  workDir: string,
  layer: (options: MediaProgramOptions) => Layer.Layer<A, E>
): Layer.Layer<A, E> =>
  Layer.unwrap(
    Effect.map(programSettings(settings), (programs) =>
      layer({ workDir, programs, sandbox: settings.sandbox })
    )
  );

/** Both need its package. */
const withOpenai = <A, E>(layer: Layer.Layer<A, E>) =>
  Layer.unwrap(Effect.as(requirePackage("openai"), layer));

/** The client of the language model, which its analyst and `winnow check` ask. */
const llmClient = (settings: Settings, model: string) => {
  const { llmBaseUrl: baseUrl, llmTranscriptionModel, openaiApiKey: apiKey, speechModel } = settings;
  const transcription =
    speechModel === null || localModelOf(speechModel) !== null
      ? { transcriptionModel: llmTranscriptionModel }
      : { transcriptionModel: speechModel, transcriptionServer: speechServer(settings) };
  return OpenAiClient.layer({
    apiKey,
    baseUrl,
    model,
    preset: settings.llmPreset ?? undefined,
    silenceMs: settings.llmTimeoutSeconds * 1_000,
    concurrencyMax: settings.llmConcurrency ?? undefined,
    ...transcription
  });
};

const speechClient = (settings: Settings, model: string) =>
  Transcriptions.layer({ ...speechServer(settings), model });

/** Asks the language model, if there is one, and says what its server reads at once. */
export const askLanguageModel = Effect.fnUntraced(function* (settings: Settings, model: string) {
  const told = Effect.all([checkLanguageModel, LlmClient.use(({ contextTokens }) => contextTokens)]);
  const [check, contextTokens] = yield* Effect.provide(told, llmClient(settings, model));
  return { check, contextTokens };
});

export const askSpeechModel = (settings: Settings, model: string) =>
  Effect.provide(checkSpeechModel, speechClient(settings, model));

/** Each result says that no language model read it. */
const marked = Layer.effect(
  Analyst,
  Effect.map(Analyst, (analyst) => ({
    ...analyst,
    analyse: (request: AnalysisRequest) =>
      Effect.map(analyst.analyse(request), (analysis) => ({
        ...analysis,
        warnings: [STAND_IN_NOTE, ...analysis.warnings]
      }))
  }))
);

export const analyst = (
  settings: Settings,
  model: string,
  workDir: string
): Layer.Layer<Analyst, StartFailed> => {
  const reader = started(
    settings,
    withOpenai(
      OpenAiAnalyst.layer({ contextTokens: settings.llmContextTokens }).pipe(
        Layer.provide([
          llmClient(settings, model),
          onFiles(settings, workDir, FfmpegMediaReader.layer),
          AnswerReader.layerWith({ sandbox: settings.sandbox })
        ])
      )
    ),
    told`${SETTINGS.openaiApiKey} and ${SETTINGS.llmModel}`
  );
  return model === STAND_IN_MODEL ? Layer.provide(marked, reader) : reader;
};

/** The speech model, which works without a language model. */
export const transcriber = (
  settings: Settings,
  model: string,
  workDir: string
): Layer.Layer<never, StartFailed> =>
  started(
    settings,
    withOpenai(
      OpenAiTranscriber.layer.pipe(
        Layer.provide([speechClient(settings, model), onFiles(settings, workDir, FfmpegSoundReader.layer)])
      )
    ),
    told`${SETTINGS.speechModel}`
  );
