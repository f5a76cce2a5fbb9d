/**
 * Events of a run: of one stream, and across reconnects.
 */
import { ApiError } from "../core/apiError.ts";
import { ConnectionError } from "../core/errors.ts";
import { EventParser, type ServerSentEvent } from "../core/sse.ts";
import type { ExtractionProgress } from "../generated/types.ts";
import type { Path } from "../core/itemPath.ts";
import { attempt, errorOf, isRetryable, type RequestOptions, type Transport } from "../core/request.ts";
import type { TerminalResult } from "../schema/results.ts";
import { delay, retryDelayMs } from "../core/retry.ts";

/** Progress of a run or, at its end, its result. */
export type ExtractionEvent =
  | { readonly event: "progress"; readonly data: ExtractionProgress }
  | { readonly event: "result"; readonly data: TerminalResult };

/** How long a stream may be silent before it counts as interrupted. */
interface StreamTimeouts {
  /** Until its first byte, which the service sends at once, unless a proxy buffers responses. */
  readonly firstMs: number;
  /** Between bytes: a bit more than two of the service's heartbeats, which are sent every 15 s. */
  readonly silenceMs: number;
}

export const STREAM_TIMEOUTS: StreamTimeouts = { firstMs: 3_000, silenceMs: 40_000 };

/** From the result to the end of the stream. */
const END_MS = 1_000;

const brokenOff = (cause?: unknown): ConnectionError =>
  new ConnectionError("The event stream was interrupted.", { cause });

/** Null for unknown events; throws if the data is invalid. */
const readEvent = ({ event, data }: ServerSentEvent): ExtractionEvent | null => {
  if (event !== "progress" && event !== "result") return null;
  const value = JSON.parse(data) as { readonly phase?: unknown; readonly status?: unknown };
  const isWhole =
    event === "progress"
      ? typeof value.phase === "string"
      : value.status === "complete" || value.status === "failed";
  if (!isWhole) throw brokenOff();
  return { event, data: value } as unknown as ExtractionEvent;
};

interface StreamRequest extends RequestOptions {
  readonly path: Path;
  readonly timeouts: StreamTimeouts;
}

/** Null if the response is not an event stream. Throws the matching error class on API errors. */
const openStream = async (
  transport: Transport,
  { path, signal, timeouts }: StreamRequest
): Promise<ReadableStreamDefaultReader<Uint8Array> | null> => {
  const response = await attempt(
    { ...transport, timeoutMs: Math.min(transport.timeoutMs, timeouts.firstMs) },
    { method: "GET", path, headers: { accept: "text/event-stream" }, signal },
    async (answer) => {
      if (!answer.ok) throw await errorOf(answer);
      return answer;
    }
  );
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream && response.body !== null) return response.body.getReader();
  await response.body?.cancel();
  return null;
};

/** The next bytes, or a timeout, which closes the stream. */
const readWithin = async (reader: ReadableStreamDefaultReader<Uint8Array>, ms: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(brokenOff()), ms);
  });
  try {
    return await Promise.race([reader.read(), timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Reads a completed stream to its end, which follows at once. Cancelling it would close the connection, and
 * Node would open a new one, which delays the shutdown of a server.
 */
const finish = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  try {
    while (!(await readWithin(reader, END_MS)).done);
  } catch {
    await reader.cancel().catch(() => undefined);
  }
};

/**
 * The events of one stream; ends after the result. Throws ConnectionError if the stream is interrupted, silent or
 * not an event stream.
 */
export async function* readStream(
  transport: Transport,
  request: StreamRequest
): AsyncGenerator<ExtractionEvent, void, undefined> {
  const { signal, timeouts } = request;
  const reader = await openStream(transport, request);
  if (reader === null) throw brokenOff();
  const parser = new EventParser();
  const decoder = new TextDecoder();
  let waitMs = timeouts.firstMs;
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, waitMs);
      if (done) throw brokenOff();
      waitMs = timeouts.silenceMs;
      for (const sent of parser.push(decoder.decode(value, { stream: true }))) {
        const event = readEvent(sent);
        if (event === null) continue;
        isWhole = event.event === "result";
        yield event;
        if (isWhole) return;
      }
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw error instanceof ConnectionError ? error : brokenOff(error);
  } finally {
    if (isWhole) void finish(reader);
    else await reader.cancel().catch(() => undefined);
  }
}

/**
 * Every event up to the result. An interrupted stream is opened again, and begins with the present state; throws after
 * `maxRetries` consecutive failures.
 */
export async function* watchEvents(
  transport: Transport,
  path: Path,
  signal: AbortSignal | undefined,
  timeouts: StreamTimeouts = STREAM_TIMEOUTS
): AsyncGenerator<ExtractionEvent, void, undefined> {
  let failures = 0;
  for (;;) {
    let waitSeconds: number | null = null;
    try {
      for await (const event of readStream(transport, { path, signal, timeouts })) {
        failures = 0;
        yield event;
      }
      return;
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      failures += 1;
      if (!isRetryable(error) || failures > transport.maxRetries) throw error;
      waitSeconds = error instanceof ApiError ? error.retryAfterSeconds : null;
    }
    await delay(retryDelayMs(failures, waitSeconds), signal);
  }
}
