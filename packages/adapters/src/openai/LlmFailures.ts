/**
 * How calls of the model fail, and in which words callers hear of it: never a key, an address, a prompt
 * or what the provider said, which may repeat any of them.
 */
import { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Schema from "effect/Schema";
import type { RefusedRequest } from "./Capabilities.ts";
import { FaultInside } from "./CompletionText.ts";
import { AnswerTooLarge } from "./ProviderFetch.ts";
import { verdictOn } from "./ProviderVerdicts.ts";

/** The parts are more than the model reads at once; fewer of them may do. */
export class InputTooLong extends Schema.TaggedError<InputTooLong>()("InputTooLong", {}) {}

/** The model takes no such parts, which is remembered: ask again without them. */
export class ModalityRefused extends Schema.TaggedError<ModalityRefused>()("ModalityRefused", {
  modality: Schema.Literals(["image", "audio", "transcription"])
}) {}

/** The server understood the call and would not have it (400, 404, 405, 413, 415, 422), or broke on it (500, 501). Stays in this folder. */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  status: Schema.Int,
  param: Schema.NullOr(Schema.String),
  code: Schema.NullOr(Schema.String),
  words: Schema.String
}) {}

/** The answer began and did not come to its end, which the SDK does not retry. Stays in this folder. */
export class BrokenOff extends Schema.TaggedError<BrokenOff>()("BrokenOff", {}) {}

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

/** A refusal that asking for less does not mend; null for others. */
export const finalFailureOf = (refused: RefusedRequest): AnalysisFailed | null => {
  const reason = verdictOn(refused);
  return reason === null ? null : failedAs(reason);
};

const tooLarge = invalidOutput("The output of the language model is too large.");

export const timedOut = new AnalysisFailed({
  reason: "timeout",
  message: "The language model took too long to respond."
});

/** 500 too: there are servers that break on what they do not take. */
const REFUSING = new Set([400, 404, 405, 413, 415, 422, 500, 501]);

/** What the SDK throws of an answer of the server; its classes are not loaded here. */
interface ProviderError {
  readonly status?: unknown;
  readonly param?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly message?: unknown;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const wordsOf = ({ error, message }: ProviderError): string => {
  const said = textOrNull((error as { readonly message?: unknown } | undefined)?.message);
  return said ?? textOrNull(message) ?? "";
};

const byStatus = (status: number): string => {
  if (status === 401 || status === 403) return "The provider of the language model denied access.";
  if (status === 402) return "The provider of the language model requires payment.";
  if (status === 429) return "The provider of the language model is rate limiting requests; try again later.";
  return `The provider of the language model responded with status ${status}.`;
};

const NOT_REACHED = "The provider of the language model cannot be reached.";

export const notWhole = modelError("The provider of the language model did not complete its response.");

/** Faults inside of an answer are passing ones unless they say otherwise. */
const insideFailure = ({ fault }: FaultInside): AnalysisFailed | BrokenOff => {
  const said = {
    status: 200,
    param: null,
    code: textOrNull(fault["code"]),
    words: textOrNull(fault["message"]) ?? ""
  };
  return finalFailureOf(said) ?? new BrokenOff();
};

/** Of what the SDK threw, after its retries. Its own errors are named API...; others met it at the body. */
export const failureOf = (thrown: unknown): AnalysisFailed | RequestRefused | BrokenOff => {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as ProviderError;
  if (thrown instanceof AnswerTooLarge) return tooLarge;
  if (thrown instanceof FaultInside) return insideFailure(thrown);
  const name = thrown instanceof Error ? thrown.constructor.name : "";
  if (name === "APIConnectionTimeoutError") return timedOut;
  if (!name.startsWith("API") && typeof error.status !== "number") return new BrokenOff();
  if (typeof error.status !== "number") return modelError(NOT_REACHED);
  const { status } = error;
  const said = {
    status,
    param: textOrNull(error.param),
    code: textOrNull(error.code),
    words: wordsOf(error)
  };
  if (REFUSING.has(status)) return new RequestRefused(said);
  return (status === 401 || status >= 500 ? null : finalFailureOf(said)) ?? modelError(byStatus(status));
};

/** A refused request that no feature explains. */
export const unexplained = ({ status }: RefusedRequest): AnalysisFailed =>
  status === 404
    ? failedAs("model_unavailable")
    : modelError(
        status >= 500
          ? byStatus(status)
          : `The provider of the language model rejected the request with status ${status}.`
      );
