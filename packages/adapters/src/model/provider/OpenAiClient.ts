/**
 * The LlmClient by the `openai` SDK. Uses only the configured address and bypasses the egress guard.
 *
 * Errors never contain a key, an address, a prompt or the provider's message. Tests: LocalServers.test.ts, contexts.test.ts.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { identity } from "effect/Function";
import * as Layer from "effect/Layer";
import * as Semaphore from "effect/Semaphore";
import { completion } from "./Completions.ts";
import { LlmClient } from "./LlmClient.ts";
import { toldContext } from "./toldContext.ts";
import { type LlmServer, openSdk } from "../../model-server/Sdk.ts";
import { serverCapabilities } from "../../model-server/ServerCapabilities.ts";
import { type LlmPreset, presetOf, PRESETS } from "../../model-server/ServerPresets.ts";
import { SpeechClient } from "../../speech/SpeechClient.ts";
import { speechClientOf } from "../../speech/Transcriptions.ts";

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

/** A server may be started again with another context. */
const TOLD_TTL = "15 minutes";

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
      const { slots, tellsContext } = yield* server.get;
      const { concurrencyMax = slots } = settings;
      const told = tellsContext
        ? yield* Effect.cachedWithTTL(toldContext(sdk, settings.model), TOLD_TTL)
        : Effect.succeed(null);
      const contextTokens = Effect.zipWith(told, server.get, (stated, { contextTokens: found }) =>
        stated === null || found === null ? (found ?? stated) : Math.min(found, stated)
      );
      const turns = concurrencyMax === null ? null : yield* Semaphore.make(concurrencyMax);
      const transcriptionSdk =
        transcriptionServer === undefined ? sdk : yield* openSdk(transcriptionServer, silenceMs);
      const endpoint = { sdk, server, model: settings.model };
      const client = LlmClient.of({
        model: settings.model,
        capabilities: server.get,
        contextTokens,
        complete: completion({ ...endpoint, contextTokens, inTurn: turns?.withPermit ?? identity })
      });
      const speech = speechClientOf({ sdk: transcriptionSdk, server, model: settings.transcriptionModel });
      return Context.add(Context.make(LlmClient, client), SpeechClient, speech);
    })
  );
