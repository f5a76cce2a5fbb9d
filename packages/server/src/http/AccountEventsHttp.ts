/**
 * `GET /v1/events`: all events of an account as server-sent events. Resources of a stream are released with its
 * request.
 */
import { AccountEvents, type AccountEvent } from "@winnow/core/engine/AccountEvents";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Principal } from "../api/Authorization.ts";
import { withHeartbeats } from "./eventFrames.ts";
import { EventStreams } from "./EventStreams.ts";
import { eventResponse, tooManyStreams } from "./EventsHttp.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { deliveryItem } from "./webhookWire.ts";
import { eventsWhileLive } from "./whileLive.ts";
import { extractionItem, progressItem } from "./wire.ts";

/** After this time, watchers reconnect and authenticate again, because a key may have been revoked. */
export const STREAM_LIFETIME_MS = 5 * 60_000;

const frame = ({ event, data }: { readonly event: string; readonly data: object }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Name and data of an event, shared by the stream and the embedded engine. */
export const accountEvent = (event: AccountEvent, publicUrl: string) => {
  switch (event.type) {
    case "extraction": {
      const { id, extraction } = event;
      const item = extraction === null ? null : extractionItem(extraction, publicUrl);
      const data = { id, extraction: item, progress: null, deleted: extraction === null };
      return { event: "extraction", data } as const;
    }
    case "progress": {
      const progress = progressItem(event.progress);
      return {
        event: "extraction",
        data: { id: event.id, extraction: null, progress, deleted: false }
      } as const;
    }
    case "balance":
      return { event: "balance", data: { balance: event.balance } } as const;
    case "delivery":
      return { event: "delivery", data: deliveryItem(event.delivery) } as const;
  }
};

export const makeAccountEvents = Effect.gen(function* () {
  const { watch } = yield* AccountEvents;
  const streams = yield* EventStreams;
  const publicUrl = yield* PublicUrl;

  return Effect.fn("http.accountEvents")(function* () {
    const { accountId, isLive } = yield* Principal;
    if (!(yield* streams.open(accountId))) return yield* tooManyStreams();
    const events = yield* Effect.orDie(watch(accountId));
    const ended = Effect.raceFirst(streams.ended, Effect.sleep(STREAM_LIFETIME_MS));
    const frames = withHeartbeats(Stream.map(events, (event) => frame(accountEvent(event, publicUrl))));
    return eventResponse(Stream.interruptWhen(eventsWhileLive(frames, isLive), ended));
  });
});
