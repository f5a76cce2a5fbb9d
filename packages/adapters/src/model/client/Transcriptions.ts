/** Transcriptions, with times if the server reports them, otherwise as a single text. */
import * as Effect from "effect/Effect";
import type {
  TranscriptionSegment as TranscriptionSegmentTold,
  TranscriptionVerbose
} from "openai/resources/audio/transcriptions";
import type { Endpoint } from "./Completions.ts";
import type { Transcription, TranscriptionRequest, TranscriptionSegment } from "./LlmClient.ts";
import {
  finalFailureOf,
  InputTooLong,
  ModalityRefused,
  type RequestRejected,
  unexplained
} from "./LlmFailures.ts";
import { isTooLong } from "./RequestRejection.ts";
import { call } from "./Sdk.ts";

/** Segments come with verbose_json only. */
interface Answer {
  readonly text?: string;
  readonly segments?: TranscriptionVerbose["segments"];
  /** For servers that report times of words but not of segments. */
  readonly words?: TranscriptionVerbose["words"];
  readonly language?: string;
}

/** Speech models invent words over silence, and report the probability that there is no speech. */
const NO_SPEECH_MAX = 0.6;

/** Above this confidence, a segment counts as speech anyway, as in openai/whisper. */
const SURE_LOGPROB_MIN = -0.5;

/** A pause of this length, or this many words, ends a segment built from words. */
const WORD_GAP_SECONDS_MAX = 0.8;
const WORDS_MAX = 16;

type Words = NonNullable<Answer["words"]>;

const ofWords = (words: Words): ReadonlyArray<TranscriptionSegment> => {
  const groups: Array<Array<Words[number]>> = [];
  for (const word of words) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const isNext = before !== undefined && word.start - before.end <= WORD_GAP_SECONDS_MAX;
    if (last !== undefined && isNext && last.length < WORDS_MAX) last.push(word);
    else groups.push([word]);
  }
  return groups.map((group) => ({
    text: group.map(({ word }) => word.trim()).join(" "),
    startSeconds: group[0]?.start ?? 0,
    endSeconds: group.at(-1)?.end ?? 0
  }));
};

const isSpeech = ({ no_speech_prob, avg_logprob }: TranscriptionSegmentTold): boolean =>
  !(no_speech_prob > NO_SPEECH_MAX) || avg_logprob > SURE_LOGPROB_MIN;

const read = ({ text, segments = [], words = [], language }: Answer): Transcription => ({
  text: text ?? "",
  segments:
    segments.length === 0
      ? ofWords(words)
      : segments
          .filter(isSpeech)
          .map(({ text, start, end }) => ({ text: text.trim(), startSeconds: start, endSeconds: end })),
  hasTimes: segments.length > 0 || words.length > 0,
  language: language ?? null
});

/** Seconds or bytes as servers state them: "audio duration 1500 s is longer than 1400 seconds". */
const TOO_MUCH_SOUND = /longer than|too (?:long|large|big)|maximum (?:content|file|audio)|size limit|exceed/u;

const isTooMuch = (refused: RequestRejected): boolean =>
  isTooLong(refused) || TOO_MUCH_SOUND.test(refused.words.toLowerCase());

export const transcription = ({ sdk, server, model }: Endpoint) => {
  const ask = (request: TranscriptionRequest, withTimes: boolean) =>
    call(sdk, model, {
      send: (client, options) =>
        client.audio.transcriptions.create(
          {
            model,
            file: new File([request.audio], request.filename, { type: request.audio.type }),
            ...(withTimes
              ? { response_format: "verbose_json" as const, timestamp_granularities: ["segment" as const] }
              : { response_format: "json" as const })
          },
          options
        )
    });

  return Effect.fn("LlmClient.transcribe")(function* (request: TranscriptionRequest) {
    const { transcription: isSupported, transcriptionTimes } = yield* server.get;
    const refused = new ModalityRefused({ modality: "transcription" });
    if (!isSupported) return yield* refused;
    if (transcriptionTimes) {
      const answer = yield* Effect.catchTag(
        ask(request, true),
        "RequestRejected",
        Effect.fnUntraced(function* (error) {
          if (error.status === 500) return yield* unexplained(error);
          return isTooMuch(error) ? yield* new InputTooLong() : null;
        })
      );
      if (answer !== null) return read(answer);
    }
    const answer = yield* Effect.catchTag(
      ask(request, false),
      "RequestRejected",
      Effect.fnUntraced(function* (error) {
        if (isTooMuch(error)) return yield* new InputTooLong();
        if (error.status === 500) return yield* unexplained(error);
        // Unreadable files are rejected too, and a missing model may be installed; only a missing endpoint is permanent.
        const isMissing = error.status === 404 || error.status === 405 || error.status === 501;
        if (isMissing && finalFailureOf(error) === null) {
          yield* server.reject("/audio/transcriptions", (now) =>
            now.transcription ? { ...now, transcription: false } : now
          );
        }
        return yield* refused;
      })
    );
    if (transcriptionTimes) {
      yield* server.reject("response_format (verbose_json)", (now) =>
        now.transcriptionTimes ? { ...now, transcriptionTimes: false } : now
      );
    }
    return read(answer);
  });
};
