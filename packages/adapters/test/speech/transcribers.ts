/** The Transcriber on a server of transcriptions, for tests. */
import * as FfmpegMediaReader from "../../src/model/media/FfmpegMediaReader.ts";
import * as LlmClient from "../../src/model/provider/LlmClient.ts";
import * as OpenAiClient from "../../src/model/provider/OpenAiClient.ts";
import type { SoundReader } from "../../src/speech/SoundReader.ts";
import type { SpeechClient } from "../../src/speech/SpeechClient.ts";
import * as OpenAiTranscriber from "../../src/speech/OpenAiTranscriber.ts";
import * as Layer from "effect/Layer";

export const listeningTo = (
  baseUrl: string,
  workDir: string
): Layer.Layer<LlmClient.LlmClient | SoundReader | SpeechClient> =>
  Layer.mergeAll(
    OpenAiClient.layer({ apiKey: null, baseUrl, model: "ear", transcriptionModel: "ear" }),
    Layer.orDie(FfmpegMediaReader.layer({ workDir }))
  );

export const transcriberOf = (baseUrl: string, workDir: string): Layer.Layer<never> =>
  Layer.provide(OpenAiTranscriber.layer, listeningTo(baseUrl, workDir));
