/** What the operator's /metrics (docs/operations.md) report about calls of models. Tests: Transcriptions.test.ts. */
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";

/** Seconds; from a small local model to the time limit of a call. */
const CALL_BOUNDARIES = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

const calls = Metric.counter("winnow_llm_calls_total", {
  description: "Calls of the language model by model and outcome; retries are not counted separately",
  incremental: true
});
const tokens = Metric.counter("winnow_llm_tokens_total", {
  description: "Tokens as the provider counts them, by model and direction",
  incremental: true
});
const audio = Metric.counter("winnow_llm_audio_seconds_total", {
  description: "Seconds of sound as the speech model's server reports them, by model",
  incremental: true
});
const duration = Metric.histogram("winnow_llm_call_duration_seconds", {
  description: "Duration of calls of the language model, including retries",
  boundaries: CALL_BOUNDARIES
});

/** How a call ended; `cut` means that it reached the output limit. */
export type CallOutcome = "ok" | "cut" | "refused" | "error" | "timeout" | "interrupted";

export const countCall = Effect.fnUntraced(function* (model: string, outcome: CallOutcome, seconds: number) {
  yield* Metric.update(Metric.withAttributes(calls, { model, outcome }), 1);
  yield* Metric.update(Metric.withAttributes(duration, { model }), seconds);
});

export const countAudio = (model: string, seconds: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(audio, { model }), seconds);

export const countTokens = Effect.fnUntraced(function* (
  model: string,
  count: { readonly input: number; readonly output: number }
) {
  yield* Metric.update(Metric.withAttributes(tokens, { model, direction: "input" }), count.input);
  yield* Metric.update(Metric.withAttributes(tokens, { model, direction: "output" }), count.output);
});
