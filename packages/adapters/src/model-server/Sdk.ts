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
import { jsonIn } from "./AnyJson.ts";
import {
  AnswerTooLarge,
  type FaultKind,
  faultOf,
  kindOf,
  NO_REFUSAL,
  refusalIn,
  ServerFault,
  ServerSilent,
  SILENT_HEADER
} from "./ServerFault.ts";
import type { OpenAI } from "openai";
import { retryAfterMs } from "@winnow/isolation/network/RetryAfter";

export interface LlmServer {
  /** Null if the server requires none. */
  readonly apiKey: Redacted.Redacted | null;
  /** Null is OpenAI's own. */
  readonly baseUrl: string | null;
}

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
const audio = Metric.counter("winnow_llm_audio_seconds_total", {
  description: "Seconds of sound as the speech model's server reports them, by model",
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

export const countAudio = (model: string, seconds: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(audio, { model }), seconds);

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
const RETRY_AFTER_MS_MAX = 60_000;

const REFUSAL_CHARS_MAX = 100_000;

/** The body within its limits of size and silence; `touch` restarts the latter. */
const bounded = (response: HttpResponse, silence: Silence): Response => {
  const { status, statusText } = response;
  const headers = new Headers([...response.headers]);
  if (response.body === null) return new Response(null, { status, statusText, headers });
  let bytes = 0;
  const counted = (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => silence.onBroken(() => controller.error(new ServerSilent())),
      transform: (chunk, controller) => {
        silence.touch();
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
      flush: silence.end
    })
  );
  return new Response(counted, { status, statusText, headers });
};

/** A 429 is retried if its wait is short, and unless a quota is used up. */
const limited = async (response: Response): Promise<Response> => {
  if (response.status !== 429) return response;
  const text = (await response.text()).slice(0, REFUSAL_CHARS_MAX);
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  const waitMs = retryAfterMs(headers.get("retry-after"), Date.now());
  const isSoon = waitMs !== null && waitMs <= RETRY_AFTER_MS_MAX;
  const isForGood = kindOf(status, refusalIn(jsonIn(text))) === "quota" && !isSoon;
  if (isForGood || (waitMs !== null && !isSoon)) headers.set("x-should-retry", "false");
  return new Response(text, { status, statusText, headers });
};

type Undici = typeof import("undici");
type HttpResponse = Awaited<ReturnType<Undici["fetch"]>>;

/** Watches one attempt for silence of the server. */
interface Silence {
  readonly signal: AbortSignal;
  readonly touch: () => void;
  readonly end: () => void;
  readonly onBroken: (listener: () => void) => void;
}

const silenceOf = (limitMs: number): Silence => {
  const broken = new AbortController();
  const watch = setTimeout(() => broken.abort(), limitMs).unref();
  return {
    signal: broken.signal,
    touch: () => void watch.refresh(),
    end: () => clearTimeout(watch),
    onBroken: (listener) => broken.signal.addEventListener("abort", listener, { once: true })
  };
};

/** undici's own fetch does not know the FormData of Node's. */
const encoded = async (init: RequestInit): Promise<RequestInit> => {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  const headers = new Headers(init.headers);
  headers.set("content-type", form.headers.get("content-type") ?? "");
  return { ...init, headers, body: await form.arrayBuffer() };
};

/** The limit of a call, if it is another than the server's. */
interface CallInit extends RequestInit {
  readonly silenceMs?: number;
}

/** Node's own fetch ends every wait for headers after 5 minutes. */
const makeFetch = ({ Agent, EnvHttpProxyAgent, fetch }: Undici, defaultSilenceMs: number) => {
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  // As Node's own fetch: the proxies of the environment, if the operator says so.
  const usesProxies = process.env["NODE_USE_ENV_PROXY"] === "1";
  const dispatcher = usesProxies ? new EnvHttpProxyAgent(limits) : new Agent(limits);
  return async (input: string | URL | Request, given: CallInit = {}): Promise<Response> => {
    const { silenceMs = defaultSilenceMs, ...init } = given;
    const silence = silenceOf(silenceMs);
    const signals = [silence.signal, ...(init.signal == null ? [] : [init.signal])];
    init.signal?.addEventListener("abort", silence.end, { once: true });
    try {
      const sent = { ...(await encoded(init)), signal: AbortSignal.any(signals), dispatcher };
      const response = await fetch(String(input), sent as Parameters<Undici["fetch"]>[1]);
      silence.touch();
      return await limited(bounded(response, silence));
    } catch (error) {
      silence.end();
      if (!silence.signal.aborted) throw error;
      return new Response(null, {
        status: 408,
        headers: { "x-should-retry": "false", [SILENT_HEADER]: "true" }
      });
    }
  };
};

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
