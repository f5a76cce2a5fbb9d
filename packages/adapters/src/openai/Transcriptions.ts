/** Transcriptions, with times where the server tells them and as one text where it does not. */
import * as Effect from "effect/Effect";
import * as Ref from "effect/Ref";
import type { TranscriptionVerbose } from "openai/resources/audio/transcriptions";
import { isTooLong, without } from "./Capabilities.ts";
import type { Endpoint } from "./Completions.ts";
import type { Transcription, TranscriptionRequest } from "./LlmClient.ts";
import { InputTooLong, ModalityRefused } from "./LlmFailures.ts";
import { call } from "./Sdk.ts";

/** Segments come with verbose_json only. */
interface Answer {
  readonly text?: string;
  readonly segments?: TranscriptionVerbose["segments"];
}

/** Speech models invent words over silence, and say themselves how likely it is none. */
const NO_SPEECH_MAX = 0.6;

const read = ({ text, segments }: Answer): Transcription => ({
  text: text ?? "",
  segments: (segments ?? [])
    .filter(({ no_speech_prob }) => !(no_speech_prob > NO_SPEECH_MAX))
    .map(({ text, start, end }) => ({ text: text.trim(), startSeconds: start, endSeconds: end })),
  hasTimes: segments !== undefined && segments.length > 0
});

export const transcription = ({ sdk, known, model }: Endpoint) => {
  const ask = (request: TranscriptionRequest, withTimes: boolean) =>
    call(sdk, model, (client, signal) =>
      client.audio.transcriptions.create(
        {
          model,
          file: new File([request.audio], request.filename, { type: request.audio.type }),
          ...(withTimes
            ? { response_format: "verbose_json" as const, timestamp_granularities: ["segment" as const] }
            : { response_format: "json" as const })
        },
        { signal }
      )
    );

  return Effect.fn("LlmClient.transcribe")(function* (request: TranscriptionRequest) {
    const { transcription: taken, transcriptionTimes } = yield* Ref.get(known);
    const refused = new ModalityRefused({ modality: "transcription" });
    if (!taken) return yield* refused;
    if (transcriptionTimes) {
      const answer = yield* Effect.catchTag(ask(request, true), "RequestRefused", (error) =>
        isTooLong(error) ? Effect.fail(new InputTooLong()) : Effect.succeed(null)
      );
      if (answer !== null) return read(answer);
    }
    const answer = yield* Effect.catchTag(
      ask(request, false),
      "RequestRefused",
      Effect.fnUntraced(function* (error) {
        if (isTooLong(error)) return yield* new InputTooLong();
        // A file that cannot be read is refused too; only an address without the endpoint is for good.
        if (error.status === 404 || error.status === 405 || error.status === 501) {
          yield* Ref.update(known, (now) => without(now, "transcription"));
        }
        return yield* refused;
      })
    );
    if (transcriptionTimes) yield* Ref.update(known, (now) => without(now, "transcriptionTimes"));
    return read(answer);
  });
};
