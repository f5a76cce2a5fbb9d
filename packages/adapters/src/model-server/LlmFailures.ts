/**
 * Failures of model calls: what a provider's error means for the run, and messages for callers, which never contain a
 * key, an address, a prompt or the provider's message.
 */
import * as Schema from "effect/Schema";
import { Failed } from "@winnow/core/domain/source/Failed";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { RequestRejection } from "./RequestRejection.ts";

/** An error in a response with status 200. */
export class FaultInside extends Error {
  readonly fault: JsonObject;

  constructor(fault: JsonObject) {
    super("The response contains an error.");
    this.fault = fault;
  }
}

/** The response exceeds its size limit. */
export class AnswerTooLarge extends Error {}

/** The server sent nothing for longer than it may. */
export class ServerSilent extends Error {}

/** Marks the answer that stands for none; the SDK does not repeat its request. */
export const SILENT_HEADER = "x-winnow-server-silent";

interface ProviderError {
  readonly status: number;
  readonly code: string | null;
  readonly words: string;
}

type Reason = Extract<Failed["reason"], "model_filtered" | "model_quota" | "model_unavailable">;

const FILTERED =
  /content.?filter|content (?:management )?policy|content_policy|usage polic|safety system|responsible.?ai|\bflagged\b|moderation|prohibited.?content|blocked (?:by|due to|for) .{0,40}(?:safety|filter|policy)|data_inspection_failed|inappropriate content/u;

const QUOTA =
  /insufficient.{0,3}(?:quota|balance|credits?|funds)|exceeded your current quota|billing|payment required|credit balance|out of credits|(?:monthly|daily|usage|spend(?:ing)?) (?:quota|limit).{0,30}(?:exceed|reach)|quota (?:has been )?(?:exceeded|exhausted|used up)|arrears/u;

const NO_MODEL =
  /model.?not.?found|(?:invalid|unknown|no such) model\b|\bmodel\b.{0,100}(?:not found|not exist|does not exist|doesn't exist|no longer|decommissioned|deprecated|not available|is unavailable|not have access|not loaded|not installed)/u;

/** Gemini refuses a wrong key with 400. */
const WRONG_KEY = /api.?key (?:is )?(?:not valid|invalid|expired)|invalid.{0,10}api.?key|api_key_invalid/u;

const errorText = ({ code, words }: ProviderError): string => `${code ?? ""} ${words}`.toLowerCase();

/** Null if it may be about the requested features, so that fewer may work. */
const verdictOn = (refused: ProviderError): Reason | "denied" | null => {
  const text = errorText(refused);
  if (WRONG_KEY.test(text)) return "denied";
  if (FILTERED.test(text)) return "model_filtered";
  if (refused.status === 402 || QUOTA.test(text)) return "model_quota";
  return NO_MODEL.test(text) ? "model_unavailable" : null;
};

/** Whether a 429 means an exhausted quota rather than a short-term limit. */
export const isQuota = (refused: ProviderError): boolean => QUOTA.test(errorText(refused));

/** llama.cpp answers some random answers of its model so; the same request may succeed. */
const BROKEN_ANSWER = /does not match the expected .{0,40}format|peg-native/u;

/** Whether a 500 is about what the model wrote, not about what was asked of it. */
export const isBrokenAnswer = (words: string): boolean => BROKEN_ANSWER.test(words);

const DECLINING =
  /^\W*(?:i['’]?m (?:very |so |really )?sorry|i am sorry|sorry,|i apologi[sz]e|unfortunately,? i (?:can|am)|i (?:can(?:no|['’])t|cannot|can not|won['’]?t|will not|must decline|am (?:un|not )able)|i['’]m (?:not able|unable|not going)|as an ai|es tut mir leid|ich kann (?:das|dir|ihnen|diese)|je suis désolée?|désolée?,|je ne peux pas|lo siento|no puedo|mi dispiace|desculpe|抱歉|对不起|申し訳|죄송)/iu;

/** Longer texts are more than a refusal. */
const DECLINING_CHARS_MAX = 1_500;

/** Whether a text without an object is a refusal. */
export const isDeclining = (text: string): boolean =>
  text.length <= DECLINING_CHARS_MAX && !text.includes("{") && DECLINING.test(text.trim());

/** The parts exceed the model's context; fewer may work. */
export class InputTooLong extends Schema.TaggedError<InputTooLong>()("InputTooLong", {
  /** Tokens of the context, if the server betrayed it. */
  contextTokens: Schema.optionalKey(Schema.Finite)
}) {}

const REFUSED_MODALITIES = ["image", "audio"] as const;
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
export class AnswerTruncated extends Schema.TaggedError<AnswerTruncated>()("AnswerTruncated", {
  /** The response was whole, but an error with status 200. */
  isFault: Schema.optionalKey(Schema.Literal(true))
}) {}

export const modelError = (message: string): Failed => new Failed({ reason: "model_error", message });

export const invalidOutput = (message: string): Failed =>
  new Failed({ reason: "invalid_model_output", message });

export const refusedByModel = new Failed({
  reason: "model_refused",
  message: "The language model refused this content."
});

const VERDICTS = {
  model_filtered: "The provider of the language model filters this content.",
  model_quota: "The operator's quota at the provider of the language model is used up.",
  model_unavailable: "The language model is not available at its provider."
} as const;

const failedAs = (reason: keyof typeof VERDICTS): Failed => new Failed({ reason, message: VERDICTS[reason] });

export const filteredByProvider = failedAs("model_filtered");

/** The failure for a rejection that fewer features cannot fix; null for others. */
export const finalFailureOf = (refused: RequestRejection): Failed | null => {
  const reason = verdictOn(refused);
  if (reason === "denied") return modelError(byStatus(401));
  return reason === null ? null : failedAs(reason);
};

const tooLarge = invalidOutput("The output of the language model is too large.");

export const timedOut = new Failed({
  reason: "timeout",
  message: "The language model took too long to respond.",
  hint: "Try again later, or ask for less content: the language model of this server is slow or busy."
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
  readonly headers?: unknown;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const wordsOf = ({ error, message }: SdkError): string => {
  const own = textOrNull((error as { readonly message?: unknown } | undefined)?.message);
  return own ?? textOrNull(message) ?? "";
};

export const ACCESS_DENIED = "The provider of the language model denied access.";

const byStatus = (status: number): string => {
  if (status === 401 || status === 403) return ACCESS_DENIED;
  if (status === 402) return "The provider of the language model requires payment.";
  if (status === 429) return "The provider of the language model is rate limiting requests; try again later.";
  return `The provider of the language model responded with status ${status}.`;
};

export const NOT_REACHED = "The provider of the language model cannot be reached.";

export const incompleteAnswer = modelError(
  "The provider of the language model did not complete its response."
);

/** As a message of a failure. */
export const FAULT_INSIDE =
  "The provider of the language model answered with an error inside a response of status 200.";
export const faultInside = modelError(FAULT_INSIDE);

/** Errors in a response body, where a stream has all of its errors, are transient unless they say otherwise. */
const insideFailure = ({ fault }: FaultInside): Failed | RequestRejected | AnswerTruncated => {
  const { code, message } = fault;
  const status = typeof code === "number" ? code : 200;
  const details = {
    status,
    param: textOrNull(fault["param"]),
    code: textOrNull(code),
    words: textOrNull(message) ?? ""
  };
  if (status < 500 && REFUSING.has(status)) return new RequestRejected(details);
  return finalFailureOf(details) ?? new AnswerTruncated({ isFault: true });
};

/**
 * Maps errors of the SDK after its retries. Its own errors are named API...; others occurred while reading the
 * body.
 */
export const failureOf = (thrown: unknown): Failed | RequestRejected | AnswerTruncated => {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as SdkError;
  if (thrown instanceof AnswerTooLarge) return tooLarge;
  if (thrown instanceof ServerSilent) return timedOut;
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
  if (error.headers instanceof Headers && error.headers.has(SILENT_HEADER)) return timedOut;
  if (status === 500 && isBrokenAnswer(details.words)) return new AnswerTruncated();
  if (REFUSING.has(status)) return new RequestRejected(details);
  return (status === 401 || status >= 500 ? null : finalFailureOf(details)) ?? modelError(byStatus(status));
};

/** A rejected request that no feature explains. */
export const unexplained = ({ status }: RequestRejection): Failed =>
  status === 404
    ? failedAs("model_unavailable")
    : modelError(
        status >= 500
          ? byStatus(status)
          : `The provider of the language model rejected the request with status ${status}.`
      );
