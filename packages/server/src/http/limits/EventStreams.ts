/** Open event streams of this process: the limit per account, and their common end. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import type * as Scope from "effect/Scope";
import { OpenPerAccount } from "./OpenPerAccount.ts";

/** Maximum per account and process: each takes a connection and reads a row every few seconds. */
export const STREAMS_MAX = 20;

export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** Counts one until the scope closes; false if the account already has {@link STREAMS_MAX}. */
    readonly open: (accountId: string) => Effect.Effect<boolean, never, Scope.Scope>;
    /** Number of open streams. */
    readonly count: Effect.Effect<number>;
    /** Completes when the server stops. */
    readonly ended: Effect.Effect<void>;
    /** Ends all streams, including future ones. */
    readonly end: Effect.Effect<void>;
  }
>()("@winnow/server/http/limits/EventStreams") {}

export const make: Effect.Effect<EventStreams["Service"]> = Effect.gen(function* () {
  const ending = yield* Latch.make(false);
  const open = new OpenPerAccount(STREAMS_MAX);
  return EventStreams.of({
    open: (accountId) => open.open(accountId),
    count: Effect.sync(() => open.count),
    ended: Latch.await(ending),
    end: Effect.asVoid(Latch.open(ending))
  });
});
