/** Server-sent events as text (WHATWG HTML, "Server-sent events"). */
import { isLast, type RunEvent } from "@winnow/core/domain/run/RunProgress";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as Stream from "effect/Stream";
import { progressItem } from "./extractionBodies.ts";

/** Shorter than the idle timeout of proxies, of which 30 s is the lowest in use. */
export const HEARTBEAT_INTERVAL_MS = 15_000;

/** Delay before an EventSource reconnects. */
const RECONNECT_MS = 2_000;

const RETRY = `retry: ${RECONNECT_MS}\n\n`;
const HEARTBEAT = ": \n\n";

/** JSON has no raw line breaks, so data is a single line. */
const frame = (sequence: number, event: "progress" | "result", data: unknown): string =>
  `id: ${sequence}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The sequence in a `Last-Event-ID`; the start for an id that we did not send. */
export const lastSequence = (header: string | undefined): number =>
  header !== undefined && /^\d{1,15}$/u.test(header) ? Number(header) : -1;

/** The reconnect delay, the frames, and heartbeat comments. */
const withHeartbeats = <E, R>(frames: Stream.Stream<string, E, R>): Stream.Stream<string, E, R> => {
  const heartbeats = Stream.fromSchedule(Schedule.spaced(HEARTBEAT_INTERVAL_MS)).pipe(
    Stream.map(() => HEARTBEAT)
  );
  return Stream.concat(Stream.make(RETRY), Stream.merge(frames, heartbeats, { haltStrategy: "left" }));
};

/** Events with heartbeats in between, followed by the result. `result` is null if the extraction was deleted. */
export const eventFrames = <E, R>(
  events: Stream.Stream<RunEvent, E, R>,
  result: Effect.Effect<object | null>
): Stream.Stream<string, E, R> => {
  const frames = Stream.mapEffect(events, (event) =>
    isLast(event)
      ? Effect.map(result, (body) => (body === null ? "" : frame(event.sequence, "result", body)))
      : Effect.succeed(frame(event.sequence, "progress", progressItem(event)))
  );
  return withHeartbeats(frames);
};
