/**
 * Failures of transcription calls: what a server's error means for the run, in words for callers, and the status and
 * code for the operator's log. Neither contains a key, an address or the server's message. Tests: Transcriptions.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Failed, type SPEECH_FAILURE_REASONS } from "@winnow/core/domain/source/Failed";
import type { FaultKind, ServerFault } from "../model-server/ServerFault.ts";

/** The server does not transcribe, or not this; a language model may take the audio as it is. */
export class TranscriptionRefused extends Schema.TaggedError<TranscriptionRefused>()("TranscriptionRefused", {
  failure: Failed
}) {}

/** A failure with what the server said about it, as far as the operator's log may have it. */
export class SpeechFault extends Schema.TaggedError<SpeechFault>()("SpeechFault", {
  failure: Failed,
  /** As {@link TranscriptionRefused}. */
  isRefused: Schema.Boolean,
  status: Schema.NullOr(Schema.Int),
  code: Schema.NullOr(Schema.String)
}) {}

interface Meaning {
  readonly reason: (typeof SPEECH_FAILURE_REASONS)[number];
  readonly message: string;
  readonly isRefused?: boolean;
}

const NO_TRANSCRIPTION: Meaning = {
  reason: "speech_unavailable",
  message: "The server of the speech model did not answer with a transcription."
};

const MEANINGS = {
  denied: { reason: "speech_misconfigured", message: "The server of the speech model denied access." },
  quota: {
    reason: "speech_misconfigured",
    message: "The operator's quota at the provider of the speech model is used up."
  },
  filtered: {
    reason: "speech_unavailable",
    message: "The provider of the speech model filters this sound."
  },
  no_model: {
    reason: "speech_misconfigured",
    message: "The speech model is not available at its server.",
    isRefused: true
  },
  no_endpoint: {
    reason: "speech_misconfigured",
    message: "The server of the speech model has no transcriptions at its address.",
    isRefused: true
  },
  rejected: {
    reason: "speech_unavailable",
    message: "The speech model rejected the audio.",
    isRefused: true
  },
  busy: { reason: "speech_unavailable", message: "The server of the speech model is limiting requests." },
  failed: { reason: "speech_unavailable", message: "The server of the speech model failed." },
  unreachable: {
    reason: "speech_unavailable",
    message: "The server of the speech model cannot be reached."
  },
  silent: { reason: "speech_timeout", message: "The speech model took too long for the sound." },
  too_large: NO_TRANSCRIPTION,
  broken: NO_TRANSCRIPTION,
  fault_inside: NO_TRANSCRIPTION
} as const satisfies Readonly<Record<Exclude<FaultKind, "too_long"> | "no_endpoint", Meaning>>;

/** A code for the log; anything long is none. */
const CODE = /^[\w.-]{1,100}$/u;

export const speechFault = (
  { status, refusal: { codes } }: ServerFault,
  means: keyof typeof MEANINGS
): SpeechFault => {
  const { reason, message, isRefused = false }: Meaning = MEANINGS[means];
  const code = codes.find((each) => CODE.test(each)) ?? null;
  return new SpeechFault({ failure: new Failed({ reason, message }), isRefused, status, code });
};

const WARNING_INTERVAL_MS = 60_000;

/** Tells the operator about a failure: the first, and at most one a minute with the number of those in between. */
export const makeSpeechWarning = () => {
  let [lastAtMs, unsaid] = [Number.NEGATIVE_INFINITY, 0];
  return Effect.fnUntraced(function* (model: string, { failure, status, code }: SpeechFault) {
    const nowMs = yield* Clock.currentTimeMillis;
    if (nowMs - lastAtMs < WARNING_INTERVAL_MS) {
      unsaid += 1;
      return;
    }
    const others = unsaid;
    [lastAtMs, unsaid] = [nowMs, 0];
    yield* Effect.logWarning("A transcription failed").pipe(
      Effect.annotateLogs({ reason: failure.reason, status, code, model, othersSince: others })
    );
  });
};
