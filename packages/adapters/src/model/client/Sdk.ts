/**
 * Loads the `openai` SDK at the first call, so that server start-up does not wait for it, and runs its calls as
 * effects with a time limit, metrics and our errors.
 */
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Redacted from "effect/Redacted";
import type { OpenAI } from "openai";
import type { LlmServer } from "./LlmClient.ts";
import * as Schedule from "effect/Schedule";
import { failureOf, incompleteAnswer, type RequestRejected, timedOut } from "./LlmFailures.ts";
import { providerFetch } from "./ProviderFetch.ts";
import { type CallOutcome, countCall } from "./LlmMetrics.ts";

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
