/**
 * `GET /v1/extractions/{id}/events`: a run as server-sent events. Resources of a stream are released with its
 * request. Tests: events.test.ts, eventFrames.test.ts.
 */
import { isLast, type RunEvent } from "@winnow/core/domain/run/RunProgress";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as Stream from "effect/Stream";
import { progressItem, resultBody } from "./extractionBodies.ts";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Runs } from "@winnow/core/engine/runs/Runs";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { Principal } from "../../http/authentication/Authorization.ts";
import { EventStreams } from "../../http/limits/EventStreams.ts";
import { jsonLine } from "../../http/jsonLine.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { eventsWhileLive } from "../../http/authentication/whileLive.ts";

// Server-sent events as text (WHATWG HTML, "Server-sent events").

/** Shorter than the idle timeout of proxies, of which 30 s is the lowest in use. */
export const HEARTBEAT_INTERVAL_MS = 15_000;

/** Delay before an EventSource reconnects. */
const RECONNECT_MS = 2_000;

const RETRY = `retry: ${RECONNECT_MS}\n\n`;
const HEARTBEAT = ": \n\n";

const frame = (event: "progress" | "result", data: unknown): string =>
  `event: ${event}\ndata: ${jsonLine(data)}\n\n`;

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
      ? Effect.map(result, (body) => (body === null ? "" : frame("result", body)))
      : Effect.succeed(frame("progress", progressItem(event)))
  );
  return withHeartbeats(frames);
};

/** Compression middleware (Express' `compression`, Next) would buffer events unless transformation is forbidden. */
const HEADERS = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" };

const eventResponse = (frames: Stream.Stream<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.encodeText(frames), {
    contentType: "text/event-stream",
    headers: HEADERS
  });

export const makeEvents = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const runs = yield* Runs;
  const streams = yield* EventStreams;
  const publicUrl = yield* PublicUrl;

  return Effect.fnUntraced(function* (id: string) {
    const { accountId, isLive } = yield* Principal;
    const events = yield* runs.watch(accountId, id);
    yield* streams.open;
    const result = extractions.get(accountId, id).pipe(
      Effect.map((found) => (isTerminal(found.status) ? resultBody(found, publicUrl) : null)),
      Effect.catchTag("NotFound", () => Effect.succeed(null))
    );
    const frames = eventsWhileLive(eventFrames(events, result), isLive);
    return eventResponse(Stream.interruptWhen(frames, streams.ended));
  });
});
