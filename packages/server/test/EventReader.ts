/** Reads a stream of server-sent events over its own socket, as it arrives. */
import { get, type IncomingMessage } from "node:http";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

export interface SeenEvent {
  readonly event: string;
  readonly data: any;
}

const parsed = (frame: string): SeenEvent | null => {
  const fields = Object.fromEntries(
    frame.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
  );
  return fields["data"] === undefined
    ? null
    : { event: fields["event"] ?? "", data: JSON.parse(fields["data"]) };
};

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  readonly text: () => string;
  readonly events: () => ReadonlyArray<SeenEvent>;
  /** The next event, which may still have to arrive; null at the end of the stream. */
  readonly next: Effect.Effect<SeenEvent | null>;
  /** All remaining events, up to the end of the stream. */
  readonly rest: Effect.Effect<ReadonlyArray<SeenEvent>>;
}

/** Not `fetch`, which opens a new connection to replace an aborted one, and keeps it. */
const ask = (url: string, headers: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get(url, { headers, agent: false }, resolve).once("error", reject);
        })
    ),
    (response) => Effect.sync(() => response.destroy())
  );

/** Disconnects when the scope closes. */
export const readEvents = Effect.fnUntraced(function* (
  url: string,
  headers: Record<string, string>
): Effect.fn.Return<EventReader, never, Scope.Scope> {
  const response = yield* ask(url, headers);
  const chunks = response.setEncoding("utf8")[Symbol.asyncIterator]();
  let text = "";
  let unfinished = "";
  let taken = 0;
  const events: Array<SeenEvent> = [];
  const read = (chunk: string): void => {
    text += chunk;
    const frames = `${unfinished}${chunk}`.split("\n\n");
    unfinished = frames.pop() ?? "";
    events.push(...frames.map(parsed).filter((event) => event !== null));
  };
  const pull = async (): Promise<SeenEvent | null> => {
    for (;;) {
      const event = events[taken];
      if (event !== undefined) {
        taken += 1;
        return event;
      }
      const { done, value } = await chunks.next();
      if (done === true) return null;
      read(value as string);
    }
  };
  const rest = async (): Promise<ReadonlyArray<SeenEvent>> => {
    const left: Array<SeenEvent> = [];
    for (let event = await pull(); event !== null; event = await pull()) left.push(event);
    return left;
  };
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    text: () => text,
    events: () => events,
    next: Effect.promise(pull),
    rest: Effect.promise(rest)
  };
});
