/**
 * One request to the service: key, time limit, retries, and errors as classes.
 */
import { callOf, type Answer, type Call } from "./call.ts";
import { apiError, ApiError, ConnectionError, TimeoutError, WinnowError } from "./errors.ts";
import { textOf, type Path } from "./itemPath.ts";
import { tell, type Logger } from "./logger.ts";
import {
  delay,
  isRetryableStatus,
  RETRY_AFTER_SECONDS_MAX,
  retryAfterSeconds,
  retryDelayMs,
  timerMs
} from "./retry.ts";
import { anySignal } from "./signals.ts";

export interface RequestOptions {
  /** Aborting it rejects the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Transport {
  readonly baseUrl: string;
  /** Null in a web session: the browser sends its cookie. */
  readonly apiKey: string | null;
  readonly maxRetries: number;
  /** Per attempt, until the answer is read; of streams and files until their headers are there. */
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly logger?: Logger | undefined;
}

export interface ApiRequest extends RequestOptions {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: Path;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers of 429 are the caller's to wait for. */
  readonly isPaced?: boolean;
}

/** An answer of success that is not JSON: something in between made it, or cut it. */
const INVALID_RESPONSE = "invalid_response";

/** Characters of a foreign answer that its error tells. */
const SNIPPET_LENGTH = 100;

/** Of answers that are not the service's own, a proxy's for instance: what their status alone says. */
const codeOfStatus = (status: number): string => {
  if (status >= 500) return "internal_error";
  return { 401: "unauthorized", 404: "not_winnow", 429: "rate_limited" }[status] ?? "unknown";
};

/** A missing extraction is told by the service itself: another 404 comes from somewhere else. */
const LOOK_AT_BASE_URL =
  "This does not look like a Winnow server: check baseUrl, the URL of the service without /v1.";

const foreign = ({ status, url }: Response, text: string): string => {
  const snippet = text.replaceAll(/\s+/gu, " ").trim().slice(0, SNIPPET_LENGTH);
  const answer = `answered ${status}${snippet === "" ? " without a message." : `: ${snippet}`}`;
  if (status !== 404) return `The server ${answer}`;
  return `${url || "The server"} ${answer} ${LOOK_AT_BASE_URL}`;
};

/** The error's class of an answer that is none of success. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const text = await response.text().catch(() => "");
  let error: { code?: unknown; message?: unknown; details?: unknown } = {};
  try {
    error = (JSON.parse(text) as { error?: typeof error }).error ?? {};
  } catch {
    // Not the service's envelope: a proxy in between answered.
  }
  const { code, message, details } = error;
  return apiError({
    code: typeof code === "string" ? code : codeOfStatus(response.status),
    status: response.status,
    message: typeof message === "string" ? message : foreign(response, text),
    details: typeof details === "object" && details !== null ? (details as Record<string, unknown>) : {},
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: retryAfterSeconds(response.headers.get("retry-after"))
  });
};

const headersOf = (transport: Transport, request: ApiRequest): Record<string, string> => ({
  ...(transport.apiKey === null ? {} : { authorization: `Bearer ${transport.apiKey}` }),
  accept: "application/json",
  ...(request.body === undefined ? {} : { "content-type": "application/json" }),
  ...request.headers
});

/** With its port, the scheme's own too; of a page's own server where there is no other. */
const addressOf = (baseUrl: string): string => {
  const base =
    baseUrl.startsWith("/") || baseUrl === ""
      ? (globalThis as { readonly location?: { readonly origin: string } }).location?.origin
      : baseUrl;
  if (base === undefined) return "The server of this page";
  const { protocol, hostname, port } = new URL(base);
  return `${protocol}//${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
};

/** One try, and what `read` makes of its answer within the time limit. */
export const attempt = async <A>(
  transport: Transport,
  request: ApiRequest,
  read: (response: Response) => A | Promise<A>
): Promise<A> => {
  const { method } = request;
  const path = textOf(request.path);
  const startedMs = performance.now();
  // Outside of the try: what cannot be written as JSON is not a fault of a connection.
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timerMs(transport.timeoutMs));
  try {
    const response = await transport.fetch(`${transport.baseUrl}${path}`, {
      method,
      headers: headersOf(transport, request),
      body,
      ...(transport.apiKey === null ? { credentials: "same-origin" } : {}),
      signal: anySignal(timer.signal, request.signal)
    });
    const durationMs = Math.round(performance.now() - startedMs);
    const { status, headers } = response;
    tell(transport.logger, {
      level: "debug",
      message: `${method} ${path}: ${status} in ${durationMs} ms`,
      fields: { method, path, status, durationMs, requestId: headers.get("x-request-id") }
    });
    return await read(response);
  } catch (cause) {
    if (request.signal?.aborted === true) throw request.signal.reason;
    if (timer.signal.aborted) {
      throw new TimeoutError(`${method} ${path} took longer than ${transport.timeoutMs} ms.`);
    }
    if (cause instanceof WinnowError) throw cause;
    throw new ConnectionError(
      `${addressOf(transport.baseUrl)} could not be reached, or the connection was lost.`,
      {
        cause
      }
    );
  } finally {
    clearTimeout(timeout);
  }
};

/** Whether the same may come out otherwise, soon. */
export const isWorthARetry = (error: unknown): boolean => {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || error instanceof TimeoutError;
  const isTooLong = (error.retryAfterSeconds ?? 0) > RETRY_AFTER_SECONDS_MAX;
  return !isTooLong && (isRetryableStatus(error.status) || error.code === INVALID_RESPONSE);
};

/** What `read` makes of the answer when it is 2xx; throws the error's class otherwise, after the retries. */
export const send = async <A>(
  transport: Transport,
  request: ApiRequest,
  read: (response: Response) => A | Promise<A>
): Promise<A> => {
  const readSuccess = async (response: Response): Promise<A> => {
    if (!response.ok) throw await errorOf(response);
    return read(response);
  };
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(transport, request, readSuccess);
    } catch (error) {
      const isHeldBack = request.isPaced === true && error instanceof ApiError && error.status === 429;
      if (tries >= transport.maxRetries || isHeldBack || !isWorthARetry(error)) throw error;
      const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
      const delayMs = Math.round(retryDelayMs(tries, asked));
      const { method } = request;
      const path = textOf(request.path);
      tell(transport.logger, {
        level: "warn",
        message: `${method} ${path} failed and is tried again in ${delayMs} ms: ${(error as Error).message}`,
        fields: { method, path, delayMs },
        error
      });
      await delay(delayMs, request.signal);
    }
  }
};

const readJson = async <A>(response: Response): Promise<Answer<A>> => {
  const text = await response.text();
  const requestId = response.headers.get("x-request-id");
  try {
    return { data: (text === "" ? undefined : JSON.parse(text)) as A, response, requestId };
  } catch {
    const { status } = response;
    const message = `${foreign(response, text)} (this is not JSON). ${LOOK_AT_BASE_URL}`;
    throw apiError({
      code: INVALID_RESPONSE,
      status,
      message,
      details: {},
      requestId,
      retryAfterSeconds: null
    });
  }
};

/** The answer's JSON with the answer; undefined where there is none (204). */
export const answerOf = <A>(transport: Transport, request: ApiRequest): Promise<Answer<A>> =>
  send(transport, request, (response) => readJson<A>(response));

/** The answer's JSON. */
export const sendJson = <A>(transport: Transport, request: ApiRequest): Call<A> =>
  callOf(answerOf<A>(transport, request));
