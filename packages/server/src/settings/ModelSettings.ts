/** The settings of the language model and of transcription. Tests: Config.test.ts. */
import { join } from "node:path";
import type { LlmPreset } from "@winnow/adapters/model-server/ServerPresets";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import { setting } from "./SettingRow.ts";
import type { Settings } from "./SettingsTable.ts";
import { anyText, BASE_URL_EXPECTED, baseUrl, oneOf, token, whole } from "./SettingValue.ts";

/** Named here too, because an embedder with a model of its own loads no adapter. */
const LLM_PRESETS = Object.keys({
  openai: true,
  openrouter: true,
  vllm: true,
  ollama: true,
  llamacpp: true,
  lmstudio: true,
  gemini: true,
  other: true
} satisfies Readonly<Record<LlmPreset, true>>) as ReadonlyArray<LlmPreset>;

export const MODEL_SETTINGS = {
  openaiApiKey: setting({
    name: "OPENAI_API_KEY",
    kind: token,
    expected: "printable characters without spaces",
    default: null,
    meaning: "key for the language model's server, if it requires one",
    secret: true
  }),
  llmBaseUrl: setting({
    name: "WINNOW_LLM_BASE_URL",
    kind: baseUrl,
    expected: BASE_URL_EXPECTED,
    default: null,
    defaultText: "OpenAI, when a key is set",
    meaning: "base URL, including `/v1`, of any OpenAI-compatible server"
  }),
  llmPreset: setting({
    name: "WINNOW_LLM_PRESET",
    ...oneOf(...LLM_PRESETS),
    expected: `one of ${LLM_PRESETS.join(", ")}`,
    default: null,
    defaultText: "by address: `openai`, `openrouter`, `gemini`, else `other`",
    meaning: "kind of that server: [what it can do](../operations.md#language-model)"
  }),
  llmModel: setting({
    name: "WINNOW_LLM_MODEL",
    kind: anyText,
    expected: "the name of a model",
    default: null,
    defaultText: "`gpt-5.4-mini` at OpenAI; must be set with a base URL",
    meaning: "the language model; results of another model are not reused"
  }),
  llmTranscriptionModel: setting({
    name: "WINNOW_LLM_TRANSCRIPTION_MODEL",
    kind: anyText,
    expected: "the name of a model",
    default: "whisper-1",
    meaning: "model for `/audio/transcriptions` on the same server"
  }),
  speechModel: setting({
    name: "WINNOW_SPEECH_MODEL",
    kind: anyText,
    expected: "the name of a model, or `local`",
    default: null,
    defaultText: "none: `speech` is refused",
    meaning:
      "model for [videos without captions](../operations.md#speech): a server's, which AI runs that read audio use too, or [one on this machine](../operations.md#local-speech): `local`, or `local:` and its name or folder"
  }),
  modelsDir: setting({
    name: "WINNOW_MODELS_DIR",
    kind: anyText,
    expected: "the path of a directory",
    default: null,
    defaultText: "`DATA_DIR/models`",
    meaning: "where `winnow models` keeps local speech models"
  }),
  speechThreads: setting({
    name: "WINNOW_SPEECH_THREADS",
    ...whole("a whole number", 1, 64),
    default: 1,
    meaning: "processors that a local speech model uses for a recording; at most two recordings at once"
  }),
  speechBaseUrl: setting({
    name: "WINNOW_SPEECH_BASE_URL",
    kind: baseUrl,
    expected: BASE_URL_EXPECTED,
    default: null,
    defaultText: "the language model's server, else OpenAI",
    meaning: "base URL, including `/v1`, of any server with OpenAI's `/audio/transcriptions`"
  }),
  speechApiKey: setting({
    name: "WINNOW_SPEECH_API_KEY",
    kind: token,
    expected: "printable characters without spaces",
    default: null,
    defaultText: "`OPENAI_API_KEY`, unless `WINNOW_SPEECH_BASE_URL` is set",
    meaning: "key for that server, if it requires one",
    secret: true
  }),
  llmContextTokens: setting({
    name: "WINNOW_LLM_CONTEXT_TOKENS",
    ...whole("a whole number of tokens", 4_000, 10_000_000),
    default: 128_000,
    meaning: "the model's context in tokens, for each slot of its server; longer content is read in sections"
  }),
  llmTimeoutSeconds: setting({
    name: "WINNOW_LLM_TIMEOUT_SECONDS",
    ...whole("a whole number of seconds", 1, 86_400),
    default: 180,
    meaning:
      "how long the language model's server may be silent, before or within an answer; if it cannot stream, the limit of a whole answer"
  }),
  llmConcurrency: setting({
    name: "WINNOW_LLM_CONCURRENCY",
    ...whole("a whole number", 1, 1_000),
    default: null,
    defaultText: "1 for `ollama`, `llamacpp` and `lmstudio`, else no limit",
    meaning: "requests to the language model at once; for a local server, its slots"
  }),
  llmMaxTokensPerRun: setting({
    name: "WINNOW_LLM_MAX_TOKENS_PER_RUN",
    ...whole("a whole number of tokens", 1, 1_000_000_000),
    default: ENGINE_DEFAULTS.llmTokensPerRunMax,
    meaning: "tokens of one run, in and out; one that needs more fails and is refunded",
    engine: (tokens) => ({ llmTokensPerRunMax: tokens })
  }),
  llmRefundedTokensPerDay: setting({
    name: "WINNOW_LLM_REFUNDED_TOKENS_PER_DAY",
    ...whole("a whole number of tokens", 1, 1_000_000_000),
    default: ENGINE_DEFAULTS.refundedTokensPerDayMax,
    meaning:
      "tokens per UTC day of an account's fully refunded runs; beyond, its AI runs are refused with 429 `refunded_model_use`",
    engine: (tokens) => ({ refundedTokensPerDayMax: tokens })
  })
};

/** The name or folder of a local speech model, empty for the only one that is there; null for a model of a server. */
export const localModelOf = (speechModel: string | null): string | null =>
  /^local(?::(.*))?$/u
    .exec(speechModel ?? "")
    ?.slice(1)
    .map((name = "") => name)[0] ?? null;

/** Where local speech models are. */
export const modelsDirOf = ({ dataDir, modelsDir }: Pick<Settings, "dataDir" | "modelsDir">): string =>
  modelsDir ?? join(dataDir, "models");

/** The model of `npm start -- --stand-in` and of the demo, which reads labels; what it reads is marked. */
export const STAND_IN_MODEL = "stand-in";

/** In every result. */
export const STAND_IN_NOTE = "A stand-in that looks for labels in the text read this, not a language model.";

export const STAND_IN_DETAIL =
  "a stand-in reads in place of a language model: it looks for labels, and results say so in `warnings`";
