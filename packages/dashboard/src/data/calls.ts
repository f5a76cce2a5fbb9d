/** Endpoints without a method in @winnow/client yet, called in the same way: its errors, the session's cookie. */
import { ApiError, ConnectionError } from "@winnow/client";
import { serverPath } from "../base.ts";

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Envelope {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: Record<string, unknown>;
  };
}

const errorOf = async (response: Response): Promise<ApiError> => {
  const { error = {} } = (await response.json().catch(() => ({}))) as Envelope;
  const seconds = Number(response.headers.get("retry-after"));
  return new ApiError({
    code: error.code ?? "unknown",
    status: response.status,
    message: error.message ?? `The server responded with ${response.status}.`,
    details: error.details ?? {},
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: seconds > 0 ? seconds : null
  });
};

const queryOf = (query: CallOptions["query"]): string => {
  const parameters = Object.entries(query ?? {}).filter((each): each is [string, string] => Boolean(each[1]));
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters).toString()}`;
};

export const call = async <A>(method: string, path: string, options: CallOptions = {}): Promise<A> => {
  const { query, body, signal, headers } = options;
  const response = await fetch(`${serverPath(path)}${queryOf(query)}`, {
    method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause;
    throw new ConnectionError("The server could not be reached.", { cause });
  });
  if (!response.ok) throw await errorOf(response);
  return (response.status === 204 ? undefined : await response.json()) as A;
};
