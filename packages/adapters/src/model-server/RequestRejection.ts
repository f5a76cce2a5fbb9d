/** What a server's rejection of a request says: the parameter it is about, or the length. Pure. */
import type { Capabilities, Feature, Usage } from "./ServerPresets.ts";

/** The rejected request with the provider's message, which is only matched and never shown. */
export interface RequestRejection {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;
  readonly words: string;
}

/** The names of each feature's parameter, and of the kind of content or message. */
const NAMES: ReadonlyArray<readonly [Feature, RegExp]> = [
  ["tokenLimit", /max_(?:completion_)?tokens/u],
  ["temperature", /temperature/u],
  ["responseMode", /response_format|schema|json_object|structured|grammar|guided|\btool(?:s|_choice)?\b/u],
  ["audio", /audio/u],
  ["image", /image|vision|multi-?modal/u],
  ["lessThinking", /reasoning|thinking|chat_template_kwargs/u],
  ["stream", /\bstream(?:ing|_options)?\b/u],
  ["turns", /\b(?:roles?|system|developer)\b/u]
];

/** The parameters as the operator's log names them. */
export const PARAMETERS: Readonly<Record<Feature, string>> = {
  tokenLimit: "max_completion_tokens or max_tokens",
  temperature: "temperature",
  responseMode: "response_format",
  audio: "input_audio",
  image: "image_url",
  turns: "role",
  lessThinking: "reasoning_effort or chat_template_kwargs",
  stream: "stream"
};

/** In this order, an unexplained rejection is blamed on them. */
const LIKELIEST: ReadonlyArray<Feature> = [
  "lessThinking",
  "responseMode",
  "audio",
  "image",
  "temperature",
  "tokenLimit",
  "turns",
  "stream"
];

const isUsed =
  ({ responseModes, stream, temperature, turns }: Capabilities, usage: Usage) =>
  (feature: Feature) => {
    switch (feature) {
      case "responseMode":
        return usage.responseMode !== null && usage.responseMode !== responseModes.at(-1);
      case "tokenLimit":
        return usage.tokenLimit !== "none";
      case "temperature":
        return temperature;
      case "turns":
        return turns;
      case "stream":
        return stream;
      default:
        return usage[feature];
    }
  };

/** The feature that the request used and whose parameter the server names; null if it names none. */
export const namedFeature = (
  capabilities: Capabilities,
  { param, code, words }: RequestRejection,
  usage: Usage
): Feature | null => {
  const text = `${param ?? ""} ${code ?? ""} ${words}`.toLowerCase();
  const named = NAMES.filter(([, names]) => names.test(text)).map(([feature]) => feature);
  return named.find(isUsed(capabilities, usage)) ?? null;
};

/** The feature to try without, if the server names none; null if nothing is left. */
export const likeliestFeature = (capabilities: Capabilities, usage: Usage): Feature | null =>
  LIKELIEST.filter((feature) => feature !== "responseMode" || usage.responseMode !== "prompt_only").find(
    isUsed(capabilities, usage)
  ) ?? null;

const CONTEXT =
  /context.?(?:length|window|size)|too many tokens|maximum.{0,20}tokens|prompt is too long|request \(\d+ tokens\) exceeds/u;

/** The context as refusals state it: "context size (4096 tokens)", "maximum context length is 8192 tokens". */
const STATED_CONTEXT = /context.?(?:length|window|size)\D{0,20}(\d{3,8}) tokens/u;

/** Tokens of the context that a rejection states; null if none. */
export const statedContext = ({ words }: RequestRejection): number | null => {
  const stated = STATED_CONTEXT.exec(words.toLowerCase().replaceAll(/(?<=\d),(?=\d{3})/gu, ""))?.[1];
  return stated === undefined ? null : Number(stated);
};

/** Whether the request exceeded the model's context. */
export const isTooLong = ({ status, code, words }: RequestRejection): boolean =>
  status === 413 || code === "context_length_exceeded" || CONTEXT.test(words.toLowerCase());

/** A server that allows fewer tokens than this for an answer is of no use: the rejection stands. */
const OUTPUT_TOKENS_MIN = 256;

/** The largest answer that a rejection of the token limit allows: its largest number below the requested one. */
export const outputLimitIn = ({ words }: RequestRejection, requestedTokens: number): number | null => {
  const text = words.toLowerCase().replaceAll(/(?<=\d),(?=\d{3})/gu, "");
  if (text.includes("context") || !/max_(?:completion_)?tokens/u.test(text)) return null;
  const numbers = [...text.matchAll(/(?<![\w.-])\d{3,7}(?![\w-])/gu)].map(Number);
  const limit = Math.max(...numbers.filter((number) => number < requestedTokens));
  return limit >= OUTPUT_TOKENS_MIN ? limit : null;
};

/** Half the answer, if it is the larger part of what was too long; null if the input is. */
export const shorterOutput = (outputTokens: number, inputTokens: number): number | null =>
  inputTokens <= outputTokens && outputTokens >= 2 * OUTPUT_TOKENS_MIN ? Math.floor(outputTokens / 2) : null;
