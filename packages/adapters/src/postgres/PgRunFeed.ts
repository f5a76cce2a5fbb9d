/**
 * RunFeed over the DatabaseChannel, which listens while somebody watches. Watchers in the same process are notified
 * directly, even without the database. Nothing is stored.
 */
import { AccountSignal } from "@winnow/core/domain/AccountSignal";
import { RunEvent } from "@winnow/core/domain/RunProgress";
import { KEPT_EVENTS_MAX, KEPT_SIGNALS_MAX, RunFeed } from "@winnow/core/ports/RunFeed";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as PubSub from "effect/PubSub";
import * as RcMap from "effect/RcMap";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { DatabaseChannel } from "./DatabaseChannel.ts";

const TOPIC = "feed";

/** Within DatabaseChannel's MESSAGE_BYTES_MAX: the longest has about 250 bytes. */
const SIGNALS_IN_MESSAGE_MAX = 12;

/** Keeps listening after the last watcher, since watchers usually return. */
const LISTENED_ON_MS = 60_000;

const Message = Schema.Union([
  Schema.Struct({ extractionId: Schema.String, event: RunEvent }),
  Schema.Struct({ accountId: Schema.String, signals: Schema.Array(AccountSignal) })
]);
type Message = typeof Message.Type;

const readMessage = Schema.decodeUnknownOption(Schema.fromJsonString(Message));

/** Watchers in this process, by extraction or account. */
const makeLocal = Effect.fnUntraced(function* <A>(keptMax: number) {
  const watched = yield* RcMap.make({
    lookup: (_topic: string) => Effect.acquireRelease(PubSub.sliding<A>(keptMax), PubSub.shutdown)
  });
  return {
    deliver: Effect.fnUntraced(function* (topic: string, events: ReadonlyArray<A>) {
      if (!(yield* RcMap.has(watched, topic))) return;
      yield* PubSub.publishAll(yield* RcMap.get(watched, topic), events);
    }, Effect.scoped),
    watch: Effect.fnUntraced(function* (topic: string) {
      const hub = yield* RcMap.get(watched, topic);
      return Stream.fromSubscription(yield* PubSub.subscribe(hub));
    })
  };
});

const make = Effect.gen(function* () {
  const channel = yield* DatabaseChannel;
  const runs = yield* makeLocal<RunEvent>(KEPT_EVENTS_MAX);
  const accounts = yield* makeLocal<AccountSignal>(KEPT_SIGNALS_MAX);
  const deliver = (message: Message) =>
    "event" in message
      ? runs.deliver(message.extractionId, [message.event])
      : accounts.deliver(message.accountId, message.signals);
  // One listener for all watchers of the process, which distributes the messages.
  const subscriptions = yield* RcMap.make({
    lookup: (_all: "all") =>
      channel.listen(TOPIC, (text) =>
        Option.match(readMessage(text), { onNone: () => Effect.void, onSome: deliver })
      ),
    idleTimeToLive: LISTENED_ON_MS
  });
  const publish = (message: Message) =>
    Effect.andThen(deliver(message), channel.send(TOPIC, JSON.stringify(message)));
  const listened = <A>(watching: Effect.Effect<A, never, Scope.Scope>) =>
    Effect.tap(watching, () => RcMap.get(subscriptions, "all"));

  return RunFeed.of({
    publish: (extractionId, event) => publish({ extractionId, event }),
    watch: (extractionId) => listened(runs.watch(extractionId)),
    signal: (accountId, signals) =>
      Effect.forEach(
        Array.from({ length: Math.ceil(signals.length / SIGNALS_IN_MESSAGE_MAX) }, (_, index) =>
          signals.slice(index * SIGNALS_IN_MESSAGE_MAX, (index + 1) * SIGNALS_IN_MESSAGE_MAX)
        ),
        (some) => publish({ accountId, signals: some }),
        { discard: true }
      ),
    watchAccount: (accountId) => listened(accounts.watch(accountId))
  });
});

export const layer: Layer.Layer<RunFeed, never, DatabaseChannel> = Layer.effect(RunFeed, make);
