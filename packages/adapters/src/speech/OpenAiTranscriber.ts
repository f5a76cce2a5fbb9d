/**
 * The Transcriber on any server that speaks OpenAI's transcription endpoint.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Transcriber, TranscriptionFailed } from "@winnow/core/ports/Transcriber";
import { MediaReader } from "../model/media/MediaReader.ts";
import { transcribeSound } from "../model/inputs/transcribeSound.ts";
import { LlmClient } from "../model/provider/LlmClient.ts";

const unavailable = (message: string) => new TranscriptionFailed({ reason: "speech_unavailable", message });

export const layer: Layer.Layer<never, never, LlmClient | MediaReader> = Layer.effect(
  Transcriber,
  Effect.gen(function* () {
    const services = yield* Effect.context<LlmClient | MediaReader>();
    const { model } = yield* LlmClient;
    return {
      model,
      transcribe: Effect.fn("Transcriber.transcribe")(
        function* (file, options) {
          const reader = yield* MediaReader;
          const sound = yield* reader.sound(file);
          return sound === null ? null : yield* transcribeSound(sound, options);
        },
        (transcribing) =>
          Effect.scoped(transcribing).pipe(
            Effect.provideContext(services),
            Effect.mapError((failure) => {
              switch (failure._tag) {
                case "TranscriptionFailed":
                  return failure;
                case "TranscriptionRefused":
                  return new TranscriptionFailed({ reason: failure.reason, message: failure.message });
                case "InputTooLong":
                  return unavailable("The speech model does not accept audio of this length.");
                case "MediaUnreadable":
                  return unavailable("The audio could not be read.");
              }
            })
          )
      )
    };
  })
);
