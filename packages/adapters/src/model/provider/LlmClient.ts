/**
 * A thin wrapper around the `openai` SDK: chat completions of the operator's server. Uses only the configured address
 * and bypasses the egress guard.
 *
 * Errors never contain a key, an address, a prompt or the provider's message.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { identity } from "effect/Function";
import * as Layer from "effect/Layer";
import * as Semaphore from "effect/Semaphore";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { completion } from "./Completions.ts";
import type { InputTooLong, ModalityRefused } from "../../model-server/LlmFailures.ts";
import { type LlmServer, openSdk } from "../../model-server/Sdk.ts";
import { serverCapabilities } from "../../model-server/ServerCapabilities.ts";
import { type Capabilities, type LlmPreset, presetOf, PRESETS } from "../../model-server/ServerPresets.ts";
import { speechClientOf, SpeechClient } from "../../speech/SpeechClient.ts";

export interface LlmSettings extends LlmServer {
  readonly model: string;
  /** What the server can do; by default that of its address. */
  readonly preset?: LlmPreset | undefined;
  /** Limit on the silence of a server while it answers, in milliseconds; default 3 minutes. */
  readonly silenceMs?: number;
  /** Completions asked for at once; by default one of a server that has one slot, else no limit. */
  readonly concurrencyMax?: number | undefined;
  /** Model of the transcription endpoint. */
  readonly transcriptionModel: string;
  /** Base URL of that endpoint, if it is on another server. */
  readonly transcriptionServer?: LlmServer;
}

export interface CompletionRequest {
  readonly messages: ReadonlyArray<ChatCompletionMessageParam>;
  /** Schema of the answer in the provider's subset; null for plain text. */
  readonly schema: JsonObject | null;
  /** Whether the schema is within the limits of strict mode. */
  readonly isStrict: boolean;
  readonly maxOutputTokens: number;
  /** Asks a thinking model to think less, where the server has a way to say so. */
  readonly thinksLess?: boolean;
}

export interface Completion {
  readonly text: string;
  /** Whether the answer reached the output limit and is truncated. */
  readonly isCut: boolean;
  /** Truncated because the server's context has no more room, as far as that is known. */
  readonly isContextFull: boolean;
  /** The model wrote its thoughts and nothing else. */
  readonly isThoughtAlone: boolean;
}

export class LlmClient extends Context.Service<
  LlmClient,
  {
    readonly model: string;

    /** What the server can do, as far as known. */
    readonly capabilities: Effect.Effect<Capabilities>;

    /**
     * One answer, with fallbacks for unsupported features, which are remembered. Busy servers, server errors and
     * dropped connections have been retried; interruption aborts the HTTP request.
     *
     * @fails ModalityRefused the server accepts no images or no audio, which `capabilities` shows from then on
     */
    readonly complete: (
      request: CompletionRequest
    ) => Effect.Effect<Completion, Failed | InputTooLong | ModalityRefused>;
  }
>()("@winnow/adapters/model/provider/LlmClient") {}

/** With the transcriptions of its server, or of another one. */
export const layer = (settings: LlmSettings): Layer.Layer<LlmClient | SpeechClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { baseUrl, preset = presetOf(baseUrl), silenceMs, transcriptionServer } = settings;
      const sdk = yield* openSdk(settings, silenceMs);
      // A preset says nothing about another server.
      const { sayings, transcription, transcriptionTimes } = PRESETS.other;
      const server = yield* serverCapabilities(
        preset,
        transcriptionServer === undefined ? {} : { sayings, transcription, transcriptionTimes }
      );
      const { concurrencyMax = (yield* server.get).slots } = settings;
      const turns = concurrencyMax === null ? null : yield* Semaphore.make(concurrencyMax);
      const transcriptionSdk =
        transcriptionServer === undefined ? sdk : yield* openSdk(transcriptionServer, silenceMs);
      const endpoint = { sdk, server, model: settings.model };
      const client = LlmClient.of({
        model: settings.model,
        capabilities: server.get,
        complete: completion({ ...endpoint, inTurn: turns?.withPermit ?? identity })
      });
      const speech = speechClientOf({ sdk: transcriptionSdk, server, model: settings.transcriptionModel });
      return Context.add(Context.make(LlmClient, client), SpeechClient, speech);
    })
  );
