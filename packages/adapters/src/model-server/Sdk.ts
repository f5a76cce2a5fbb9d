/**
 * Loads the `openai` SDK at the first call, so that server start-up does not wait for it, and runs its calls as
 * effects with limits, metrics and our errors. Tests: Providers.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Clock from "effect/Clock";
import * as Exit from "effect/Exit";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import { makeFetch } from "./boundedFetch.ts";
import { type CallOutcome, countCall } from "./callMetrics.ts";
import { type FaultKind, faultOf, NO_REFUSAL, ServerFault } from "./ServerFault.ts";
import type { OpenAI } from "openai";

export interface LlmServer {
  /** Null if the server requires none. */
  readonly apiKey: Redacted.Redacted | null;
  /** Null is OpenAI's own. */
  readonly baseUrl: string | null;
}

/** Retries with the SDK's backoff; a Retry-After of up to 60 s is honoured. */
const RETRIES_MAX = 3;

/** Retries of a request that asks for less after the server failed on it each time: six requests in all. */
export const FURTHER_RETRIES_MAX = 1;

/** Ours is the limit on silence, after which nothing is repeated; the SDK repeats what its own limit ends. */
const SDK_TIMEOUT_MS = 86_400_000;

/** Default limit on silence: how long a server may take for its first byte, and between two. */
const SILENCE_MS_DEFAULT = 180_000;

/** Retries of a truncated response, which the SDK does not retry. */
const BROKEN_OFF_RETRIES_MAX = 2;
const BROKEN_OFF_BACKOFF = Schedule.exponential("500 millis");

/** The SDK requires a key, even for servers that do not. */
const NO_KEY = "none";

export type Sdk = Effect.Effect<OpenAI>;

/** Created once from the settings only; the SDK's environment variables are ignored. */
export const openSdk = (
  { apiKey, baseUrl }: LlmServer,
  silenceMs: number = SILENCE_MS_DEFAULT
): Effect.Effect<Sdk> =>
  Effect.cached(
    Effect.promise(async () => {
      const [{ OpenAI }, undici] = await Promise.all([import("openai"), import("undici")]);
      return new OpenAI({
        apiKey: apiKey === null ? NO_KEY : Redacted.value(apiKey),
        baseURL: baseUrl ?? "https://api.openai.com/v1",
        organization: null,
        project: null,
        adminAPIKey: null,
        webhookSecret: null,
        maxRetries: RETRIES_MAX,
        timeout: SDK_TIMEOUT_MS,
        fetch: makeFetch(undici, silenceMs),
        // Otherwise it would log prompts and headers to standard error.
        logLevel: "off"
      });
    })
  );

const OUTCOMES: Partial<Record<FaultKind, CallOutcome>> = {
  silent: "timeout",
  filtered: "refused",
  no_model: "refused",
  rejected: "refused",
  too_long: "refused"
};

const outcomeOf = <A>(exit: Exit.Exit<A, ServerFault>, isCut: (value: A) => boolean): CallOutcome => {
  if (Exit.isSuccess(exit)) return isCut(exit.value) ? "cut" : "ok";
  if (Exit.hasInterrupts(exit)) return "interrupted";
  const error = Exit.findErrorOption(exit);
  return (error._tag === "Some" ? OUTCOMES[error.value.kind] : undefined) ?? "error";
};

/** What the SDK is told about a call. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

interface Call<A> {
  readonly send: (client: OpenAI, options: CallOptions) => Promise<A>;
  readonly isCut?: (value: A) => boolean;
  /** Limit on the whole call with its repetitions, after which the server counts as silent. */
  readonly limitMs?: number;
}

type FetchOptions = NonNullable<OpenAI.RequestOptions["fetchOptions"]>;

/** A limit on silence for one call, if it is another than the server's. */
export const silentFor = (silenceMs: number): FetchOptions => ({ silenceMs }) as FetchOptions;

const TOOK_TOO_LONG = new ServerFault({ kind: "silent", status: null, refusal: NO_REFUSAL });

/** Interruption and the limit on silence abort the HTTP request. After the latter nothing is sent again. */
export const call = Effect.fnUntraced(function* <A>(
  sdk: Sdk,
  model: string,
  { send, isCut = () => false, limitMs = Number.POSITIVE_INFINITY }: Call<A>
) {
  const client = yield* sdk;
  const startedAtMs = yield* Clock.currentTimeMillis;
  return yield* Effect.tryPromise({
    try: (signal) => send(client, { signal }),
    catch: faultOf
  }).pipe(
    Effect.retry({
      while: ({ kind }) => kind === "broken" || kind === "fault_inside",
      times: BROKEN_OFF_RETRIES_MAX,
      schedule: BROKEN_OFF_BACKOFF
    }),
    Effect.timeoutOrElse({ duration: limitMs, orElse: () => Effect.fail(TOOK_TOO_LONG) }),
    Effect.onExit((exit) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        countCall(model, outcomeOf(exit, isCut), (nowMs - startedAtMs) / 1_000)
      )
    )
  );
});
