/** Counts the tokens of calls for the limit of a run, by estimate where the server reports none or too few. */
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import { CurrentTokenMeter } from "@winnow/core/ports/TokenMeter";
import * as Effect from "effect/Effect";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { CompletionText } from "./CompletionText.ts";
import { textTokens } from "./TokenEstimate.ts";

/** Text only; images and audio are covered by the reserve. */
export const inputTokensOf = (messages: ReadonlyArray<ChatCompletionMessageParam>): number =>
  messages.reduce((sum, { content }) => {
    const texts = typeof content === "string" ? [content] : Array.isArray(content) ? content : [];
    const words = texts.map((part) =>
      typeof part === "string" ? part : part.type === "text" ? part.text : ""
    );
    return sum + textTokens(words.join(""));
  }, 0);

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
): Effect.Effect<A, E | AnalysisFailed> =>
  Effect.gen(function* () {
    const meter = yield* CurrentTokenMeter;
    yield* meter.reserve(estimatedInput);
    return yield* sending.pipe(
      Effect.tap(({ completion: sent }) => meter.correct(tokensOf(estimatedInput, sent) - estimatedInput)),
      Effect.tapError((failure) =>
        "reason" in failure && failure.reason === "timeout" ? Effect.void : meter.correct(-estimatedInput)
      )
    );
  });
