/**
 * How calls of the model fail, and in which words callers hear of it: never a key, an address, a prompt
 * or what the provider said, which may repeat any of them.
 */
import { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Schema from "effect/Schema";
import type { RefusedRequest } from "./Capabilities.ts";

/** The parts are more than the model reads at once; fewer of them may do. */
export class InputTooLong extends Schema.TaggedError<InputTooLong>()("InputTooLong", {}) {}

/** The model takes no such parts, which is remembered: ask again without them. */
export class ModalityRefused extends Schema.TaggedError<ModalityRefused>()("ModalityRefused", {
  modality: Schema.Literals(["image", "audio", "transcription"])
}) {}

/** The server understood the call and would not have it (400, 404, 405, 413, 415, 422, 501). Stays in this folder. */
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

export const timedOut = new AnalysisFailed({
  reason: "timeout",
  message: "The language model took too long to answer."
});

const REFUSING = new Set([400, 404, 405, 413, 415, 422, 501]);

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
  if (status === 401 || status === 403) return "The provider of the language model refused the access.";
  if (status === 402) return "The provider of the language model asks for payment.";
  if (status === 429) return "The provider of the language model is over its limit; try again later.";
  return `The provider of the language model answered with status ${status}.`;
};

const NOT_REACHED = "The provider of the language model cannot be reached.";

export const notWhole = modelError("The provider of the language model did not finish its answer.");

/** Of what the SDK threw, after its retries. Its own errors are named API...; others met it at the body. */
export const failureOf = (thrown: unknown): AnalysisFailed | RequestRefused | BrokenOff => {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as ProviderError;
  const name = thrown instanceof Error ? thrown.constructor.name : "";
  if (name === "APIConnectionTimeoutError") return timedOut;
  if (!name.startsWith("API") && typeof error.status !== "number") return new BrokenOff();
  if (typeof error.status !== "number") return modelError(NOT_REACHED);
  if (!REFUSING.has(error.status)) return modelError(byStatus(error.status));
  return new RequestRefused({
    status: error.status,
    param: textOrNull(error.param),
    code: textOrNull(error.code),
    words: wordsOf(error)
  });
};

/** A refused request that no feature explains. */
export const unexplained = ({ status }: RefusedRequest): AnalysisFailed =>
  modelError(
    status === 404
      ? "The language model was not found at its provider."
      : `The provider of the language model refused the request with status ${status}.`
  );
