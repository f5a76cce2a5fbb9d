/**
 * One request to the service: key, time limit, retries, and errors as classes.
 */
import { apiError, ConnectionError, TimeoutError } from "./errors.ts";
import {
  delay,
  isRetryableStatus,
  RETRY_AFTER_SECONDS_MAX,
  retryAfterSeconds,
  retryDelayMs
} from "./retry.ts";

export interface RequestOptions {
  /** Aborting it rejects the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Transport {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly maxRetries: number;
  /** Per attempt, until the answer's headers are there. */
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
}

export interface ApiRequest extends RequestOptions {
  readonly method: "GET" | "POST" | "DELETE";
  /** With its leading slash and `/v1`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const errorOf = async (response: Response): Promise<Error> => {
  const text = await response.text().catch(() => "");
  let error: { code?: unknown; message?: unknown; details?: unknown } = {};
  try {
    error = (JSON.parse(text) as { error?: typeof error }).error ?? {};
  } catch {
    // Not the service's envelope: a proxy in between answered.
  }
  return apiError({
    code: typeof error.code === "string" ? error.code : "unknown",
    status: response.status,
    message: typeof error.message === "string" ? error.message : `The server answered ${response.status}.`,
    details: (error.details ?? {}) as Record<string, unknown>,
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: retryAfterSeconds(response.headers.get("retry-after"))
  });
};

const attempt = async (transport: Transport, request: ApiRequest): Promise<Response> => {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), transport.timeoutMs);
  const signals = request.signal === undefined ? [timer.signal] : [timer.signal, request.signal];
  try {
    return await transport.fetch(`${transport.baseUrl}${request.path}`, {
      method: request.method,
      headers: {
        authorization: `Bearer ${transport.apiKey}`,
        accept: "application/json",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.any(signals)
    });
  } catch (cause) {
    if (request.signal?.aborted === true) throw request.signal.reason;
    if (timer.signal.aborted) {
      throw new TimeoutError(`${request.method} ${request.path} took longer than ${transport.timeoutMs} ms.`);
    }
    throw new ConnectionError(`${transport.baseUrl} could not be reached.`, { cause });
  } finally {
    clearTimeout(timeout);
  }
};

/** The answer when it is 2xx (or 304, 206); throws the error's class otherwise, after the retries. */
export const send = async (transport: Transport, request: ApiRequest): Promise<Response> => {
  for (let tries = 0; ; tries += 1) {
    const last = tries >= transport.maxRetries;
    let asked: number | null = null;
    try {
      const response = await attempt(transport, request);
      if (response.ok || response.status === 304) return response;
      asked = retryAfterSeconds(response.headers.get("retry-after"));
      const tooLong = asked !== null && asked > RETRY_AFTER_SECONDS_MAX;
      if (last || tooLong || !isRetryableStatus(response.status)) throw await errorOf(response);
      await response.body?.cancel();
    } catch (error) {
      const dropped = error instanceof ConnectionError || error instanceof TimeoutError;
      if (last || !dropped) throw error;
    }
    await delay(retryDelayMs(tries, asked), request.signal);
  }
};

/** The answer's JSON. */
export const sendJson = async <A>(transport: Transport, request: ApiRequest): Promise<A> =>
  (await (await send(transport, request)).json()) as A;
