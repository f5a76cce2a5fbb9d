/**
 * Failures of transcription calls: what a server's error means for the run, in words for callers, and the status and
 * code for the operator's log. Neither contains a key, an address or the server's message.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Failed, type SPEECH_FAILURE_REASONS } from "@winnow/core/domain/source/Failed";
import {
  AnswerTruncated,
  failureOf,
  finalFailureOf,
  type RequestRejected
} from "../model-server/LlmFailures.ts";
import type { AnswerFault } from "./SpeechAnswer.ts";

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

type Reason = (typeof SPEECH_FAILURE_REASONS)[number];

interface Said {
  readonly status?: number | null;
  readonly code?: string | null;
}

const faultOf =
  (isRefused: boolean) =>
  (reason: Reason, message: string, { status = null, code = null }: Said = {}): SpeechFault =>
    new SpeechFault({ failure: new Failed({ reason, message }), isRefused, status, code });

const failed = faultOf(false);
const refused = faultOf(true);

export const tookTooLong = failed("speech_timeout", "The speech model took too long for the sound.");

/** An answer with status 200 that is cut off or no transcription; nothing is known about why. */
export const noTranscription = failed(
  "speech_unavailable",
  "The server of the speech model did not answer with a transcription.",
  { status: 200 }
);

const NO_MODEL = "The speech model is not available at its server.";

type Verdict = NonNullable<ReturnType<typeof finalFailureOf>>["reason"];

/** What no other request to this server can change. */
const final = (verdict: Verdict, said: Said): SpeechFault => {
  switch (verdict) {
    case "model_quota":
      return failed(
        "speech_misconfigured",
        "The operator's quota at the provider of the speech model is used up.",
        said
      );
    case "model_unavailable":
      return refused("speech_misconfigured", NO_MODEL, said);
    case "model_filtered":
      return failed("speech_unavailable", "The provider of the speech model filters this sound.", said);
    default:
      return failed("speech_misconfigured", "The server of the speech model denied access.", said);
  }
};

const byStatus = (status: number, code: string | null): SpeechFault => {
  const said = { status, code };
  if (status === 401 || status === 403) return final("model_error", said);
  if (status === 402) return final("model_quota", said);
  if (status === 429) {
    return failed("speech_unavailable", "The server of the speech model is limiting requests.", said);
  }
  return failed("speech_unavailable", "The server of the speech model failed.", said);
};

/** The code of an error as the SDK has it; anything long is no code. */
const CODE = /^[\w.-]{1,100}$/u;

const codeOf = (code: unknown): string | null => (typeof code === "string" && CODE.test(code) ? code : null);

/** Maps errors of the SDK after its retries. */
export const speechFaultOf = (thrown: unknown): SpeechFault | RequestRejected | AnswerTruncated => {
  const failure = failureOf(thrown);
  if (failure._tag !== "Failed") return failure;
  if (failure.reason === "timeout") return tookTooLong;
  if (failure.reason === "invalid_model_output") return noTranscription;
  const { status, code } = (thrown ?? {}) as { readonly status?: unknown; readonly code?: unknown };
  if (typeof status !== "number") {
    return failed("speech_unavailable", "The server of the speech model cannot be reached.", {
      code: codeOf((thrown as { readonly cause?: { readonly code?: unknown } }).cause?.code)
    });
  }
  return failure.reason === "model_error"
    ? byStatus(status, codeOf(code))
    : final(failure.reason, { status, code: codeOf(code) });
};

/** Statuses of servers without the endpoint. */
const MISSING = new Set([404, 405, 501]);

/** The meaning of a rejection that no other form of the request can change; null if one can. */
export const faultOfRejection = (rejected: RequestRejected): SpeechFault | null => {
  const said = { status: rejected.status, code: codeOf(rejected.code) };
  const verdict = finalFailureOf(rejected);
  if (verdict !== null) return final(verdict.reason, said);
  if (rejected.status === 500) return byStatus(500, said.code);
  return MISSING.has(rejected.status)
    ? refused(
        "speech_misconfigured",
        "The server of the speech model has no transcriptions at its address.",
        said
      )
    : null;
};

/** Whether the server has no such endpoint, which it need not be asked for again. */
export const isEndpointMissing = (rejected: RequestRejected): boolean =>
  MISSING.has(rejected.status) && finalFailureOf(rejected) === null;

export const soundRejected = ({ status, code }: RequestRejected): SpeechFault =>
  refused("speech_unavailable", "The speech model rejected the audio.", { status, code: codeOf(code) });

/** An error in an answer with status 200 passes, unless it says otherwise. */
export const faultOfAnswer = ({ code, words }: AnswerFault): SpeechFault | AnswerTruncated => {
  const verdict = finalFailureOf({ status: 200, param: null, code, words });
  return verdict === null
    ? new AnswerTruncated()
    : final(verdict.reason, { status: 200, code: codeOf(code) });
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
