/**
 * The thin edge over the `openai` SDK: chat completions and transcriptions of the operator's own server.
 * It goes to the address of the settings only, not through the egress guard.
 *
 * Nothing that leaves here names a key, an address, a prompt or a provider's words.
 */
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import type { JsonObject } from "@winnow/core/domain/SchemaRules";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Capabilities, ResponseMode } from "./Capabilities.ts";
import { completion } from "./Completions.ts";
import { makeKnownCapabilities } from "./KnownCapabilities.ts";
import type { InputTooLong, ModalityRefused } from "./LlmFailures.ts";
import { openSdk } from "./Sdk.ts";
import { transcription } from "./Transcriptions.ts";

export interface LlmServer {
  /** Null for servers that ask for none. */
  readonly apiKey: Redacted.Redacted | null;
  /** Null is OpenAI's own. */
  readonly baseUrl: string | null;
}

export interface LlmSettings extends LlmServer {
  readonly model: string;
  /** Of the transcription endpoint. */
  readonly transcriptionModel: string;
  /** Where that endpoint is, if not at the same server. */
  readonly transcriptionServer?: LlmServer;
}

export interface CompletionRequest {
  readonly messages: ReadonlyArray<ChatCompletionMessageParam>;
  /** What the answer must look like, in the provider's subset; null for words. */
  readonly schema: JsonObject | null;
  /** The strongest way to try: schemas over the limits of strict mode begin lower. */
  readonly strongest: ResponseMode;
  readonly maxOutputTokens: number;
}

export interface Completion {
  readonly text: string;
  /** Whether the answer met the limit of output tokens and is not whole. */
  readonly isCut: boolean;
}

export interface TranscriptionRequest {
  /** As from `fs.openAsBlob`: a retry reads it again. */
  readonly audio: Blob;
  /** Its ending tells the server the format. */
  readonly filename: string;
}

export interface TranscriptionSegment {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface Transcription {
  readonly text: string;
  /** Without those that are probably no speech; empty where the server tells no times. */
  readonly segments: ReadonlyArray<TranscriptionSegment>;
  /** Whether the server told times: without segments nothing was said then, whatever `text` holds. */
  readonly hasTimes: boolean;
  /** As the server names it, a tag or an English word; null where it does not. */
  readonly language: string | null;
}

export class LlmClient extends Context.Service<
  LlmClient,
  {
    readonly model: string;

    /** What is known of the server by now. */
    readonly capabilities: Effect.Effect<Capabilities>;

    /**
     * One answer. Steps down from what the server refuses and remembers it. Busy servers, server errors and
     * dropped connections were retried; interruption stops the HTTP request.
     *
     * @fails ModalityRefused when the server takes no pictures or no sound; `capabilities` knows it then
     */
    readonly complete: (
      request: CompletionRequest
    ) => Effect.Effect<Completion, AnalysisFailed | InputTooLong | ModalityRefused>;

    /** @fails ModalityRefused when the server transcribes nothing, InputTooLong when the file is too large */
    readonly transcribe: (
      request: TranscriptionRequest
    ) => Effect.Effect<Transcription, AnalysisFailed | InputTooLong | ModalityRefused>;
  }
>()("@winnow/adapters/openai/LlmClient") {}

export const layer = (settings: LlmSettings): Layer.Layer<LlmClient> =>
  Layer.effect(
    LlmClient,
    Effect.gen(function* () {
      const known = yield* makeKnownCapabilities;
      const sdk = yield* openSdk(settings);
      const { transcriptionServer } = settings;
      const hearing = transcriptionServer === undefined ? sdk : yield* openSdk(transcriptionServer);
      return LlmClient.of({
        model: settings.model,
        capabilities: known.get,
        complete: completion({ sdk, known, model: settings.model }),
        transcribe: transcription({ sdk: hearing, known, model: settings.transcriptionModel })
      });
    })
  );
