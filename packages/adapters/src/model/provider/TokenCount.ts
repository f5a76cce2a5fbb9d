/**
 * Estimates tokens without a tokenizer: the models' tokenizers are unknown, and differ by less than the reserve of a
 * call. Counts the tokens of calls for the limit of a run, by estimate where the server reports none or too few (OpenAiAnalyst.test.ts).
 */
import * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { CompletionText } from "./CompletionText.ts";

/** English has about 4.5 bytes a token, code and CJK about 3. */
const BYTES_PER_TOKEN = 3.5;

export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** Images are split into tiles of this side length, each with this cost, by the most expensive provider. */
const TILE_SIDE_PIXELS = 512;
const TILE_TOKENS = 260;

/** Tokens of a square image with this side length in pixels. */
export const imageTokens = (sidePixels: number): number =>
  Math.ceil(sidePixels / TILE_SIDE_PIXELS) ** 2 * TILE_TOKENS;

/** Tokens of audio, by the most expensive provider. */
const AUDIO_TOKENS_PER_SECOND = 32;

export const audioTokens = (seconds: number): number => Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND);

/** All text of the messages. */
const textsOf = (messages: ReadonlyArray<ChatCompletionMessageParam>): string =>
  messages
    .flatMap(({ content }) => {
      const parts = typeof content === "string" ? [content] : Array.isArray(content) ? content : [];
      return parts.map((part) => (typeof part === "string" ? part : part.type === "text" ? part.text : ""));
    })
    .join("");

/** Text only; images and audio are covered by the reserve. */
export const inputTokensOf = (messages: ReadonlyArray<ChatCompletionMessageParam>): number =>
  textTokens(textsOf(messages));

/** English has about 4.5 characters a token, other languages fewer, except in rows of one character. */
const CHARS_PER_TOKEN = 4;

/** Tokens that any tokenizer needs for the text, roughly. */
export const leastTokensOf = (messages: ReadonlyArray<ChatCompletionMessageParam>): number =>
  Math.min(inputTokensOf(messages), [...textsOf(messages)].length / CHARS_PER_TOKEN);

/** A report of less than half the estimate is no count: some servers report nothing, or a constant. */
const believed = (reported: number, estimated: number): number =>
  reported < estimated / 2 ? estimated : reported;

const tokensOf = (estimatedInput: number, sent: CompletionText | null): number =>
  believed(sent?.inputTokens ?? 0, estimatedInput) +
  (sent === null ? 0 : believed(sent.outputTokens, textTokens(sent.text)));

/**
 * Counts the tokens of a call. Interruption and the time limit leave the estimate of its input, which the provider
 * has read by then; a request that fails otherwise costs nothing.
 */
export const metered = <
  A extends { readonly completion: CompletionText | null },
  E extends { readonly _tag: string }
>(
  estimatedInput: number,
  sending: Effect.Effect<A, E>
): Effect.Effect<A, E | Failed> =>
  Effect.gen(function* () {
    const { meter } = yield* CurrentRun;
    yield* meter.reserve(estimatedInput);
    return yield* sending.pipe(
      Effect.tap(({ completion: sent }) => meter.correct(tokensOf(estimatedInput, sent) - estimatedInput)),
      Effect.tapError((failure) =>
        "kind" in failure && failure.kind === "silent" ? Effect.void : meter.correct(-estimatedInput)
      )
    );
  });
