/**
 * HTTP GET through the guard: follows and vets redirects itself, and reads the decoded body within its limit. Nothing
 * that identifies the caller is sent to another origin. Tests: EgressFetch.test.ts.
 */
import { pipeline, type Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import * as zlib from "node:zlib";
import type { Agent, Dispatcher } from "undici";
import {
  badRedirect,
  type EgressFailed,
  isConnectionLost,
  redirectLoop,
  toEgressFailed,
  tooLarge,
  UndecodableBody
} from "./EgressFailed.ts";
import { EgressRefused } from "./EgressRefused.ts";
import type { FetchedBody, FetchOptions } from "../Egress.ts";
import type { EgressRoute } from "./EgressRoute.ts";
import { admitted, requestLine } from "./PinnedAgent.ts";
import { targetOf, type EgressProfile, type Target } from "./Target.ts";

// Decodes one Content-Encoding as a stream, so that the decoded bytes can be counted and stopped early.
//
// undici's limits count encoded bytes, and two megabytes of gzip can contain two gigabytes.

/** The encodings we accept. */
const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/** Truncated streams are accepted as far as they go, as browsers do. */
const LENIENT_END = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI_END = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** RFC 9659: the window of the zstd content coding is at most 8 MiB. */
const ZSTD_LIMITS = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

/**
 * "deflate" means zlib in RFC 9110, but many servers send raw deflate; a zlib header has 8 in its low four bits.
 */
const inflateEither = (first: Uint8Array): Transform =>
  ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(LENIENT_END) : zlib.createInflateRaw(LENIENT_END);

const DECODERS: ReadonlyMap<string, (first: Uint8Array) => Transform> = new Map([
  ["gzip", () => zlib.createGunzip(LENIENT_END)],
  ["x-gzip", () => zlib.createGunzip(LENIENT_END)],
  ["deflate", inflateEither],
  ["br", () => zlib.createBrotliDecompress(LENIENT_BROTLI_END)],
  ["zstd", () => zlib.createZstdDecompress(ZSTD_LIMITS)]
]);

async function* decodeWith(
  makeDecoder: (first: Uint8Array) => Transform,
  body: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  const encoded = body[Symbol.asyncIterator]();
  const first = await encoded.next();
  if (first.done === true) return;
  const decoder = makeDecoder(first.value);
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => encoded };
  };
  // Errors on either side destroy the decoder, so that its reader gets the error.
  pipeline(whole, decoder, () => {});
  yield* decoder;
}

/** `contentEncoding` is the header's value. Throws `UndecodableBody` for several or unknown encodings. */
const decodeBody = (
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined
): AsyncIterable<Uint8Array> => {
  const codings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  const [coding] = codings;
  if (coding === undefined) return body;
  const makeDecoder = DECODERS.get(coding);
  if (codings.length > 1 || makeDecoder === undefined) {
    throw new UndecodableBody("The response has an unsupported content encoding");
  }
  return decodeWith(makeDecoder, body);
};

export interface GuardedClient {
  readonly route: EgressRoute;
  readonly agent: Agent;
  readonly userAgent: string;
  /** Called for every denial before the request fails. */
  readonly onRefused: (refused: EgressRefused) => void;
  /** Called for every other error before the request fails. */
  readonly onFailed: (error: unknown) => void;
}

const MAX_REDIRECTS_DEFAULT = 5;

/** Redirect targets may contain signed queries; submitted URLs have a lower limit elsewhere. */
const REDIRECT_URL_MAX_LENGTH = 16_384;

/** A server that accepts the connection but does not respond by then counts as dead. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Maximum silence within a body; the caller's total limit covers slow senders. */
const IDLE_TIMEOUT_MS = 30_000;

/** Bytes of a redirect's body read to keep the connection; for more, closing is cheaper. */
const REDIRECT_BODY_MAX_BYTES = 16_384;

/** Encoded bytes allowed beyond the decoded limit, since frames that decode to nothing must end too. */
const ENCODED_SLACK_BYTES = 65_536;

const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that do not identify the caller; all others stay at their origin. */
const CROSS_ORIGIN_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "range",
  "referer",
  "user-agent"
]);

const requestHeaders = (client: GuardedClient, callerHeaders: Readonly<Record<string, string>> = {}) => {
  const headers = new Map([
    ["user-agent", client.userAgent],
    ["accept", "*/*"],
    ["accept-encoding", ACCEPT_ENCODING]
  ]);
  for (const [name, value] of Object.entries(callerHeaders)) headers.set(name.toLowerCase(), value);
  // These would change the name that TLS checks and the site that responds; both follow from the vetted URL.
  headers.delete("host");
  return headers;
};

/** Values arrive as Latin-1; servers that send other raw characters mean UTF-8. */
const joinHeaders = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> => {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      joined[name] = Buffer.from(
        String(Array.isArray(value) ? value.join(", ") : value),
        "latin1"
      ).toString();
  }
  return joined;
};

const send = async (
  { agent, route }: GuardedClient,
  target: Target,
  headers: ReadonlyMap<string, string>,
  signal: AbortSignal
): Promise<Dispatcher.ResponseData> => {
  const line = await requestLine(route, target, `${target.url.pathname}${target.url.search}`);
  const request = () =>
    agent.request({
      origin: line.origin,
      path: line.path,
      method: "GET",
      headers: { ...Object.fromEntries(headers), ...line.headers },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
      signal
    });
  // A kept-alive connection may just have been closed by the server: retried once on a new one.
  return admitted(
    line,
    await request().catch((error) => (isConnectionLost(error) ? request() : Promise.reject(error)))
  );
};

const redirectTarget = (profile: EgressProfile, from: Target, location: string): Target => {
  if (!URL.canParse(location, from.url.href)) throw badRedirect();
  return targetOf(new URL(location, from.url).href, profile, REDIRECT_URL_MAX_LENGTH);
};

async function* boundedBytes(body: AsyncIterable<Uint8Array>, limit: number, failure: EgressFailed) {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw failure;
    yield chunk;
  }
}

const readBody = (
  response: Dispatcher.ResponseData,
  headers: Readonly<Record<string, string>>,
  maxBytes: number
): Promise<Buffer> => {
  const encoding = headers["content-encoding"];
  if (encoding === undefined && Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoded = boundedBytes(response.body, maxBytes + ENCODED_SLACK_BYTES, tooLarge(maxBytes));
  const failure = tooLarge(maxBytes, encoding !== undefined);
  return buffer(boundedBytes(decodeBody(encoded, encoding), maxBytes, failure));
};

/** undici handles an abort only once connected; a strict limit cannot wait for that. */
const untilAborted = async <A>(signal: AbortSignal, working: Promise<A>): Promise<A> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([working, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};

/**
 * Rejects only with `EgressFailed`. `signal` must be aborted when the caller is done, in any case, to close what is
 * still open.
 */
export const get = async (
  client: GuardedClient,
  url: string,
  options: FetchOptions,
  signal: AbortSignal
): Promise<FetchedBody> => {
  const maxRedirects = options.maxRedirects ?? MAX_REDIRECTS_DEFAULT;
  const headers = requestHeaders(client, options.headers);
  const { profile } = client.route;
  let redirects = options.redirectCount ?? 0;
  try {
    if (redirects > maxRedirects) throw redirectLoop(maxRedirects);
    let target = targetOf(url, profile);
    for (;;) {
      const response = await untilAborted(signal, send(client, target, headers, signal));
      const responseHeaders = joinHeaders(response.headers);
      const location = responseHeaders["location"];
      if (!REDIRECT_STATUS.has(response.statusCode) || location === undefined) {
        return {
          status: response.statusCode,
          url: target.url.href,
          headers: responseHeaders,
          redirectCount: redirects,
          body: await readBody(response, responseHeaders, options.maxBytes)
        };
      }
      response.body.dump({ limit: REDIRECT_BODY_MAX_BYTES, signal }).catch(() => {});
      redirects += 1;
      if (redirects > maxRedirects) throw redirectLoop(maxRedirects);
      const next = redirectTarget(profile, target, location);
      if (next.url.origin !== target.url.origin) {
        for (const name of headers.keys()) if (!CROSS_ORIGIN_HEADERS.has(name)) headers.delete(name);
      }
      target = next;
    }
  } catch (error) {
    if (error instanceof EgressRefused) client.onRefused(error);
    else client.onFailed(error);
    throw toEgressFailed(error, redirects);
  }
};
