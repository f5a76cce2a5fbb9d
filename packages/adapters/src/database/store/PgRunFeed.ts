/**
 * RunFeed over the DatabaseChannel, which listens while somebody watches. Watchers in the same process are notified
 * directly, even without the database. Nothing is stored.
 */
import { RunEvent } from "@winnow/core/domain/run/RunProgress";
import { KEPT_EVENT_MS, KEPT_EVENTS_MAX, RunFeed } from "@winnow/core/ports/RunFeed";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as PubSub from "effect/PubSub";
import * as RcMap from "effect/RcMap";
import * as Schema from "effect/Schema";
import * as Stream from "effect/Stream";
import { DatabaseChannel } from "./DatabaseChannel.ts";

const TOPIC = "feed";

/** Keeps listening after the last watcher, since watchers usually return. */
const LISTENED_ON_MS = 60_000;

const Message = Schema.Struct({ extractionId: Schema.String, event: RunEvent });
type Message = typeof Message.Type;

const readMessage = Schema.decodeUnknownOption(Schema.fromJsonString(Message));

const make = Effect.gen(function* () {
  const channel = yield* DatabaseChannel;
  // Watchers in this process, by extraction.
  const watched = yield* RcMap.make({
    lookup: (_extractionId: string) =>
      Effect.acquireRelease(
        PubSub.sliding<RunEvent>({ capacity: KEPT_EVENTS_MAX, replay: 1 }),
        PubSub.shutdown
      ),
    idleTimeToLive: KEPT_EVENT_MS
  });
  const deliver = Effect.fnUntraced(function* ({ extractionId, event }: Message) {
    if (!(yield* RcMap.has(watched, extractionId))) return;
    yield* PubSub.publish(yield* RcMap.get(watched, extractionId), event);
  }, Effect.scoped);
  // One listener for all watchers of the process, which distributes the messages.
  const subscriptions = yield* RcMap.make({
    lookup: (_all: "all") =>
      channel.listen(TOPIC, (text) =>
        Option.match(readMessage(text), { onNone: () => Effect.void, onSome: deliver })
      ),
    idleTimeToLive: LISTENED_ON_MS
  });

  return RunFeed.of({
    publish: (extractionId, event) => {
      const message = { extractionId, event };
      return Effect.andThen(deliver(message), channel.send(TOPIC, JSON.stringify(message)));
    },
    watch: Effect.fnUntraced(function* (extractionId) {
      const hub = yield* RcMap.get(watched, extractionId);
      const events = Stream.fromSubscription(yield* PubSub.subscribe(hub));
      yield* RcMap.get(subscriptions, "all");
      return events;
    })
  });
});

export const layer: Layer.Layer<RunFeed, never, DatabaseChannel> = Layer.effect(RunFeed, make);
