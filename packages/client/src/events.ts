/**
 * The events of a run as they come: one stream, and a run watched over as many streams as it takes.
 */
import { ApiError, ConnectionError } from "./errors.ts";
import { EventParser, type ServerSentEvent } from "./eventParser.ts";
import type { ExtractionProgress } from "./generated/types.ts";
import type { Path } from "./itemPath.ts";
import { attempt, errorOf, isWorthARetry, type RequestOptions, type Transport } from "./request.ts";
import type { TerminalResult } from "./results.ts";
import { delay, retryDelayMs } from "./retry.ts";

/** Where a run stands, or, at its end, its result. */
export type ExtractionEvent =
  | { readonly id: string; readonly event: "progress"; readonly data: ExtractionProgress }
  | { readonly id: string; readonly event: "result"; readonly data: TerminalResult };

/** How long a stream may say nothing before it counts as cut. */
export interface StreamPatience {
  /** Until its first byte, which the service sends at once: a proxy that gathers answers holds it back. */
  readonly firstMs: number;
  /** Between bytes: two heartbeats and some of the service, which come every 15 s. */
  readonly silenceMs: number;
}

export const PATIENCE: StreamPatience = { firstMs: 3_000, silenceMs: 40_000 };

/** From the result to the end of its stream. */
const END_MS = 1_000;

const ACCEPT = { accept: "text/event-stream" };

export const brokenOff = (cause?: unknown): ConnectionError =>
  new ConnectionError("The event stream was interrupted.", { cause });

/** Null for events that this client does not know; throws when it is not what the service sends. */
const readEvent = ({ id, event, data }: ServerSentEvent): ExtractionEvent | null => {
  if (event !== "progress" && event !== "result") return null;
  const value = JSON.parse(data) as { readonly phase?: unknown; readonly status?: unknown };
  const isWhole =
    event === "progress"
      ? typeof value.phase === "string"
      : value.status === "complete" || value.status === "failed";
  if (!isWhole) throw brokenOff();
  return { id, event, data: value } as unknown as ExtractionEvent;
};

interface StreamRequest extends RequestOptions {
  readonly path: Path;
  /** Id of the last event that was read. */
  readonly after: string;
  readonly patience: StreamPatience;
}

/** Null when the answer is not a stream of events. Throws the error's class on refusals. */
const openStream = async (
  transport: Transport,
  { path, after, signal, patience }: StreamRequest
): Promise<ReadableStreamDefaultReader<Uint8Array> | null> => {
  const response = await attempt(
    { ...transport, timeoutMs: Math.min(transport.timeoutMs, patience.firstMs) },
    {
      method: "GET",
      path,
      headers: after === "" ? ACCEPT : { ...ACCEPT, "last-event-id": after },
      signal
    },
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

/** What comes first: the next bytes, or the end of patience, which cuts the stream. */
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
 * Lets a stream that said all there is come to its end, which follows at once: to cancel it would cost the
 * connection, and Node opens another in its place, which no shutdown of the server sees as idle.
 */
const finish = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  try {
    while (!(await readWithin(reader, END_MS)).done);
  } catch {
    await reader.cancel().catch(() => undefined);
  }
};

/** What a stream tells. */
export interface StreamOf<Event> {
  /** Null for events that this client does not know; throws when it is not what the service sends. */
  readonly read: (sent: ServerSentEvent) => Event | null;
  /** Whether the stream said all there is. */
  readonly isLast: (event: Event) => boolean;
}

const RUN: StreamOf<ExtractionEvent> = { read: readEvent, isLast: ({ event }) => event === "result" };

/** The events of one stream. Throws ConnectionError when it is cut, is silent or is none; ends after the last. */
export async function* readEvents<Event>(
  transport: Transport,
  request: StreamRequest,
  { read, isLast }: StreamOf<Event>
): AsyncGenerator<Event, void, undefined> {
  const { signal, patience } = request;
  const reader = await openStream(transport, request);
  if (reader === null) throw brokenOff();
  const parser = new EventParser();
  const decoder = new TextDecoder();
  let waitMs = patience.firstMs;
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, waitMs);
      if (done) throw brokenOff();
      waitMs = patience.silenceMs;
      for (const sent of parser.push(decoder.decode(value, { stream: true }))) {
        const event = read(sent);
        if (event === null) continue;
        isWhole = isLast(event);
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

/** The events of one stream of a run, which ends after a result. */
export const readStream = (
  transport: Transport,
  request: StreamRequest
): AsyncGenerator<ExtractionEvent, void, undefined> => readEvents(transport, request, RUN);

/**
 * The events of stream after stream: one that breaks off is followed by the next. Throws after `maxRetries`
 * failures in a row.
 */
export async function* readAgain<Event>(
  transport: Transport,
  open: () => AsyncGenerator<Event, void, undefined>,
  signal: AbortSignal | undefined
): AsyncGenerator<Event, void, undefined> {
  let failures = 0;
  for (;;) {
    let asked: number | null = null;
    try {
      for await (const event of open()) {
        failures = 0;
        yield event;
      }
      return;
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      failures += 1;
      if (!isWorthARetry(error) || failures > transport.maxRetries) throw error;
      asked = error instanceof ApiError ? error.retryAfterSeconds : null;
    }
    await delay(retryDelayMs(failures, asked), signal);
  }
}

/** Every event up to the result. A stream that breaks off is taken up where it was left. */
export async function* watchEvents(
  transport: Transport,
  path: Path,
  signal: AbortSignal | undefined,
  patience: StreamPatience = PATIENCE
): AsyncGenerator<ExtractionEvent, void, undefined> {
  let after = "";
  const open = () => readStream(transport, { path, after, signal, patience });
  for await (const event of readAgain(transport, open, signal)) {
    after = event.id;
    yield event;
  }
}
