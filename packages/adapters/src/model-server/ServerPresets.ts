/**
 * What a server of language models can do, by its preset (WINNOW_LLM_PRESET), and what it says for what has no code.
 * This is all that is known of a server before it is asked. Pure. Tests: presets.test.ts.
 */
import type { Saying } from "./ServerFault.ts";

/**
 * Ways to make a model return JSON, in the order in which they are tried after a rejection: `bare` sends nothing but
 * the model and the messages, without a role of the system.
 */
export type ResponseMode = "schema" | "json_object" | "prompt" | "bare" | "tool_call";

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
  /** Tokens of the context as refusals or answers show it; null if unknown. */
  readonly contextTokens: number | null;
  /** Its list of models may state the context. */
  readonly tellsContext: boolean;
  /** Reads only a part of what is too long, and answers as if that were all. */
  readonly cutsInSilence: boolean;
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
  /** The sentences of its rejections that count. */
  readonly sayings: ReadonlyArray<Saying>;
  /** Requests that it works on at once; null is no limit. */
  readonly slots: number | null;
}

const LOW_EFFORT = { reasoning_effort: "low" };
/** Of servers that fill the chat template of the model themselves. */
const NO_THINKING = { chat_template_kwargs: { enable_thinking: false } };

const TOO_LONG_AT_OPENAI: ReadonlyArray<Saying> = [
  ["too_long", "This model's maximum context length is <context> tokens. …"],
  ["too_long", "audio duration <n> seconds is longer than <n> seconds…"]
];
const SAID_BY_OPENROUTER: ReadonlyArray<Saying> = [
  ["too_long", "This endpoint's maximum context length is <context> tokens. …"],
  ["image", "No endpoints found that support image input…"]
];
const SAID_BY_VLLM: ReadonlyArray<Saying> = [
  ...TOO_LONG_AT_OPENAI,
  [
    "too_long",
    "'max_tokens' or 'max_completion_tokens' is too large: <n>. This model's maximum context length is <context> tokens …"
  ],
  ["too_long", "The decoder prompt (length <n>) is longer than the maximum model length of <context>. …"],
  ["image", "At most 0 image(s) may be provided …"]
];
const SAID_BY_LLAMACPP: ReadonlyArray<Saying> = [
  ["too_long", "request (<n> tokens) exceeds the available context size (<context> tokens)…"],
  ["too_long", "the request exceeds the available context size…"],
  ["image", "image input is not supported - hint: …"],
  ["audio", "audio input is not supported - hint: …"]
];
const SAID_BY_LM_STUDIO: ReadonlyArray<Saying> = [
  [
    "too_long",
    "Trying to keep the first <n> tokens when context the overflows. However, the model is loaded with context length of only <context> tokens, …"
  ]
];
const SAID_BY_GEMINI: ReadonlyArray<Saying> = [
  ["denied", "API key not valid. Please pass a valid API key."],
  ["too_long", "The input token count (<n>) exceeds the maximum number of tokens allowed (<context>)…"]
];
/** Of servers without a preset: SGLang, TGI, LiteLLM, xAI, Fireworks, Bedrock, Anthropic, Cohere, DeepSeek, speaches. */
const SAID_BY_OTHERS: ReadonlyArray<Saying> = [
  ["too_long", "The input (<n> tokens) is longer than the model's context length (<context> tokens)…"],
  ["too_long", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= <context>. …"],
  ["too_long", "litellm.ContextWindowExceededError: …"],
  ["too_long", "This model's maximum prompt length is <context> but the request contains <n> tokens."],
  ["too_long", "The prompt is too long: <n>, model maximum context length: <context>"],
  ["too_long", "Input is too long for requested model."],
  ["filtered", "litellm.ContentPolicyViolationError: …"],
  ["too_long", "prompt is too long: <n> tokens > <context> maximum"],
  ["quota", "Your credit balance is too low to access the Anthropic API. …"],
  ["too_long", "too many tokens: …"],
  ["no_model", "Model Not Exist"],
  ["filtered", "Content Exists Risk"],
  ["no_model", "Model '<name>' is not installed locally…"]
];

const OPENAI: Capabilities = {
  responseModes: ["schema", "json_object", "prompt", "bare"],
  tokenLimits: ["max_completion_tokens", "max_tokens", "none"],
  temperature: true,
  turns: true,
  outputTokensMax: null,
  contextTokens: null,
  tellsContext: false,
  cutsInSilence: false,
  stream: true,
  lessThinking: LOW_EFFORT,
  image: true,
  audio: true,
  transcription: true,
  transcriptionTimes: "words",
  sayings: TOO_LONG_AT_OPENAI,
  slots: null
};

const WITH_MAX_TOKENS: Capabilities = {
  ...OPENAI,
  tokenLimits: ["max_tokens", "max_completion_tokens", "none"]
};

/** Each server by its own documentation. What depends on the model is assumed, until the server rejects it. */
export const PRESETS = {
  openai: OPENAI,
  openrouter: { ...WITH_MAX_TOKENS, tellsContext: true, sayings: SAID_BY_OPENROUTER },
  vllm: { ...OPENAI, tellsContext: true, lessThinking: NO_THINKING, sayings: SAID_BY_VLLM },
  // Ignores max_completion_tokens, so that an answer would have no limit.
  ollama: { ...WITH_MAX_TOKENS, cutsInSilence: true, slots: 1 },
  llamacpp: { ...OPENAI, tellsContext: true, lessThinking: NO_THINKING, sayings: SAID_BY_LLAMACPP, slots: 1 },
  // "'response_format.type' must be 'json_schema' or 'text'"; it has no transcriptions.
  lmstudio: {
    ...WITH_MAX_TOKENS,
    responseModes: ["schema", "prompt", "bare"],
    tellsContext: true,
    cutsInSilence: true,
    transcription: false,
    sayings: SAID_BY_LM_STUDIO,
    slots: 1
  },
  gemini: { ...OPENAI, transcription: false, sayings: SAID_BY_GEMINI },
  /** An unknown server, which may be any of them. */
  other: {
    ...OPENAI,
    responseModes: [...OPENAI.responseModes, "tool_call"],
    tellsContext: true,
    cutsInSilence: true,
    lessThinking: { ...LOW_EFFORT, ...NO_THINKING },
    sayings: [
      ...SAID_BY_VLLM,
      ...SAID_BY_LLAMACPP,
      ...SAID_BY_LM_STUDIO,
      ...SAID_BY_GEMINI,
      ...SAID_BY_OPENROUTER,
      ...SAID_BY_OTHERS
    ]
  }
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
