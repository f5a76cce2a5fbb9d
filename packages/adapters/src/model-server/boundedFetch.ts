/**
 * The HTTP requests of the `openai` SDK, each within limits of size and of the server's silence, and which responses are
 * worth the SDK's own retries. Tests: Providers.test.ts.
 */
import { retryAfterMs } from "@winnow/isolation/network/RetryAfter";
import { jsonIn } from "./AnyJson.ts";
import { AnswerTooLarge, kindOf, refusalIn, ServerSilent, SILENT_HEADER } from "./ServerFault.ts";

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
export const makeFetch = ({ Agent, EnvHttpProxyAgent, fetch }: Undici, defaultSilenceMs: number) => {
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
