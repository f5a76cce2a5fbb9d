/**
 * Failures of model calls: what each kind of fault means for the run, and messages for callers, which never contain a
 * key, an address, a prompt or the provider's message. Tests: ServerFault.test.ts.
 */
import * as Schema from "effect/Schema";
import { Failed } from "@winnow/core/domain/source/Failed";
import { type FaultKind, REFUSED_MODALITIES, type ServerFault } from "./ServerFault.ts";

/** "I'm sorry, but I can't …", in the most common languages. */
const DECLINING =
  /^\W*(?:i['’]?m (?:very |so |really )?sorry|i am sorry|sorry,|i apologi[sz]e|unfortunately,? i (?:can|am)|i (?:can(?:no|['’])t|cannot|can not|won['’]?t|will not|must decline|am (?:un|not )able)|i['’]m (?:not able|unable|not going)|as an ai|es tut mir leid|ich kann (?:das|dir|ihnen|diese)|je suis désolée?|désolée?,|je ne peux pas|lo siento|no puedo|mi dispiace|desculpe|抱歉|对不起|申し訳|죄송)/iu;

/** Longer texts are more than a refusal. */
const DECLINING_CHARS_MAX = 1_500;

/** Whether a text without an object is a refusal. */
export const isDeclining = (text: string): boolean =>
  text.length <= DECLINING_CHARS_MAX && !text.includes("{") && DECLINING.test(text.trim());

/** The parts exceed the model's context; fewer may work. */
export class InputTooLong extends Schema.TaggedError<InputTooLong>()("InputTooLong", {
  /** Tokens of the context, if the server's error names them. */
  contextTokens: Schema.optionalKey(Schema.Finite)
}) {}

/** The model does not accept such parts: ask again without them. */
export class ModalityRefused extends Schema.TaggedError<ModalityRefused>()("ModalityRefused", {
  modality: Schema.Literals(REFUSED_MODALITIES)
}) {}

export const modelError = (message: string): Failed => new Failed({ reason: "model_error", message });

export const invalidOutput = (message: string): Failed =>
  new Failed({ reason: "invalid_model_output", message });

export const refusedByModel = new Failed({
  reason: "model_refused",
  message: "The language model refused this content."
});

export const filteredByProvider = new Failed({
  reason: "model_filtered",
  message: "The provider of the language model filters this content."
});

const FAILURES: Partial<Record<FaultKind, Failed>> = {
  denied: modelError("The provider of the language model denied access."),
  quota: new Failed({
    reason: "model_quota",
    message: "The operator's quota at the provider of the language model is used up."
  }),
  filtered: filteredByProvider,
  no_model: new Failed({
    reason: "model_unavailable",
    message: "The language model is not available at its provider."
  }),
  busy: modelError("The provider of the language model is rate limiting requests; try again later."),
  unreachable: modelError("The provider of the language model cannot be reached."),
  silent: new Failed({
    reason: "timeout",
    message: "The language model took too long to respond.",
    hint: "Try again later, or ask for less content: the language model of this server is slow or busy."
  }),
  too_large: invalidOutput("The output of the language model is too large."),
  broken: modelError("The provider of the language model did not complete its response."),
  fault_inside: modelError(
    "The provider of the language model answered with an error inside a response of status 200."
  )
};

/** `kind`: another than the fault's, if more is known. */
export const failedBy = ({ kind: told, status }: ServerFault, kind: FaultKind = told): Failed =>
  FAILURES[kind] ??
  modelError(
    kind === "failed"
      ? `The provider of the language model responded with status ${status}.`
      : `The provider of the language model rejected the request with status ${status}.`
  );

/** The kind of fault that {@link failedBy} made a failure of; null if it was of another making. */
export const kindBehind = (failure: Failed): FaultKind | null =>
  (Object.keys(FAILURES) as ReadonlyArray<FaultKind>).find((kind) => FAILURES[kind] === failure) ?? null;
