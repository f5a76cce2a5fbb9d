/**
 * Features of the API that the configured server supports: assumed at first, corrected when a request is rejected,
 * and cached for a while (KnownCapabilities). Pure.
 */

/** Ways to make a model return JSON, strictest first; the last is for models that only support tools. */
export const RESPONSE_MODES = [
  "strict_schema",
  "json_schema",
  "json_object",
  "prompt_only",
  "tool_call"
] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** Name of the output token limit: newer models reject the old name, older servers the new one. */
export const TOKEN_LIMITS = ["max_completion_tokens", "max_tokens", "none"] as const;
export type TokenLimit = (typeof TOKEN_LIMITS)[number];

export interface Capabilities {
  /** The strictest mode that was not rejected. */
  readonly responseMode: ResponseMode;
  readonly tokenLimit: TokenLimit;
  /** Whether `temperature` 0 is accepted; reasoning models reject it. */
  readonly temperature: boolean;
  /** Whether messages are accepted unchanged: a system role, and consecutive user messages. */
  readonly turns: boolean;
  /** Maximum output tokens the model accepts; null if unknown. */
  readonly outputTokensMax: number | null;
  /** Images: slides, the thumbnail, video frames. */
  readonly image: boolean;
  /** `input_audio` in chat completions. */
  readonly audio: boolean;
  /** The transcription endpoint. */
  readonly transcription: boolean;
  /** `verbose_json` with times; without it a transcription is a single text. */
  readonly transcriptionTimes: boolean;
}

/** All features, until a server rejects one. */
export const OPTIMISTIC: Capabilities = {
  responseMode: "strict_schema",
  tokenLimit: "max_completion_tokens",
  temperature: true,
  turns: true,
  outputTokensMax: null,
  image: true,
  audio: true,
  transcription: true,
  transcriptionTimes: true
};

export type Feature = Exclude<keyof Capabilities, "outputTokensMax">;

/** The rejected request with the provider's message, which is only matched and never shown. */
export interface RequestRejection {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;
  readonly words: string;
}

/** Features the rejected request used. */
export interface Usage {
  readonly responseMode: ResponseMode;
  readonly image: boolean;
  readonly audio: boolean;
}

const after = <A>(order: ReadonlyArray<A>, value: A): A => order[order.indexOf(value) + 1] ?? value;

/** One step down; a feature at its lowest level is unchanged. */
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
  [
    "turns",
    /\bsystem\b.{0,40}(?:role|message|prompt|instruction)|(?:role|message).{0,40}\bsystem\b|developer instruction|alternat|consecutive/u
  ],
  [
    "responseMode",
    /response_format|json_schema|json_object|structured|grammar|guided|\btools?\b|function.?call/u
  ],
  ["audio", /audio/u],
  ["image", /image|vision|multi-?modal|content type|content part/u]
];

const CONTEXT = /context.?(?:length|window|size)|too many tokens|maximum.{0,20}tokens|prompt is too long/u;

/** Whether the request exceeded the model's context. */
export const isTooLong = ({ status, code, words }: RequestRejection): boolean =>
  status === 413 || code === "context_length_exceeded" || CONTEXT.test(words.toLowerCase());

/** Messages about a single schema: its contents or its size. */
const ABOUT_SCHEMA =
  /invalid schema|(?:schema|grammar).{0,60}(?:invalid|too|exceed|complex|limit|compil|fail|not supported|unsupported|not permitted|could not)|(?:compil|convert|pars|build).{0,30}(?:schema|grammar)|not (?:permitted|supported|allowed).{0,20}schema|(?:keyword|regex|pattern|enum|propert(?:y|ies)|\$ref|anyof|nesting|depth).{0,60}(?:not supported|unsupported|not permitted|invalid|too|exceed|limit)/u;

/** Whether this schema was rejected rather than schemas in general; nothing is learnt about the server then. */
export const isAboutSchema = ({ words }: RequestRejection): boolean => ABOUT_SCHEMA.test(words.toLowerCase());

const NUMBERS_OF_OUTPUT =
  /(?:at most|up to|maximum(?: value)?(?: of| is)?|max(?:imum)?(?: allowed)?:?|less than or equal to|<=|\[1, ?)\s*`?(\d{3,7})/u;

/** The output token limit named in a rejection, if it is below the requested one. */
export const outputLimitIn = ({ words }: RequestRejection, requestedTokens: number): number | null => {
  const text = words.toLowerCase().replaceAll(/(?<=\d),(?=\d{3})/gu, "");
  if (!/max_(?:completion_)?tokens|completion tokens|output tokens/u.test(text)) return null;
  const named = Number(NUMBERS_OF_OUTPUT.exec(text)?.[1] ?? Number.NaN);
  return named < requestedTokens ? named : null;
};

/** As in "1308 + 8192 > 8192". */
const SUM_OVER = /\+ ?\d{1,8} ?> ?(\d{3,8})/u;
const CONTEXT_TOKENS = /context (?:length|window|limit|size)[^\d]{0,30}(\d{3,8})/u;
const INPUT_TOKENS =
  /(\d{1,8}) (?:tokens? )?(?:in the messages|input tokens|in the prompt|from the (?:input|prompt)|of (?:text )?input)|(\d{1,8}) ?\+ ?\d{1,8} ?>/u;

const numberIn = (pattern: RegExp, text: string): number | null => {
  const found = pattern.exec(text);
  const digits = found?.slice(1).find((group) => group !== undefined);
  return digits === undefined ? null : Number(digits);
};

/**
 * Tokens left for the answer after a rejection for length: the stated context minus the input.
 *
 * @param estimatedTokens of the input, if the rejection does not state it
 */
export const leftForOutput = ({ words }: RequestRejection, estimatedTokens: number): number | null => {
  const text = words.toLowerCase().replaceAll(/(?<=\d),(?=\d{3})/gu, "");
  const context = numberIn(SUM_OVER, text) ?? numberIn(CONTEXT_TOKENS, text);
  return context === null ? null : context - (numberIn(INPUT_TOKENS, text) ?? estimatedTokens);
};

const errorText = ({ param, code, words }: RequestRejection): string =>
  `${param ?? ""} ${code ?? ""} ${words}`.toLowerCase();

/** Whether the server named the feature, so that it is disabled at once. */
export const isNamed = (refused: RequestRejection, feature: Feature): boolean =>
  NAMED.some(([name, pattern]) => name === feature && pattern.test(errorText(refused)));

/** The weaker of two values: the later one in `order`. */
export const weakest = <A>(order: ReadonlyArray<A>, left: A, right: A): A =>
  order.indexOf(left) > order.indexOf(right) ? left : right;

/** The common features of both. */
export const meet = (left: Capabilities, right: Capabilities): Capabilities => ({
  responseMode: weakest(RESPONSE_MODES, left.responseMode, right.responseMode),
  tokenLimit: weakest(TOKEN_LIMITS, left.tokenLimit, right.tokenLimit),
  temperature: left.temperature && right.temperature,
  turns: left.turns && right.turns,
  outputTokensMax:
    left.outputTokensMax === null || right.outputTokensMax === null
      ? (left.outputTokensMax ?? right.outputTokensMax)
      : Math.min(left.outputTokensMax, right.outputTokensMax),
  image: left.image && right.image,
  audio: left.audio && right.audio,
  transcription: left.transcription && right.transcription,
  transcriptionTimes: left.transcriptionTimes && right.transcriptionTimes
});

/**
 * Features that may have caused the rejection, most likely first. If the server names one, it is disabled;
 * otherwise features are dropped one after another.
 */
export const suspects = (
  capabilities: Capabilities,
  refused: RequestRejection,
  usage: Usage
): ReadonlyArray<Feature> => {
  const used = (feature: Feature): boolean => {
    switch (feature) {
      case "responseMode":
        return (
          usage.responseMode !== "tool_call" &&
          (usage.responseMode !== "prompt_only" || isNamed(refused, feature))
        );
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
  const order: ReadonlyArray<Feature> = [
    "responseMode",
    "audio",
    "image",
    "temperature",
    "tokenLimit",
    "turns"
  ];
  return order.filter(used);
};
