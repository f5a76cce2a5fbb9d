/**
 * How a server failed, or why it refused a request: by the status, code, type and parameter of its error, in all the
 * shapes that servers send. What they say is for people, and repeats what callers wrote: only the whole sentences of a
 * preset (ServerPresets) count. Pure.
 */
import * as Data from "effect/Data";
import { propertyOf } from "@winnow/core/domain/text/Json";
import type * as Schema from "effect/Schema";
import { listIn, objectIn, textIn } from "./AnyJson.ts";

export type FaultKind =
  | "denied"
  | "quota"
  | "filtered"
  | "no_model"
  /** A limit of its rate. */
  | "busy"
  /** The request is longer than the server reads. */
  | "too_long"
  /** Rejected, for another reason or none. */
  | "rejected"
  /** The server failed on the request. */
  | "failed"
  | "unreachable"
  | "silent"
  /** The answer exceeds its size limit. */
  | "too_large"
  /** The answer is cut off, or is none. */
  | "broken"
  /** An error in an answer with status 200. */
  | "fault_inside";

export const REFUSED_MODALITIES = ["image", "audio"] as const;
export type RefusedModality = (typeof REFUSED_MODALITIES)[number];

/** What the body of an error says. */
export interface Refusal {
  /** Codes and types, the most special first, in lower case. */
  readonly codes: ReadonlyArray<string>;
  /** The parameter that it is about. */
  readonly param: string | null;
  /** Never shown to anybody. */
  readonly words: string;
  /** Tokens of the context. */
  readonly contextTokens: number | null;
}

export class ServerFault extends Data.TaggedError("ServerFault")<{
  readonly kind: FaultKind;
  /** Null without an answer. */
  readonly status: number | null;
  readonly refusal: Refusal;
}> {}

/** Codes and types of errors: those of OpenAI, then those of the servers named above each row. */
const CODES: Partial<Record<FaultKind, string>> = {
  // Gemini, Anthropic.
  denied: "invalid_api_key api_key_invalid authentication_error permission_error",
  // DeepSeek, OpenRouter, Moonshot, DashScope, Zhipu.
  quota:
    "insufficient_quota billing_hard_limit_reached billing_not_active insufficient_balance insufficient_credits exceeded_current_quota_error arrearage 1113",
  // Azure, DashScope, Zhipu.
  filtered:
    "content_filter content_policy_violation invalid_prompt moderation_blocked responsibleaipolicyviolation data_inspection_failed datainspectionfailed 1301",
  // Groq, Azure, Mistral.
  no_model: "model_not_found model_decommissioned deploymentnotfound invalid_model",
  // GitHub, llama.cpp, Anthropic, Mistral.
  too_long:
    "context_length_exceeded string_above_max_length tokens_limit_reached model_max_prompt_tokens_exceeded input_too_large exceed_context_size_error request_too_large 3051"
};

const KINDS = new Map(
  (Object.keys(CODES) as ReadonlyArray<FaultKind>).flatMap((kind) =>
    (CODES[kind] ?? "").split(" ").map((code) => [code, kind] as const)
  )
);

const KINDS_BY_STATUS: Readonly<Record<number, FaultKind>> = {
  401: "denied",
  402: "quota",
  403: "denied",
  413: "too_long",
  429: "busy"
};

const REJECTING = new Set([400, 404, 405, 415, 422]);

/** By its code or its status alone. */
export const kindOf = (status: number, { codes, param }: Refusal): FaultKind => {
  const known = codes.find((code) => KINDS.has(code)) ?? "";
  const kind = KINDS.get(known) ?? KINDS_BY_STATUS[status];
  if (kind !== undefined || !REJECTING.has(status)) return kind ?? "failed";
  return param === "model" ? "no_model" : "rejected";
};

type Json = Schema.Json | undefined;

export const NO_REFUSAL: Refusal = { codes: [], param: null, words: "", contextTokens: null };

/** An error of FastAPI: a sentence, or the places in the request that are wrong. */
const detailed = (detail: Json): Refusal => {
  if (typeof detail === "string") return { ...NO_REFUSAL, words: detail };
  const first = objectIn(listIn(detail)[0]);
  return {
    ...NO_REFUSAL,
    param: textIn(listIn(first["loc"]).find((step) => step !== "body")),
    words: textIn(first["msg"]) ?? ""
  };
};

/**
 * The body of an error, or the error in it: `{error: {…}}` of OpenAI, `{error: "…"}` of LM Studio, the list of Gemini,
 * the flat form of vLLM and Mistral, `{detail}` of FastAPI.
 */
export const refusalIn = (body: Json): Refusal => {
  const found = Array.isArray(body) ? (body[0] as Json) : body;
  if (typeof found === "string") return { ...NO_REFUSAL, words: found };
  const error = objectIn(found);
  const inner = propertyOf(error, "error") ?? null;
  if (inner !== null) return refusalIn(inner);
  const detail = propertyOf(error, "detail") ?? propertyOf(objectIn(error["message"]), "detail");
  if (detail !== undefined) return detailed(detail);
  const metadata = objectIn(propertyOf(error, "metadata"));
  const codes = [
    // Azure, Gemini, and the moderation of OpenRouter.
    propertyOf(objectIn(propertyOf(error, "innererror")), "code"),
    ...listIn(propertyOf(error, "details")).map((each) => propertyOf(objectIn(each), "reason")),
    propertyOf(metadata, "flagged_input") === undefined ? undefined : "content_filter",
    propertyOf(error, "code"),
    propertyOf(error, "type")
  ].flatMap((code) => textIn(typeof code === "number" ? String(code) : code)?.toLowerCase() ?? []);
  const contextTokens = propertyOf(error, "n_ctx");
  return {
    codes,
    param: textIn(propertyOf(error, "param")),
    words: textIn(propertyOf(error, "message")) ?? "",
    contextTokens: typeof contextTokens === "number" ? contextTokens : null
  };
};

/**
 * What a server means by a sentence of its own, for which it has no code. It is compared from its first word to its
 * last, or to `…`, so that nothing of a caller's can be taken for it; `<context>` is the size of the context.
 */
export type Saying = readonly [means: FaultKind | RefusedModality, sentence: string];

const patternOf = (sentence: string): RegExp =>
  new RegExp(
    `^${sentence
      .replaceAll(/[.()+]/gu, String.raw`\$&`)
      .replaceAll("<n>", String.raw`[\d.]+`)
      .replaceAll("<context>", String.raw`(\d+)`)
      .replaceAll("<name>", "[^']{1,200}")
      .replace(/…$|$/u, (end) => (end === "" ? "$" : ""))}`,
    "u"
  );

/** A rejection by what its server says, where neither code nor status tells. */
export const explained = ({ kind, refusal }: ServerFault, sayings: ReadonlyArray<Saying>) => {
  const words = refusal.words.replaceAll(/(?<=\d),(?=\d{3})/gu, "");
  const [said] = sayings.flatMap(([means, sentence]) => {
    const found = patternOf(sentence).exec(words);
    return found === null ? [] : [{ means, contextTokens: Number(found[1]) || null }];
  });
  return {
    means: kind === "rejected" || kind === "failed" ? (said?.means ?? kind) : kind,
    contextTokens: refusal.contextTokens ?? said?.contextTokens ?? null
  };
};

/** An error in a response with status 200. */
export class FaultInside extends Error {
  readonly fault: Json;

  constructor(fault: Json) {
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

/** The SDK's error for an HTTP status; its classes are not loaded here. */
interface SdkError {
  readonly status?: unknown;
  readonly error?: Schema.Json;
  readonly headers?: unknown;
  readonly cause?: { readonly code?: unknown };
}

const faultWith = (kind: FaultKind, status: number | null = null, refusal = NO_REFUSAL): ServerFault =>
  new ServerFault({ kind, status, refusal });

/** An error in a response body, where a stream has all of its errors, is transient unless it says otherwise. */
const insideFault = (fault: Json): ServerFault => {
  const refusal = refusalIn(fault);
  const code = propertyOf(objectIn(fault), "code");
  const status = typeof code === "number" ? code : 200;
  const kind = kindOf(status, refusal);
  return faultWith(kind === "failed" || kind === "busy" ? "fault_inside" : kind, status, refusal);
};

/** Errors of the SDK after its retries. Its own are named API...; others occurred while reading the body. */
export const faultOf = (thrown: unknown): ServerFault => {
  if (thrown instanceof AnswerTooLarge) return faultWith("too_large");
  if (thrown instanceof ServerSilent) return faultWith("silent");
  if (thrown instanceof FaultInside) return insideFault(thrown.fault);
  const name = thrown instanceof Error ? thrown.constructor.name : "";
  if (name === "APIConnectionTimeoutError") return faultWith("silent");
  const { status, error, headers, cause } = (Object(thrown) ?? {}) as SdkError;
  if (typeof status !== "number") {
    if (!name.startsWith("API")) return faultWith("broken", 200);
    const codes = typeof cause?.code === "string" ? [cause.code] : [];
    return faultWith("unreachable", null, { ...NO_REFUSAL, codes });
  }
  if (headers instanceof Headers && headers.has(SILENT_HEADER)) return faultWith("silent");
  const refusal = refusalIn(error);
  return faultWith(kindOf(status, refusal), status, refusal);
};
