/**
 * RunFeed over LISTEN and NOTIFY: one listening connection of a process, opened at its first watcher and
 * opened again when it breaks. Watchers of the own process are told directly, database or not. Nothing is
 * stored; what a broken connection missed is gone.
 */
import { randomUUID } from "node:crypto";
import * as PgClient from "@effect/sql-pg/PgClient";
import { AccountSignal } from "@winnow/core/domain/AccountSignal";
import { RunEvent } from "@winnow/core/domain/RunProgress";
import { KEPT_EVENTS_MAX, KEPT_SIGNALS_MAX, RunFeed } from "@winnow/core/ports/RunFeed";
import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as PubSub from "effect/PubSub";
import * as Queue from "effect/Queue";
import * as RcMap from "effect/RcMap";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";

/** Of the database; other databases of the server do not hear it. */
const CHANNEL = "winnow_runs";

/** A watcher does not wait longer for the connection: what it misses until then, the store says. */
const LISTEN_WAIT_MS = 1_000;

const RECONNECT_MS_MIN = 100;
const RECONNECT_MS_MAX = 10_000;

/** Events that wait for a slow database; the oldest go first. */
const OUTGOING_MAX = 256;

/** PostgreSQL takes less than 8,000 (`NOTIFY`); ours have some 300. */
const PAYLOAD_BYTES_MAX = 4_000;

/** Within {@link PAYLOAD_BYTES_MAX}: the longest has some 250 bytes. */
const SIGNALS_IN_MESSAGE_MAX = 12;

/** What is left to send may take as long when the process stops. */
const FLUSH_WAIT_MS = 1_000;

/** `from` is the process: it has told its own watchers already. */
const Message = Schema.Union([
  Schema.Struct({ from: Schema.String, extractionId: Schema.String, event: RunEvent }),
  Schema.Struct({ from: Schema.String, accountId: Schema.String, signals: Schema.Array(AccountSignal) })
]);
type Message = typeof Message.Type;

const readMessage = Schema.decodeUnknownOption(Schema.fromJsonString(Message));

const NOTIFY = "select pg_notify($1, payload) from json_array_elements_text($2::json) payload";

/** Watchers of this process, by extraction or account. */
const makeLocal = Effect.fnUntraced(function* <A>(keptMax: number) {
  const watched = yield* RcMap.make({
    lookup: (_topic: string) => Effect.acquireRelease(PubSub.sliding<A>(keptMax), PubSub.shutdown)
  });
  return {
    tell: Effect.fnUntraced(function* (topic: string, told: ReadonlyArray<A>) {
      if (!(yield* RcMap.has(watched, topic))) return;
      yield* PubSub.publishAll(yield* RcMap.get(watched, topic), told);
    }, Effect.scoped),
    watch: Effect.fnUntraced(function* (topic: string) {
      const hub = yield* RcMap.get(watched, topic);
      return Stream.fromSubscription(yield* PubSub.subscribe(hub));
    })
  };
});

/** Listens for ever; `ready` is open while it does. */
const listenForEver = (
  pg: PgClient.PgClient,
  ready: Latch.Latch,
  onMessage: (message: Message) => Effect.Effect<void>
) =>
  Effect.suspend(() => {
    let delayMs = RECONNECT_MS_MIN;
    const once = Effect.gen(function* () {
      const notifications = yield* pg.listen(CHANNEL);
      delayMs = RECONNECT_MS_MIN;
      yield* Latch.open(ready);
      return yield* Queue.take(notifications).pipe(
        Effect.flatMap(({ payload }) =>
          Option.match(readMessage(payload), { onNone: () => Effect.void, onSome: onMessage })
        ),
        Effect.forever
      );
    }).pipe(Effect.scoped, Effect.ensuring(Latch.close(ready)));
    const pause = Effect.suspend(() => {
      const nowMs = delayMs;
      delayMs = Math.min(RECONNECT_MS_MAX, delayMs * 2);
      return Effect.sleep(nowMs);
    });
    return once.pipe(
      Effect.catchCause((cause) => Effect.logDebug("The run feed lost its connection", cause)),
      Effect.andThen(pause),
      Effect.forever
    );
  });

/** Sends what is offered, many in one statement; what the database does not take is dropped. */
const makeSender = Effect.fnUntraced(function* (pg: PgClient.PgClient) {
  const outgoing = yield* Queue.sliding<string>(OUTGOING_MAX);
  const send = (payloads: ReadonlyArray<string>) =>
    payloads.length === 0
      ? Effect.void
      : pg
          .unsafe(NOTIFY, [CHANNEL, JSON.stringify(payloads)])
          .pipe(Effect.catchCause((cause) => Effect.logDebug("The run feed could not send", cause)));
  // Open before the fiber, so that it closes after it: what is left goes then.
  yield* Effect.addFinalizer(() =>
    Effect.timeoutOption(Effect.flatMap(Queue.clear(outgoing), send), FLUSH_WAIT_MS)
  );
  yield* Queue.takeAll(outgoing).pipe(
    Effect.flatMap((payloads) => Effect.uninterruptible(send(payloads))),
    Effect.forever,
    Effect.forkScoped
  );
  return (payload: string) => Queue.offer(outgoing, payload);
});

const make = Effect.gen(function* () {
  const pg = yield* PgClient.PgClient;
  const scope = yield* Effect.scope;
  const from = randomUUID();
  const runs = yield* makeLocal<RunEvent>(KEPT_EVENTS_MAX);
  const accounts = yield* makeLocal<AccountSignal>(KEPT_SIGNALS_MAX);
  const offer = yield* makeSender(pg);
  const ready = yield* Latch.make(false);
  const tell = (message: Message) =>
    "event" in message
      ? runs.tell(message.extractionId, [message.event])
      : accounts.tell(message.accountId, message.signals);
  const listening = listenForEver(pg, ready, (message) =>
    message.from === from ? Effect.void : tell(message)
  );
  const startListening = yield* Effect.cached(Effect.forkIn(listening, scope));
  const publish = Effect.fnUntraced(function* (message: Message) {
    yield* tell(message);
    const payload = JSON.stringify(message);
    if (Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX) yield* offer(payload);
  });
  const listened = Effect.fnUntraced(function* <A>(watching: Effect.Effect<A, never, Scope.Scope>) {
    const watched = yield* watching;
    yield* startListening;
    // Interruptible whatever the watcher is: a database that does not answer must not hold it.
    yield* Effect.interruptible(Effect.timeoutOption(Latch.await(ready), LISTEN_WAIT_MS));
    return watched;
  });

  return RunFeed.of({
    publish: (extractionId, event) => publish({ from, extractionId, event }),
    watch: (extractionId) => listened(runs.watch(extractionId)),
    signal: (accountId, signals) =>
      Effect.forEach(
        Array.from({ length: Math.ceil(signals.length / SIGNALS_IN_MESSAGE_MAX) }, (_, index) =>
          signals.slice(index * SIGNALS_IN_MESSAGE_MAX, (index + 1) * SIGNALS_IN_MESSAGE_MAX)
        ),
        (some) => publish({ from, accountId, signals: some }),
        { discard: true }
      ),
    watchAccount: (accountId) => listened(accounts.watch(accountId))
  });
});

export const layer: Layer.Layer<RunFeed, never, PgClient.PgClient> = Layer.effect(RunFeed, make);
