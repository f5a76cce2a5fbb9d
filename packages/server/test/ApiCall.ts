/** One request to a running server, and its response. */
import { request as httpRequest, type RequestOptions } from "node:http";
import { text } from "node:stream/consumers";
import * as Effect from "effect/Effect";
import { assertContract } from "./Contract.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: any;
}

export interface CallOptions {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown;
  /** If the server is expected to serve a request that the API document does not allow. */
  readonly isUndocumented?: boolean;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> | null => {
  if (body === undefined) return null;
  return typeof body === "string" || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
};

/** For requests with a Host header of their own, which `fetch` does not send. */
const fetchUnder = (url: string, { method, headers, body, signal }: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    const options = { method, headers, signal } as RequestOptions;
    const request = httpRequest(url, options, (response) => {
      const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value])
      );
      const status = response.statusCode ?? 0;
      void text(response).then(
        (content) => resolve(new Response(status === 204 ? null : content, { status, headers: pairs })),
        reject
      );
    });
    request.once("error", reject);
    request.end(body);
  });

/** Sends the request to the server at this address, and validates the response against the contract. */
export const makeCall =
  (url: string) =>
  (
    path: string,
    { method, key, headers = {}, body, isUndocumented }: CallOptions = {}
  ): Effect.Effect<Answer> =>
    Effect.promise(async (signal) => {
      const verb = method ?? (body === undefined ? "GET" : "POST");
      const send = headers["host"] === undefined ? fetch : fetchUnder;
      const request = {
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "x-api-key": key }),
          ...headers
        },
        body: bodyOf(body)
      };
      const response = await send(`${url}${path}`, {
        ...request,
        method: verb,
        redirect: "manual",
        signal
      });
      const content = await response.text();
      const { status, headers: answered } = response;
      const seen = { method: verb, path, status, headers: answered, text: content };
      assertContract(isUndocumented === true ? seen : { ...seen, request });
      return { status, headers: answered, text: content, json: parsed(content) };
    });
