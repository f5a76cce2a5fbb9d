/**
 * Waits of tools count as event streams: each holds a connection, their number per account is limited, and they end
 * when the server stops.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { EventStreams } from "../http/limits/EventStreams.ts";

/** If the limit is reached or the server stops, a wait ends immediately and the call returns the current state. */
export const makeWaits =
  (streams: EventStreams["Service"]) =>
  (accountId: string) =>
  async <A>(wait: (signal: AbortSignal) => Promise<A>): Promise<A | null> => {
    const scope = Scope.makeUnsafe();
    const ending = new AbortController();
    try {
      if (!(await Effect.runPromise(Scope.provide(streams.open(accountId), scope)))) return null;
      await Effect.runPromise(
        Scope.provide(
          Effect.forkScoped(
            Effect.andThen(
              streams.ended,
              Effect.sync(() => ending.abort())
            )
          ),
          scope
        )
      );
      return await wait(ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void));
    }
  };
