/**
 * Failures of model calls, and their messages for callers, which never contain a key, an address, a prompt or the
 * provider's message.
 */
import { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Schema from "effect/Schema";
import type { RequestRejection } from "./RequestRejection.ts";
import { FaultInside } from "./CompletionText.ts";
import { AnswerTooLarge, verdictOn } from "./ProviderVerdicts.ts";

/** The parts exceed the model's context; fewer may work. */
export class InputTooLong extends Schema.TaggedError<InputTooLong>()("InputTooLong", {}) {}

const REFUSED_MODALITIES = ["image", "audio", "transcription"] as const;
export type RefusedModality = (typeof REFUSED_MODALITIES)[number];

/** The model does not accept such parts: ask again without them. */
export class ModalityRefused extends Schema.TaggedError<ModalityRefused>()("ModalityRefused", {
  modality: Schema.Literals(REFUSED_MODALITIES)
}) {}

/**
 * The server rejected the request (400, 404, 405, 413, 415, 422) or failed on it (500, 501). Not exposed outside
 * this folder.
 */
export class RequestRejected extends Schema.TaggedError<RequestRejected>()("RequestRejected", {
  status: Schema.Int,
  param: Schema.NullOr(Schema.String),
  code: Schema.NullOr(Schema.String),
  words: Schema.String
}) {}

/** The response was truncated, which the SDK does not retry. Not exposed outside this folder. */
export class AnswerTruncated extends Schema.TaggedError<AnswerTruncated>()("AnswerTruncated", {}) {}

export const modelError = (message: string): AnalysisFailed =>
  new AnalysisFailed({ reason: "model_error", message });

export const invalidOutput = (message: string): AnalysisFailed =>
  new AnalysisFailed({ reason: "invalid_model_output", message });

export const refusedByModel = new AnalysisFailed({
  reason: "model_refused",
  message: "The language model refused this content."
});

const VERDICTS = {
  model_filtered: "The provider of the language model filters this content.",
  model_quota: "The operator's quota at the provider of the language model is used up.",
  model_unavailable: "The language model is not available at its provider."
} as const;

const failedAs = (reason: keyof typeof VERDICTS): AnalysisFailed =>
  new AnalysisFailed({ reason, message: VERDICTS[reason] });

export const filteredByProvider = failedAs("model_filtered");

/** The failure for a rejection that fewer features cannot fix; null for others. */
export const finalFailureOf = (refused: RequestRejection): AnalysisFailed | null => {
  const reason = verdictOn(refused);
  return reason === null ? null : failedAs(reason);
};

const tooLarge = invalidOutput("The output of the language model is too large.");

export const timedOut = new AnalysisFailed({
  reason: "timeout",
  message: "The language model took too long to respond."
});

/** Includes 500, because some servers fail on what they do not support. */
const REFUSING = new Set([400, 404, 405, 413, 415, 422, 500, 501]);

/** The SDK's error for an HTTP status; its classes are not loaded here. */
interface SdkError {
  readonly status?: unknown;
  readonly param?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly message?: unknown;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const wordsOf = ({ error, message }: SdkError): string => {
  const own = textOrNull((error as { readonly message?: unknown } | undefined)?.message);
  return own ?? textOrNull(message) ?? "";
};

const byStatus = (status: number): string => {
  if (status === 401 || status === 403) return "The provider of the language model denied access.";
  if (status === 402) return "The provider of the language model requires payment.";
  if (status === 429) return "The provider of the language model is rate limiting requests; try again later.";
  return `The provider of the language model responded with status ${status}.`;
};

const NOT_REACHED = "The provider of the language model cannot be reached.";

export const incompleteAnswer = modelError(
  "The provider of the language model did not complete its response."
);

/** Errors in a response body are transient unless they say otherwise. */
const insideFailure = ({ fault }: FaultInside): AnalysisFailed | AnswerTruncated => {
  const details = {
    status: 200,
    param: null,
    code: textOrNull(fault["code"]),
    words: textOrNull(fault["message"]) ?? ""
  };
  return finalFailureOf(details) ?? new AnswerTruncated();
};

/**
 * Maps errors of the SDK after its retries. Its own errors are named API...; others occurred while reading the
 * body.
 */
export const failureOf = (thrown: unknown): AnalysisFailed | RequestRejected | AnswerTruncated => {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as SdkError;
  if (thrown instanceof AnswerTooLarge) return tooLarge;
  if (thrown instanceof FaultInside) return insideFailure(thrown);
  const name = thrown instanceof Error ? thrown.constructor.name : "";
  if (name === "APIConnectionTimeoutError") return timedOut;
  if (!name.startsWith("API") && typeof error.status !== "number") return new AnswerTruncated();
  if (typeof error.status !== "number") return modelError(NOT_REACHED);
  const { status } = error;
  const details = {
    status,
    param: textOrNull(error.param),
    code: textOrNull(error.code),
    words: wordsOf(error)
  };
  if (REFUSING.has(status)) return new RequestRejected(details);
  return (status === 401 || status >= 500 ? null : finalFailureOf(details)) ?? modelError(byStatus(status));
};

/** A rejected request that no feature explains. */
export const unexplained = ({ status }: RequestRejection): AnalysisFailed =>
  status === 404
    ? failedAs("model_unavailable")
    : modelError(
        status >= 500
          ? byStatus(status)
          : `The provider of the language model rejected the request with status ${status}.`
      );
