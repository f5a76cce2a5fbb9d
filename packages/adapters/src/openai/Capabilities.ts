/**
 * What the configured server takes of what the protocol offers: hoped for at first, found out when a
 * request is refused, kept for the life of the process. Pure; the reference that holds it is LlmClient's.
 */

/** Ways to make a model answer JSON, the strongest first. */
export const RESPONSE_MODES = ["strict_schema", "json_schema", "json_object", "prompt_only"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** How the limit of output tokens is named: newer models refuse the old name, older servers the new one. */
export const TOKEN_LIMITS = ["max_completion_tokens", "max_tokens", "none"] as const;
export type TokenLimit = (typeof TOKEN_LIMITS)[number];

export interface Capabilities {
  /** The strongest way that was not refused. */
  readonly responseMode: ResponseMode;
  readonly tokenLimit: TokenLimit;
  /** Whether `temperature` 0 is taken; reasoning models refuse it. */
  readonly temperature: boolean;
  /** Pictures: slides, the thumbnail, frames of a video. */
  readonly image: boolean;
  /** `input_audio` in chat completions. */
  readonly audio: boolean;
  /** The transcription endpoint. */
  readonly transcription: boolean;
  /** `verbose_json` with times there; without it a transcription is one text. */
  readonly transcriptionTimes: boolean;
}

/** Everything, until a server says otherwise. */
export const OPTIMISTIC: Capabilities = {
  responseMode: "strict_schema",
  tokenLimit: "max_completion_tokens",
  temperature: true,
  image: true,
  audio: true,
  transcription: true,
  transcriptionTimes: true
};

export type Feature = keyof Capabilities;

/** The refused request, in the provider's words; these are read here and shown to nobody. */
export interface RefusedRequest {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;
  readonly words: string;
}

/** What the refused request made use of. */
export interface Usage {
  readonly responseMode: ResponseMode;
  readonly image: boolean;
  readonly audio: boolean;
}

const after = <A>(order: ReadonlyArray<A>, value: A): A => order[order.indexOf(value) + 1] ?? value;

/** One step down; a feature that cannot go lower stays as it is. */
export const without = (capabilities: Capabilities, feature: Feature): Capabilities => {
  switch (feature) {
    case "responseMode":
      return { ...capabilities, responseMode: after(RESPONSE_MODES, capabilities.responseMode) };
    case "tokenLimit":
      return { ...capabilities, tokenLimit: after(TOKEN_LIMITS, capabilities.tokenLimit) };
    default:
      return { ...capabilities, [feature]: false };
  }
};

const NAMED: ReadonlyArray<readonly [Feature, RegExp]> = [
  ["tokenLimit", /max_(?:completion_)?tokens/u],
  ["temperature", /temperature/u],
  ["responseMode", /response_format|json_schema|json_object|structured|grammar|guided/u],
  ["audio", /audio/u],
  ["image", /image|vision|multi-?modal|content type|content part/u]
];

const CONTEXT = /context.?(?:length|window|size)|too many tokens|maximum.{0,20}tokens|prompt is too long/u;

/** Whether the request was refused for being longer than the model can read. */
export const isTooLong = ({ status, code, words }: RefusedRequest): boolean =>
  status === 413 || code === "context_length_exceeded" || CONTEXT.test(words.toLowerCase());

/** Whether this schema was refused, not schemas: nothing is learnt about the server then. */
export const isAboutSchema = ({ words }: RefusedRequest): boolean =>
  /invalid schema|schema.{0,40}(?:invalid|too|exceed|not supported|unsupported)/u.test(words.toLowerCase());

const said = ({ param, code, words }: RefusedRequest): string =>
  `${param ?? ""} ${code ?? ""} ${words}`.toLowerCase();

/** Whether the server named the feature as the fault, so that it is believed at once. */
export const isNamed = (refused: RefusedRequest, feature: Feature): boolean =>
  NAMED.some(([name, pattern]) => name === feature && pattern.test(said(refused)));

/** The later one of two in such an order. */
export const weakest = <A>(order: ReadonlyArray<A>, left: A, right: A): A =>
  order.indexOf(left) > order.indexOf(right) ? left : right;

/** What both take. */
export const meet = (left: Capabilities, right: Capabilities): Capabilities => ({
  responseMode: weakest(RESPONSE_MODES, left.responseMode, right.responseMode),
  tokenLimit: weakest(TOKEN_LIMITS, left.tokenLimit, right.tokenLimit),
  temperature: left.temperature && right.temperature,
  image: left.image && right.image,
  audio: left.audio && right.audio,
  transcription: left.transcription && right.transcription,
  transcriptionTimes: left.transcriptionTimes && right.transcriptionTimes
});

/**
 * What may have been refused, the likeliest first. A server that names the fault is believed; one that
 * does not is tried with less and less.
 */
export const suspects = (
  capabilities: Capabilities,
  refused: RefusedRequest,
  usage: Usage
): ReadonlyArray<Feature> => {
  const used = (feature: Feature): boolean => {
    switch (feature) {
      case "responseMode":
        return usage.responseMode !== "prompt_only";
      case "tokenLimit":
        return capabilities.tokenLimit !== "none";
      case "image":
        return usage.image;
      case "audio":
        return usage.audio;
      default:
        return capabilities[feature] === true;
    }
  };
  const named = NAMED.filter(([feature]) => isNamed(refused, feature) && used(feature));
  if (named.length > 0) return named.map(([feature]) => feature);
  const order: ReadonlyArray<Feature> = ["responseMode", "audio", "image", "temperature", "tokenLimit"];
  return order.filter(used);
};
