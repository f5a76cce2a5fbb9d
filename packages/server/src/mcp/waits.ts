/**
 * Waits of tools count as event streams: each holds a connection, an account has only so many, and the end of the
 * server ends them all.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { EventStreams } from "../http/EventStreams.ts";

/** Without a place, or when the server stops, a wait is over at once: the call answers what there is. */
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
