/**
 * `GET /v1/extractions/{id}/events`: a run as server-sent events. Resources of a stream are released with its
 * request.
 */
import { isLastSequence } from "@winnow/core/domain/run/RunProgress";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Runs } from "@winnow/core/engine/runs/Runs";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Stream from "effect/Stream";
import { RateLimited } from "../../http/ApiErrors.ts";
import { withApiErrors, setResponseHeaders } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { eventFrames, lastSequence } from "./eventFrames.ts";
import { EventStreams, STREAMS_MAX } from "../../http/limits/EventStreams.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { eventsWhileLive } from "../../http/authentication/whileLive.ts";
import { resultBody } from "./extractionBodies.ts";

/** Seconds after which one of the open streams may have ended; a guess. */
const RETRY_SECONDS = 5;

/** Compression middleware (Express' `compression`, Next) would buffer events unless transformation is forbidden. */
const HEADERS = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" };

const tooManyStreams = Effect.fnUntraced(function* () {
  yield* setResponseHeaders({ "retry-after": String(RETRY_SECONDS) });
  return yield* new RateLimited({
    error: {
      message: `${STREAMS_MAX} event streams of this account are open already; close one, or poll.`,
      details: { reason: "too_many_streams", maxStreams: STREAMS_MAX }
    }
  });
});

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

  return Effect.fn("http.events")(function* (id: string, { headers }: HttpServerRequest) {
    const { accountId, via, isLive } = yield* Principal;
    const after = lastSequence(headers["last-event-id"]);
    const events = yield* runs.watch(accountId, id, after);
    if (isLastSequence(after)) return HttpServerResponse.empty({ status: 204 });
    if (via !== "process" && !(yield* streams.open(accountId))) return yield* tooManyStreams();
    const result = extractions.get(accountId, id).pipe(
      Effect.map((found) => (isTerminal(found.status) ? resultBody(found, publicUrl) : null)),
      Effect.catchTag("NotFound", () => Effect.succeed(null))
    );
    const frames = eventsWhileLive(eventFrames(events, result), isLive);
    return eventResponse(Stream.interruptWhen(frames, streams.ended));
  }, withApiErrors);
});
