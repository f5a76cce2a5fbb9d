/** The Transcriber on any server that speaks OpenAI's transcription endpoint. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Failed } from "@winnow/core/domain/source/Failed";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import { SoundReader } from "./SoundReader.ts";
import { transcribeSound } from "./transcribeSound.ts";
import { SpeechClient } from "./SpeechClient.ts";

const unavailable = (message: string) => new Failed({ reason: "speech_unavailable", message });

export const layer: Layer.Layer<never, never, SoundReader | SpeechClient> = Layer.effect(
  Transcriber,
  Effect.gen(function* () {
    const services = yield* Effect.context<SoundReader | SpeechClient>();
    const { model } = yield* SpeechClient;
    return {
      model,
      transcribe: Effect.fn("Transcriber.transcribe")(
        function* (file, { language }) {
          const reader = yield* SoundReader;
          const sound = yield* reader.sound(file);
          return sound === null ? null : yield* transcribeSound(sound, language);
        },
        (transcribing) =>
          Effect.scoped(transcribing).pipe(
            Effect.provideContext(services),
            Effect.mapError((failure) => {
              switch (failure._tag) {
                case "Failed":
                  return failure;
                case "TranscriptionRefused":
                  return failure.failure;
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
