/**
 * Transcriptions: with the times that the server reports, and less of them after a rejection, which is remembered. The
 * time limit follows from the length of the sound.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import * as Schedule from "effect/Schedule";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import type { TranscriptionCreateParamsNonStreaming } from "openai/resources/audio/transcriptions";
import type { Endpoint } from "../model-server/ServerCapabilities.ts";
import type { Transcription, TranscriptionRequest } from "./SpeechClient.ts";
import { InputTooLong, RequestRejected } from "../model-server/LlmFailures.ts";
import { isTooLong } from "../model-server/RequestRejection.ts";
import { countAudio, countCall, silentFor } from "../model-server/Sdk.ts";
import { TRANSCRIPTION_TIMES, type TranscriptionTimes } from "../model-server/ServerPresets.ts";
import { heardSeconds, transcriptionIn } from "./SpeechAnswer.ts";
import {
  faultOfAnswer,
  faultOfRejection,
  isEndpointMissing,
  makeSpeechWarning,
  noTranscription,
  soundRejected,
  SpeechFault,
  speechFaultOf,
  tookTooLong,
  TranscriptionRefused
} from "./SpeechFailures.ts";

/** A server that needs four times the sound's length still answers, one that stalls is given up. */
export const LIMIT_MS = 60_000;
export const LIMIT_MS_PER_SECOND = 4_000;

/** The limit on silence comes after ours, which covers repetitions too. */
const SILENCE_MARGIN_MS = 60_000;

/** Retries of a broken answer, which the SDK does not retry. */
const BROKEN_OFF_RETRIES_MAX = 2;
const BROKEN_OFF_BACKOFF = Schedule.exponential("500 millis");

/** Seconds or bytes as servers state them: "audio duration 1500 s is longer than 1400 seconds". */
const TOO_MUCH_SOUND = /longer than|too (?:long|large|big)|maximum (?:content|file|audio)|size limit|exceed/u;

const isTooMuch = (rejected: RequestRejected): boolean =>
  isTooLong(rejected) || TOO_MUCH_SOUND.test(rejected.words.toLowerCase());

const FORMATS: Readonly<Record<TranscriptionTimes, Partial<TranscriptionCreateParamsNonStreaming>>> = {
  words: { response_format: "verbose_json", timestamp_granularities: ["segment", "word"] },
  segments: { response_format: "verbose_json", timestamp_granularities: ["segment"] },
  none: { response_format: "json" }
};

const PARAMETERS: Readonly<Record<TranscriptionTimes, string>> = {
  words: "",
  segments: "timestamp_granularities (word)",
  none: "response_format (verbose_json)"
};

/** About the format that has times, and not about whose times. */
const isAboutFormat = ({ param, words }: RequestRejected): boolean => {
  const text = `${param ?? ""} ${words}`.toLowerCase();
  return /response_?format|verbose_json/u.test(text) && !text.includes("granularit");
};

/** No times at all if the server rejects the format that has them; else one step less. */
const lessThan = (times: TranscriptionTimes, rejected: RequestRejected) =>
  times !== "none" && isAboutFormat(rejected)
    ? "none"
    : TRANSCRIPTION_TIMES[TRANSCRIPTION_TIMES.indexOf(times) + 1];

const isAboutLanguage = ({ param, words }: RequestRejected): boolean =>
  param === "language" || /\blanguage\b/u.test(words.toLowerCase());

type CallOutcome = Parameters<typeof countCall>[1];

const outcomeOf = (exit: Exit.Exit<Transcription, SpeechFault | RequestRejected>): CallOutcome => {
  if (Exit.isSuccess(exit)) return "ok";
  if (Exit.hasInterrupts(exit)) return "interrupted";
  const error = Exit.findErrorOption(exit);
  if (error._tag === "None") return "error";
  if (error.value._tag === "RequestRejected") return "refused";
  return error.value.failure.reason === "speech_timeout" ? "timeout" : "error";
};

/** One request with its repetitions after 429, 5xx, a lost connection or a broken answer. */
const ask = Effect.fnUntraced(function* (
  { sdk, model }: Endpoint,
  request: TranscriptionRequest,
  times: TranscriptionTimes
) {
  const client = yield* sdk;
  const { meter } = yield* CurrentRun;
  const limitMs = Math.ceil(LIMIT_MS + LIMIT_MS_PER_SECOND * request.soundSeconds);
  const body: TranscriptionCreateParamsNonStreaming = {
    model,
    file: new File([request.audio], request.filename, { type: request.audio.type }),
    ...(request.language === null ? {} : { language: request.language }),
    ...FORMATS[times]
  };
  const startedAtMs = yield* Clock.currentTimeMillis;
  return yield* Effect.tryPromise({
    try: (signal): Promise<unknown> =>
      client.audio.transcriptions.create(body, {
        signal,
        fetchOptions: silentFor(limitMs + SILENCE_MARGIN_MS)
      }),
    catch: speechFaultOf
  }).pipe(
    Effect.flatMap((answer) => {
      const read = transcriptionIn(answer);
      if (!("segments" in read)) return Effect.fail(faultOfAnswer(read));
      const audioSeconds = heardSeconds(answer);
      const usage = { inputTokens: null, outputTokens: null, requests: 1, audioSeconds };
      return Effect.as(Effect.andThen(meter.report(usage), countAudio(model, audioSeconds ?? 0)), read);
    }),
    Effect.retry({
      while: ({ _tag }) => _tag === "AnswerTruncated",
      times: BROKEN_OFF_RETRIES_MAX,
      schedule: BROKEN_OFF_BACKOFF
    }),
    Effect.catchTag("AnswerTruncated", () => Effect.fail(noTranscription)),
    Effect.timeoutOrElse({ duration: limitMs, orElse: () => Effect.fail(tookTooLong) }),
    Effect.onExit((exit) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        countCall(model, outcomeOf(exit), (nowMs - startedAtMs) / 1_000)
      )
    )
  );
});

/** With ever less in the request, as long as the server rejects it. */
const askWithLess = Effect.fnUntraced(function* (endpoint: Endpoint, request: TranscriptionRequest) {
  const { server } = endpoint;
  const first = (yield* server.get).transcriptionTimes;
  let [times, language] = [first, request.language];
  for (;;) {
    const answer = yield* Effect.result(ask(endpoint, { ...request, language }, times));
    if (Result.isSuccess(answer)) {
      if (times !== first) {
        yield* server.reject(PARAMETERS[times], (now) =>
          now.transcriptionTimes === times ? now : { ...now, transcriptionTimes: times }
        );
      }
      return answer.success;
    }
    const rejected = answer.failure;
    if (rejected._tag !== "RequestRejected") return yield* rejected;
    if (isTooMuch(rejected)) return yield* new InputTooLong();
    if (isEndpointMissing(rejected)) {
      yield* server.reject("/audio/transcriptions", (now) =>
        now.transcription ? { ...now, transcription: false } : now
      );
    }
    const fault = faultOfRejection(rejected);
    if (fault !== null) return yield* fault;
    if (language !== null && isAboutLanguage(rejected)) {
      language = null;
      continue;
    }
    const less = lessThan(times, rejected);
    if (less === undefined) return yield* soundRejected(rejected);
    times = less;
  }
});

export const transcription = (endpoint: Endpoint) => {
  const warn = makeSpeechWarning();
  return Effect.fn("LlmClient.transcribe")((request: TranscriptionRequest) =>
    askWithLess(endpoint, request).pipe(
      Effect.tapErrorTag("SpeechFault", (fault) => warn(endpoint.model, fault)),
      Effect.catchTag("SpeechFault", ({ failure, isRefused }) =>
        Effect.fail(isRefused ? new TranscriptionRefused({ failure }) : failure)
      )
    )
  );
};
