/**
 * Messages between processes on one database through LISTEN and NOTIFY: one channel, and one listening connection
 * per process, opened with its first listener and reopened when it breaks. Nothing is stored; messages during a
 * broken connection are lost.
 *
 * A NOTIFY makes its commit wait for those of all others, so none is part of a decision's transaction: it is sent
 * afterwards, many messages in one statement, which does not wait for the disk.
 */
import { randomUUID } from "node:crypto";
import * as PgClient from "@effect/sql-pg/PgClient";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Queue from "effect/Queue";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";

/** Channel name; other databases of the server do not receive it. */
const CHANNEL = "winnow_runs";

/** Maximum wait of a listener for the connection. */
const LISTEN_WAIT_MS = 1_000;

const RECONNECT_MS_MIN = 100;
const RECONNECT_MS_MAX = 10_000;

/** Maximum queued messages for a slow database; the oldest are dropped first. */
const OUTGOING_MAX = 256;

/** Messages are batched for this time, since a run reports several steps in a row. */
const GATHERED_MS = 20;

/** Time to send the remaining messages when the process stops. */
const FLUSH_WAIT_MS = 1_000;

/** PostgreSQL accepts less than 8,000 bytes (`NOTIFY`), including the envelope; ours have about 300. */
const MESSAGE_BYTES_MAX = 4_000;

const Wire = Schema.Struct({ from: Schema.String, topic: Schema.String, message: Schema.String });

const readWire = Schema.decodeUnknownOption(Schema.fromJsonString(Wire));

const NOTIFY = `select pg_notify($1, m.payload) from json_array_elements_text($2::json) m (payload)
  where set_config('synchronous_commit', 'off', true) is not null`;

type Wire = typeof Wire.Type;

type ChannelMessage = Pick<Wire, "topic" | "message">;

type Listener = (message: string) => Effect.Effect<void>;

export class DatabaseChannel extends Context.Service<
  DatabaseChannel,
  {
    /**
     * Sends a message to every listener of the topic in other processes; the caller notifies its own. Never fails
     * or waits. Within a transaction, it is sent after the commit.
     */
    readonly send: (topic: string, message: string) => Effect.Effect<void>;

    /** Messages of other processes from the time this returns until the scope closes. */
    readonly listen: (topic: string, onMessage: Listener) => Effect.Effect<void, never, Scope.Scope>;
  }
>()("@winnow/adapters/database/store/DatabaseChannel") {}

/** Listens forever; `ready` is open while it does. */
const listenForEver = (
  pg: PgClient.PgClient,
  ready: Latch.Latch,
  onMessage: (notice: Wire) => Effect.Effect<void>
) =>
  Effect.suspend(() => {
    let delayMs = RECONNECT_MS_MIN;
    const once = Effect.gen(function* () {
      const notifications = yield* pg.listen(CHANNEL);
      delayMs = RECONNECT_MS_MIN;
      yield* Latch.open(ready);
      return yield* Queue.take(notifications).pipe(
        Effect.flatMap(({ payload }) =>
          Option.match(readWire(payload), { onNone: () => Effect.void, onSome: onMessage })
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
      Effect.catchCause((cause) =>
        Effect.logDebug("The channel of runs and jobs lost its connection", cause)
      ),
      Effect.andThen(pause),
      Effect.forever
    );
  });

/** Sends queued messages, many in one statement; messages that the database rejects are dropped. */
const makeSender = Effect.fnUntraced(function* (pg: PgClient.PgClient, from: string) {
  const outgoing = yield* Queue.sliding<ChannelMessage>(OUTGOING_MAX);
  const send = (notices: ReadonlyArray<ChannelMessage>) => {
    if (notices.length === 0) return Effect.void;
    const messages = notices.map(({ topic, message }) => JSON.stringify({ from, topic, message }));
    return pg
      .unsafe(NOTIFY, [CHANNEL, JSON.stringify(messages)])
      .pipe(
        Effect.catchCause((cause) => Effect.logDebug("The channel of runs and jobs could not send", cause))
      );
  };
  // Opened before the fiber, so that it closes after it and sends the remaining messages.
  yield* Effect.addFinalizer(() =>
    Effect.timeoutOption(Effect.flatMap(Queue.clear(outgoing), send), FLUSH_WAIT_MS)
  );
  yield* Queue.peek(outgoing).pipe(
    Effect.andThen(Effect.sleep(GATHERED_MS)),
    Effect.andThen(Queue.takeAll(outgoing)),
    Effect.flatMap((notices) => Effect.uninterruptible(send(notices))),
    Effect.forever,
    Effect.forkScoped
  );
  return (notice: ChannelMessage) => Queue.offer(outgoing, notice);
});

const make = (sending: PgClient.PgClient, listening: PgClient.PgClient) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const from = randomUUID();
    const listeners = new Map<string, Set<Listener>>();
    const offer = yield* makeSender(sending, from);
    const ready = yield* Latch.make(false);
    const receive = listenForEver(listening, ready, ({ from: sender, topic, message }) =>
      Effect.forEach(sender === from ? [] : (listeners.get(topic) ?? []), (listener) => listener(message), {
        discard: true
      })
    );
    const start = yield* Effect.cached(Effect.forkIn(receive, scope));
    const forget = (topic: string, listener: Listener) =>
      Effect.sync(() => {
        const left = listeners.get(topic);
        left?.delete(listener);
        if (left?.size === 0) listeners.delete(topic);
      });

    return DatabaseChannel.of({
      send: (topic, message) =>
        Effect.asVoid(
          Effect.when(
            offer({ topic, message }),
            Effect.sync(() => Buffer.byteLength(message) <= MESSAGE_BYTES_MAX)
          )
        ),
      listen: Effect.fnUntraced(function* (topic, onMessage) {
        const of = listeners.get(topic) ?? new Set();
        listeners.set(topic, of.add(onMessage));
        yield* Effect.addFinalizer(() => forget(topic, onMessage));
        // In a separate fiber: an unresponsive database must not block the listener.
        const opening = yield* Effect.forkIn(Effect.andThen(start, Latch.await(ready)), scope);
        yield* Effect.interruptible(Effect.timeoutOption(Fiber.await(opening), LISTEN_WAIT_MS));
      })
    });
  });

/** `listening` may be a direct connection to the same database, if `sending` uses a transaction pooler. */
export const layer = (
  listening?: PgClient.PgClient
): Layer.Layer<DatabaseChannel, never, PgClient.PgClient> =>
  Layer.effect(
    DatabaseChannel,
    Effect.flatMap(PgClient.PgClient, (sending) => make(sending, listening ?? sending))
  );
