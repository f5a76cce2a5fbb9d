/**
 * What a server of language models can do, by its preset (WINNOW_LLM_PRESET), and one step down from there. Pure.
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
export type TokenLimit = "max_completion_tokens" | "max_tokens" | "none";

/** In the order in which they are tried. */
export const TRANSCRIPTION_TIMES = ["words", "segments", "none"] as const;
export type TranscriptionTimes = (typeof TRANSCRIPTION_TIMES)[number];

export interface Capabilities {
  /** In the order in which they are tried; the first is used. */
  readonly responseModes: ReadonlyArray<ResponseMode>;
  /** In the order in which they are tried; the first is used. */
  readonly tokenLimits: ReadonlyArray<TokenLimit>;
  /** Whether `temperature` 0 is accepted; reasoning models reject it. */
  readonly temperature: boolean;
  /** Whether messages are accepted unchanged: a system role, and consecutive user messages. */
  readonly turns: boolean;
  /** Maximum output tokens the model accepts; null if unknown. */
  readonly outputTokensMax: number | null;
  /** Answers in pieces, so that a slow server is told from a dead one. */
  readonly stream: boolean;
  /** What to add to a request whose model spent its answer on thoughts; false if nothing helps. */
  readonly lessThinking: Readonly<Record<string, unknown>> | false;
  /** Images: slides, the thumbnail, video frames. */
  readonly image: boolean;
  /** `input_audio` in chat completions. */
  readonly audio: boolean;
  /** The transcription endpoint. */
  readonly transcription: boolean;
  /** Times in `verbose_json`: of words and segments, of segments, or none, so that a transcription is one text. */
  readonly transcriptionTimes: TranscriptionTimes;
}

const LOW_EFFORT = { reasoning_effort: "low" };
/** Of servers that fill the chat template of the model themselves. */
const NO_THINKING = { chat_template_kwargs: { enable_thinking: false } };

const OPENAI: Capabilities = {
  responseModes: ["strict_schema", "json_schema", "json_object", "prompt_only"],
  tokenLimits: ["max_completion_tokens", "max_tokens", "none"],
  temperature: true,
  turns: true,
  outputTokensMax: null,
  stream: true,
  lessThinking: LOW_EFFORT,
  image: true,
  audio: true,
  transcription: true,
  transcriptionTimes: "words"
};

const WITH_MAX_TOKENS: Capabilities = {
  ...OPENAI,
  tokenLimits: ["max_tokens", "max_completion_tokens", "none"]
};

/** Each server by its own documentation. What depends on the model is assumed, until the server rejects it. */
export const PRESETS = {
  openai: OPENAI,
  openrouter: WITH_MAX_TOKENS,
  vllm: { ...OPENAI, lessThinking: NO_THINKING },
  // Ignores max_completion_tokens, so that an answer would have no limit.
  ollama: WITH_MAX_TOKENS,
  llamacpp: { ...OPENAI, lessThinking: NO_THINKING },
  // "'response_format.type' must be 'json_schema' or 'text'"; it has no transcriptions.
  lmstudio: {
    ...WITH_MAX_TOKENS,
    responseModes: ["strict_schema", "json_schema", "prompt_only"],
    transcription: false
  },
  gemini: { ...OPENAI, transcription: false },
  /** An unknown server: more is tried, and a rejection need not name its parameter. */
  other: { ...OPENAI, responseModes: RESPONSE_MODES, lessThinking: { ...LOW_EFFORT, ...NO_THINKING } }
} as const satisfies Readonly<Record<string, Capabilities>>;

export type LlmPreset = keyof typeof PRESETS;
export const LLM_PRESETS = Object.keys(PRESETS) as ReadonlyArray<LlmPreset>;

const PRESETS_BY_HOST: Readonly<Record<string, LlmPreset>> = {
  "api.openai.com": "openai",
  "openrouter.ai": "openrouter",
  "generativelanguage.googleapis.com": "gemini"
};

/**
 * The preset of a server by its address.
 *
 * @param baseUrl null is OpenAI's own
 */
export const presetOf = (baseUrl: string | null): LlmPreset =>
  baseUrl === null ? "openai" : (PRESETS_BY_HOST[new URL(baseUrl).hostname] ?? "other");

/** What a server may reject, each by the parameter of the request that asks for it. */
export type Feature =
  | "tokenLimit"
  | "temperature"
  | "responseMode"
  | "audio"
  | "image"
  | "turns"
  | "lessThinking"
  | "stream";

/** What the rejected request used. */
export interface Usage {
  /** Null without a schema. */
  readonly responseMode: ResponseMode | null;
  readonly tokenLimit: TokenLimit;
  readonly image: boolean;
  readonly audio: boolean;
  readonly lessThinking: boolean;
}

const after = <A>(list: ReadonlyArray<A>, used: A | null): ReadonlyArray<A> =>
  used === null || !list.includes(used) ? list : list.slice(list.indexOf(used) + 1);

/** One step down from what the request used; the same object if that was taken already. */
export const without = (capabilities: Capabilities, feature: Feature, usage: Usage): Capabilities => {
  switch (feature) {
    case "responseMode": {
      const responseModes = after(capabilities.responseModes, usage.responseMode);
      return responseModes === capabilities.responseModes ? capabilities : { ...capabilities, responseModes };
    }
    case "tokenLimit": {
      const tokenLimits = after(capabilities.tokenLimits, usage.tokenLimit);
      return tokenLimits === capabilities.tokenLimits
        ? capabilities
        : { ...capabilities, tokenLimits, outputTokensMax: null };
    }
    default:
      return capabilities[feature] ? { ...capabilities, [feature]: false } : capabilities;
  }
};
