/**
 * Counts the language model's tokens of one run (CurrentRun), up to the operator's limit. Each attempt has a meter;
 * analysts count every call into it, so that a failed or cancelled run's tokens are known too. Tests: ModelUse.test.ts.
 */
import * as Effect from "effect/Effect";
import { Failed } from "../domain/source/Failed.ts";
import type { ReportedUsage } from "../domain/run/ModelUsage.ts";

export interface TokenMeter {
  /** Tokens of all calls so far, with the input of those in flight as estimated. */
  readonly used: Effect.Effect<number>;
  /**
   * Counts the estimated input of a call before it is sent.
   *
   * @fails Failed `model_error`: the call would exceed the limit; it must not be sent
   */
  readonly reserve: (tokens: number) => Effect.Effect<void, Failed>;
  /** Corrects the estimate when the call has ended; may be negative. */
  readonly correct: (tokens: number) => Effect.Effect<void>;
  /** Adds what a server reported of an answered request, for the result; it limits nothing. */
  readonly report: (usage: ReportedUsage) => Effect.Effect<void>;
  readonly reported: Effect.Effect<ReportedUsage>;
}

const NOTHING_USED: ReportedUsage = {
  inputTokens: null,
  outputTokens: null,
  requests: null,
  audioSeconds: null
};

const sum = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : one + other;

/** Null only if neither reports it. */
const sumOfUsage = (one: ReportedUsage, other: ReportedUsage): ReportedUsage => ({
  inputTokens: sum(one.inputTokens, other.inputTokens),
  outputTokens: sum(one.outputTokens, other.outputTokens),
  requests: sum(one.requests, other.requests),
  audioSeconds: sum(one.audioSeconds, other.audioSeconds)
});

const exceeded = (tokensMax: number): Failed =>
  new Failed({
    reason: "model_error",
    message: `The run needs more than ${tokensMax} tokens of the language model, the most that this server allows for one run.`,
    hint: "Simplify the schema, or ask for fewer inputs or shorter content; the operator can raise WINNOW_LLM_MAX_TOKENS_PER_RUN."
  });

export const makeTokenMeter = (tokensMax: number): TokenMeter => {
  let used = 0;
  let reported = NOTHING_USED;
  return {
    used: Effect.sync(() => used),
    reserve: (tokens) =>
      Effect.suspend(() => {
        if (used + tokens > tokensMax) return Effect.fail(exceeded(tokensMax));
        used += tokens;
        return Effect.void;
      }),
    correct: (tokens) => Effect.sync(() => void (used += tokens)),
    report: (usage) => Effect.sync(() => void (reported = sumOfUsage(reported, usage))),
    reported: Effect.sync(() => reported)
  };
};
