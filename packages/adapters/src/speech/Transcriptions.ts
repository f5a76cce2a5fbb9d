/**
 * Transcriptions: with the times that the server reports, and less of them after a rejection, which is remembered. The
 * time limit follows from the length of the sound.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import type { TranscriptionCreateParamsNonStreaming } from "openai/resources/audio/transcriptions";
import { type Endpoint, serverCapabilities } from "../model-server/ServerCapabilities.ts";
import { SpeechClient, type TranscriptionRequest } from "./SpeechClient.ts";
import { InputTooLong } from "../model-server/LlmFailures.ts";
import { countAudio } from "../model-server/callMetrics.ts";
import { call, type LlmServer, openSdk, silentFor } from "../model-server/Sdk.ts";
import { explained } from "../model-server/ServerFault.ts";
import { presetOf, TRANSCRIPTION_TIMES, type TranscriptionTimes } from "../model-server/ServerPresets.ts";
import { heardSeconds, transcriptionIn } from "./SpeechAnswer.ts";
import { makeSpeechWarning, speechFault, TranscriptionRefused } from "./SpeechFailures.ts";

/** A server that needs four times the sound's length still answers, one that stalls is given up. */
export const LIMIT_MS = 60_000;
export const LIMIT_MS_PER_SECOND = 4_000;

/** The limit on silence comes after ours, which covers repetitions too. */
const SILENCE_MARGIN_MS = 60_000;

const FORMATS: Readonly<Record<TranscriptionTimes, Partial<TranscriptionCreateParamsNonStreaming>>> = {
  words: { response_format: "verbose_json", timestamp_granularities: ["segment", "word"] },
  segments: { response_format: "verbose_json", timestamp_granularities: ["segment"] },
  none: { response_format: "json" }
};

/** One request with its repetitions after 429, 5xx, a lost connection or a broken answer. */
const ask = Effect.fnUntraced(function* (
  { sdk, model }: Endpoint,
  request: TranscriptionRequest,
  times: TranscriptionTimes
) {
  const { meter } = yield* CurrentRun;
  const limitMs = Math.ceil(LIMIT_MS + LIMIT_MS_PER_SECOND * request.soundSeconds);
  const body: TranscriptionCreateParamsNonStreaming = {
    model,
    file: new File([request.audio], request.filename, { type: request.audio.type }),
    ...(request.language === null ? {} : { language: request.language }),
    ...FORMATS[times]
  };
  const { audioSeconds, heard } = yield* call(sdk, model, {
    limitMs,
    send: async (client, options) => {
      const fetchOptions = silentFor(limitMs + SILENCE_MARGIN_MS);
      const answer: unknown = await client.audio.transcriptions.create(body, { ...options, fetchOptions });
      return { heard: transcriptionIn(answer), audioSeconds: heardSeconds(answer) };
    }
  });
  yield* meter.report({ inputTokens: null, outputTokens: null, requests: 1, audioSeconds });
  yield* countAudio(model, audioSeconds ?? 0);
  return heard;
});

/** Statuses of servers without the endpoint, which need not be asked for it again. */
const MISSING: ReadonlySet<number | null> = new Set([404, 405, 501]);

/** With ever less in the request, as long as the server rejects it: no times, then no language. */
const askWithLess = Effect.fnUntraced(function* (endpoint: Endpoint, request: TranscriptionRequest) {
  const { server } = endpoint;
  const { sayings, transcriptionTimes: first } = yield* server.get;
  let [times, language] = [first, request.language];
  for (;;) {
    const answer = yield* Effect.result(ask(endpoint, { ...request, language }, times));
    if (Result.isSuccess(answer)) {
      if (times !== first) yield* server.learn({ transcriptionTimes: times });
      return answer.success;
    }
    const fault = answer.failure;
    const { means } = explained(fault, sayings);
    if (means === "too_long") return yield* new InputTooLong();
    if ((means === "rejected" || means === "failed") && MISSING.has(fault.status)) {
      yield* server.learn({ transcription: false });
      return yield* speechFault(fault, "no_endpoint");
    }
    if (means !== "rejected")
      return yield* speechFault(fault, means === "image" || means === "audio" ? "rejected" : means);
    const { param } = fault.refusal;
    const less = TRANSCRIPTION_TIMES[TRANSCRIPTION_TIMES.indexOf(times) + 1];
    if (language !== null && (param === "language" || less === undefined)) {
      [times, language] = [param === "language" ? times : first, null];
      continue;
    }
    if (less === undefined) return yield* speechFault(fault, means);
    times = param === "response_format" ? "none" : less;
  }
});

const transcription = (endpoint: Endpoint) => {
  const warn = makeSpeechWarning();
  return Effect.fn("SpeechClient.transcribe")((request: TranscriptionRequest) =>
    askWithLess(endpoint, request).pipe(
      Effect.tapErrorTag("SpeechFault", (fault) => warn(endpoint.model, fault)),
      Effect.catchTag("SpeechFault", ({ failure, isRefused }) =>
        Effect.fail(isRefused ? new TranscriptionRefused({ failure }) : failure)
      )
    )
  );
};

/** On a server that a language model may share, with what is known of it. */
export const speechClientOf = (endpoint: Endpoint): SpeechClient["Service"] =>
  SpeechClient.of({ model: endpoint.model, transcribe: transcription(endpoint) });

export const layer = (settings: LlmServer & { readonly model: string }): Layer.Layer<SpeechClient> =>
  Layer.effect(
    SpeechClient,
    Effect.gen(function* () {
      const sdk = yield* openSdk(settings);
      const server = yield* serverCapabilities(presetOf(settings.baseUrl));
      return speechClientOf({ sdk, server, model: settings.model });
    })
  );
