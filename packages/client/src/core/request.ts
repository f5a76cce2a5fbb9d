/** One request to the service: authentication, time limit, retries, error classes and log. Tests: faults.test.ts. */
import { wholeText } from "./body.ts";
import { callOf, type Answer, type Call } from "./call.ts";
import { type Logger, writeLog } from "./log.ts";
import { ApiError, WinnowError } from "./apiError.ts";
import { apiError, ConnectionError, TimeoutError } from "./errors.ts";
import { textOf, type Path } from "./itemPath.ts";
import {
  anySignal,
  delay,
  isRetryableStatus,
  RETRY_AFTER_SECONDS_MAX,
  retryAfterSeconds,
  retryDelayMs,
  timerMs
} from "./retry.ts";

export interface RequestOptions {
  /** Aborting it rejects the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Transport {
  readonly baseUrl: string;
  /** Null with a web session, where the browser sends its cookie. */
  readonly apiKey: string | null;
  /** The account that the operator acts for, whose admin token is then the `apiKey`. */
  readonly account?: string | undefined;
  readonly maxRetries: number;
  /** Per attempt, until the response has been read; for streams and files, until their headers. */
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly logger?: Logger | undefined;
}

export interface ApiRequest extends RequestOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: Path;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the transport's. 0 for requests that must not be sent twice. */
  readonly maxRetries?: number;
}

/** A success response that is not JSON: from a proxy, or truncated. */
const INVALID_RESPONSE = "invalid_response";

/** How much of a response that is not from Winnow is quoted in its error. */
const SNIPPET_LENGTH = 100;

/** Error codes for responses that are not from the service, for instance from a proxy, by status alone. */
const codeOfStatus = (status: number): string => {
  if (status >= 500) return "internal_error";
  return { 401: "unauthorized", 404: "not_winnow", 429: "rate_limited" }[status] ?? "unknown";
};

/** The service reports a missing extraction in its error envelope: any other 404 comes from elsewhere. */
const CHECK_BASE_URL =
  "This does not look like a Winnow server: check baseUrl, the URL of the service without /v1.";

const foreign = ({ status, url }: Response, text: string): string => {
  const snippet = text.replaceAll(/\s+/gu, " ").trim().slice(0, SNIPPET_LENGTH);
  const answer = `responded with ${status}${snippet === "" ? " without a message." : `: ${snippet}`}`;
  if (status !== 404) return `The server ${answer}`;
  return `${url || "The server"} ${answer} ${CHECK_BASE_URL}`;
};

/** The error for a response that is not a success. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const text = await response.text().catch(() => "");
  let error: { code?: unknown; message?: unknown; details?: unknown } = {};
  try {
    error = (JSON.parse(text) as { error?: typeof error }).error ?? {};
  } catch {
    // Not the service's envelope: the response is from a proxy.
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
  ...(transport.account === undefined ? {} : { "x-winnow-account": transport.account }),
  accept: "application/json",
  ...(request.body === undefined ? {} : { "content-type": "application/json" }),
  ...request.headers
});

/** Host with port, including default ports; for relative base URLs, the page's own server. */
const addressOf = (baseUrl: string): string => {
  const base =
    baseUrl.startsWith("/") || baseUrl === ""
      ? (globalThis as { readonly location?: { readonly origin: string } }).location?.origin
      : baseUrl;
  if (base === undefined) return "The server of this page";
  const { protocol, hostname, port } = new URL(base);
  return `${protocol}//${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
};

/** Only what happens here, or while a body is read, is a lost connection: any other error is one of a program. */
const connected = async (
  { fetch, baseUrl }: Transport,
  ...request: Parameters<typeof globalThis.fetch>
): Promise<Response> => {
  try {
    return await fetch(...request);
  } catch (cause) {
    // Of a server in this process, which was closed and says so.
    if (cause instanceof WinnowError) throw cause;
    const message = `${addressOf(baseUrl)} could not be reached, or the connection was lost.`;
    throw new ConnectionError(message, { cause });
  }
};

/** One attempt: sends the request and reads the response within the time limit. */
export const attempt = async <A>(
  transport: Transport,
  request: ApiRequest,
  read: (response: Response) => A | Promise<A>
): Promise<A> => {
  const { method } = request;
  const path = textOf(request.path);
  const startedMs = performance.now();
  // Outside the try block: a body that cannot be serialised is not a connection error.
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timerMs(transport.timeoutMs));
  try {
    const response = await connected(transport, `${transport.baseUrl}${path}`, {
      method,
      headers: headersOf(transport, request),
      body,
      ...(transport.apiKey === null ? { credentials: "same-origin" } : {}),
      signal: anySignal(timer.signal, request.signal)
    });
    const durationMs = Math.round(performance.now() - startedMs);
    const { status, headers } = response;
    writeLog(transport.logger, {
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
    throw cause;
  } finally {
    clearTimeout(timeout);
  }
};

/** Whether a retry may succeed. */
export const isRetryable = (error: unknown): boolean => {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || error instanceof TimeoutError;
  const isTooLong = (error.retryAfterSeconds ?? 0) > RETRY_AFTER_SECONDS_MAX;
  return !isTooLong && (isRetryableStatus(error.status) || error.code === INVALID_RESPONSE);
};

/** Runs attempts at a request until one succeeds or fails for good, or there have been `maxRetries` retries. */
export const retrying = async <A>(
  transport: Transport,
  request: Pick<ApiRequest, "method" | "path" | "signal" | "maxRetries">,
  run: () => Promise<A>
): Promise<A> => {
  const { method, signal, maxRetries = transport.maxRetries } = request;
  for (let tries = 0; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries >= maxRetries || !isRetryable(error)) throw error;
      const waitSeconds = error instanceof ApiError ? error.retryAfterSeconds : null;
      const delayMs = Math.round(retryDelayMs(tries, waitSeconds));
      const path = textOf(request.path);
      writeLog(transport.logger, {
        level: "warn",
        message: `${method} ${path} failed, retrying in ${delayMs} ms: ${(error as Error).message}`,
        fields: { method, path, delayMs },
        error
      });
      await delay(delayMs, signal);
    }
  }
};

/**
 * The value that `read` returns for a 2xx response; otherwise throws the matching error class after all
 * retries.
 */
export const send = <A>(
  transport: Transport,
  request: ApiRequest,
  read: (response: Response) => A | Promise<A>
): Promise<A> => {
  const readSuccess = async (response: Response): Promise<A> => {
    if (!response.ok) throw await errorOf(response);
    return read(response);
  };
  return retrying(transport, request, () => attempt(transport, request, readSuccess));
};

const readJson = async <A>(response: Response): Promise<Answer<A>> => {
  const text = await wholeText(response);
  const requestId = response.headers.get("x-request-id");
  try {
    return { data: (text === "" ? undefined : JSON.parse(text)) as A, response, requestId };
  } catch {
    const message = `${foreign(response, text)} (this is not JSON). ${CHECK_BASE_URL}`;
    const told = { code: INVALID_RESPONSE, message, requestId };
    throw apiError({ ...told, status: response.status, details: {}, retryAfterSeconds: null });
  }
};

/** The JSON of the response, with the response; undefined if there is none (204). */
export const answerOf = <A>(transport: Transport, request: ApiRequest): Promise<Answer<A>> =>
  send(transport, request, (response) => readJson<A>(response));

/** The JSON of the response. */
export const sendJson = <A>(transport: Transport, request: ApiRequest): Call<A> =>
  callOf(answerOf<A>(transport, request));
