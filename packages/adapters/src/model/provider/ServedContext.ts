/**
 * How much the configured server reads of a request: as it tells, as its refusals say, and as its answers betray. Some
 * servers cut what is longer without a word (Ollama, LM Studio), and answer as if that were all.
 */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { CompletionText } from "./CompletionText.ts";
import { InputTooLong } from "../../model-server/LlmFailures.ts";
import type { Sdk } from "../../model-server/Sdk.ts";
import type { LlmPreset } from "../../model-server/ServerPresets.ts";
import { inputTokensOf, textsOf } from "./TokenCount.ts";

/** What a server may tell of a model, by llama.cpp, vLLM, OpenRouter and Groq. */
const ToldModel = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  meta: Schema.optionalKey(Schema.NullOr(Schema.Struct({ n_ctx: Schema.optionalKey(Schema.Finite) }))),
  max_model_len: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  context_length: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  context_window: Schema.optionalKey(Schema.NullOr(Schema.Finite))
});
type ToldModel = typeof ToldModel.Type;

/** These tell nothing in their list of models. */
const SILENT: ReadonlySet<LlmPreset> = new Set(["openai", "gemini", "ollama"]);

const READ_TIMEOUT = "5 seconds";
/** A server may be started again with another context. */
const READ_TTL = "15 minutes";

const decodeModels = Schema.decodeUnknownOption(Schema.Array(ToldModel));

const contextIn = ({ meta, max_model_len, context_length, context_window }: ToldModel): number | null =>
  meta?.n_ctx ?? max_model_len ?? context_length ?? context_window ?? null;

/** The context that the server's list of models states; null if it states none. */
const readContext = (sdk: Sdk, model: string) =>
  Effect.flatMap(sdk, (client) =>
    Effect.tryPromise(async (signal) => {
      const { data } = await client.models.list({ signal, maxRetries: 0 });
      const models = decodeModels(data);
      if (models._tag === "None") return null;
      const own = models.value.find(({ id }) => id === model);
      const told = own ?? (models.value.length === 1 ? models.value[0] : undefined);
      return told === undefined ? null : contextIn(told);
    })
  ).pipe(
    Effect.timeout(READ_TIMEOUT),
    Effect.orElseSucceed(() => null)
  );

/** English has about 4.5 characters a token, other languages fewer, except in rows of one character. */
const CHARS_PER_TOKEN = 4;

/** A server that read this share of the estimate has read all. */
const READ_SHARE_MIN = 0.6;

/** Below this, a report is no context: some servers report nothing, or a constant. */
const CONTEXT_TOKENS_MIN = 1_000;

/** A context that cuts is filled: a report below this share of the last one only counts otherwise. */
const FILLED_SHARE_MIN = 0.9;

/** Tokens of a text that any tokenizer needs, roughly. */
const leastTokens = (messages: ReadonlyArray<ChatCompletionMessageParam>): number =>
  Math.min(inputTokensOf(messages), [...textsOf(messages)].length / CHARS_PER_TOKEN);

export interface ServedContext {
  /** In tokens; null if unknown. */
  readonly tokens: Effect.Effect<number | null>;
  /**
   * Compares what a request had with what the server reports to have read.
   *
   * @fails InputTooLong the server has read only the part that fits its context
   */
  readonly judge: (
    messages: ReadonlyArray<ChatCompletionMessageParam>,
    answer: CompletionText
  ) => Effect.Effect<void, InputTooLong>;
  /** Remembers the context that a refusal states. */
  readonly learn: (contextTokens: number) => Effect.Effect<void>;
}

const CUTS =
  "The model's server reads only part of what is sent, without saying so; content is split from now on";
const COUNTS_OTHERWISE =
  "The model's server reports fewer tokens than were sent, which is no longer taken for a cut";

export const servedContext = Effect.fnUntraced(function* (sdk: Sdk, model: string, preset: LlmPreset) {
  const told = SILENT.has(preset)
    ? Effect.succeed(null)
    : yield* Effect.cachedWithTTL(readContext(sdk, model), READ_TTL);
  let learned: number | null = null;
  let isTrusted = true;
  const learn = (contextTokens: number): Effect.Effect<void> =>
    Effect.sync(() => void (learned = Math.min(learned ?? contextTokens, contextTokens)));
  const judge: ServedContext["judge"] = Effect.fnUntraced(function* (messages, answer) {
    const reported = answer.inputTokens + answer.cachedTokens;
    if (!isTrusted || reported === 0 || reported >= READ_SHARE_MIN * leastTokens(messages)) return;
    if (learned !== null && reported < FILLED_SHARE_MIN * learned) {
      isTrusted = false;
      learned = null;
      return yield* Effect.logWarning(COUNTS_OTHERWISE).pipe(Effect.annotateLogs({ model }));
    }
    if (reported < CONTEXT_TOKENS_MIN) return;
    if (learned === null) {
      yield* Effect.logWarning(CUTS).pipe(Effect.annotateLogs({ model, contextTokens: reported }));
    }
    yield* learn(reported);
    return yield* new InputTooLong({ contextTokens: reported });
  });
  return {
    tokens: Effect.map(told, (stated) =>
      stated === null || learned === null ? (learned ?? stated) : Math.min(learned, stated)
    ),
    judge,
    learn
  } satisfies ServedContext;
});
