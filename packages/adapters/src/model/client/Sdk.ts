/**
 * Loads the `openai` SDK at the first call, so that server start-up does not wait for it, and runs its calls as
 * effects with limits, metrics for the operator's /metrics (docs/operations.md) and our errors.
 */
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import * as Clock from "effect/Clock";
import * as Exit from "effect/Exit";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import {
  AnswerTooLarge,
  isQuota,
  failureOf,
  incompleteAnswer,
  type RequestRejected,
  timedOut
} from "./LlmFailures.ts";
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import type { OpenAI } from "openai";
import type { LlmServer } from "./LlmClient.ts";

/** Seconds; from a small local model to the time limit of a call. */
const CALL_BOUNDARIES = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

export const calls = Metric.counter("winnow_llm_calls_total", {
  description: "Calls of the language model by model and outcome; retries are not counted separately",
  incremental: true
});
export const tokens = Metric.counter("winnow_llm_tokens_total", {
  description: "Tokens as the provider counts them, by model and direction",
  incremental: true
});
export const duration = Metric.histogram("winnow_llm_call_duration_seconds", {
  description: "Duration of calls of the language model, including retries",
  boundaries: CALL_BOUNDARIES
});

/** How a call ended; `cut` means that it reached the output limit. */
type CallOutcome = "ok" | "cut" | "refused" | "error" | "timeout" | "interrupted";

const countCall = Effect.fnUntraced(function* (model: string, outcome: CallOutcome, seconds: number) {
  yield* Metric.update(Metric.withAttributes(calls, { model, outcome }), 1);
  yield* Metric.update(Metric.withAttributes(duration, { model }), seconds);
});

export const countTokens = Effect.fnUntraced(function* (
  model: string,
  count: { readonly input: number; readonly output: number }
) {
  yield* Metric.update(Metric.withAttributes(tokens, { model, direction: "input" }), count.input);
  yield* Metric.update(Metric.withAttributes(tokens, { model, direction: "output" }), count.output);
});

/** Maximum size of a response with its framing; its text is at most a quarter of that. */
export const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024;

/** Maximum Retry-After that is honoured, also by the SDK. */
const RETRY_AFTER_SECONDS_MAX = 60;

const REFUSAL_CHARS_MAX = 100_000;

const bounded = (response: Response): Response => {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      }
    })
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
};

/** Seconds or a date; null if absent. */
const retryAfterSeconds = (headers: Headers): number | null => {
  const retryAfter = headers.get("retry-after");
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) ? seconds : (Date.parse(retryAfter) - Date.now()) / 1_000;
};

const codeIn = (text: string): string | null => {
  const code = /"(?:code|type)"\s*:\s*"([^"]{1,100})"/u.exec(text)?.[1];
  return code ?? null;
};

/** A 429 is retried if its wait is short. */
const limited = async (response: Response): Promise<Response> => {
  const text = (await response.text()).slice(0, REFUSAL_CHARS_MAX);
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  const seconds = retryAfterSeconds(headers);
  const isSoon = seconds !== null && seconds <= RETRY_AFTER_SECONDS_MAX;
  const isForGood = isQuota({ status, code: codeIn(text), words: text }) && !isSoon;
  if (isForGood || (seconds !== null && !isSoon)) headers.set("x-should-retry", "false");
  return new Response(text, { status, statusText, headers });
};

const providerFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const response = bounded(await fetch(input, init));
  return response.status === 429 ? limited(response) : response;
};

/** Retries with the SDK's backoff; a Retry-After of up to 60 s is honoured. */
const RETRIES_MAX = 3;

/** Time limit of one attempt, below the 5 minutes that Node's fetch waits for headers. */
const TRY_TIMEOUT_MS = 180_000;

/** Time limit of a call with its retries: a fifth of the default time limit of a run. */
const CALL_TIMEOUT_MS = 360_000;

/** Retries of a truncated response, which the SDK does not retry. */
const BROKEN_OFF_RETRIES_MAX = 2;
const BROKEN_OFF_BACKOFF = Schedule.exponential("500 millis");

/** The SDK requires a key, even for servers that do not. */
const NO_KEY = "none";

export type Sdk = Effect.Effect<OpenAI>;

/** Created once from the settings only; the SDK's environment variables are ignored. */
export const openSdk = ({ apiKey, baseUrl }: LlmServer): Effect.Effect<Sdk> =>
  Effect.cached(
    Effect.promise(async () => {
      const { OpenAI } = await import("openai");
      return new OpenAI({
        apiKey: apiKey === null ? NO_KEY : Redacted.value(apiKey),
        baseURL: baseUrl ?? "https://api.openai.com/v1",
        organization: null,
        project: null,
        adminAPIKey: null,
        webhookSecret: null,
        maxRetries: RETRIES_MAX,
        timeout: TRY_TIMEOUT_MS,
        fetch: providerFetch,
        // Otherwise it would log prompts and headers to standard error.
        logLevel: "off"
      });
    })
  );

const outcomeOf = <A>(
  exit: Exit.Exit<A, AnalysisFailed | RequestRejected>,
  isCut: (value: A) => boolean
): CallOutcome => {
  if (Exit.isSuccess(exit)) return isCut(exit.value) ? "cut" : "ok";
  if (Exit.hasInterrupts(exit)) return "interrupted";
  const error = Exit.findErrorOption(exit);
  if (error._tag === "None") return "error";
  if (error.value._tag === "RequestRejected") return "refused";
  return error.value.reason === "timeout" ? "timeout" : "error";
};

/** Interruption and the time limit abort the HTTP request through the signal. */
export const call = Effect.fnUntraced(function* <A>(
  sdk: Sdk,
  model: string,
  send: (client: OpenAI, signal: AbortSignal) => Promise<A>,
  isCut: (value: A) => boolean = () => false
) {
  const client = yield* sdk;
  const startedAtMs = yield* Clock.currentTimeMillis;
  return yield* Effect.tryPromise({ try: (signal) => send(client, signal), catch: failureOf }).pipe(
    Effect.retry({
      while: ({ _tag }) => _tag === "AnswerTruncated",
      times: BROKEN_OFF_RETRIES_MAX,
      schedule: BROKEN_OFF_BACKOFF
    }),
    Effect.catchTag("AnswerTruncated", () => Effect.fail(incompleteAnswer)),
    Effect.timeoutOrElse({ duration: CALL_TIMEOUT_MS, orElse: () => Effect.fail(timedOut) }),
    Effect.onExit((exit) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        countCall(model, outcomeOf(exit, isCut), (nowMs - startedAtMs) / 1_000)
      )
    )
  );
});
