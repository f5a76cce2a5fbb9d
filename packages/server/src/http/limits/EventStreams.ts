/** Open event streams of this process: the limit per account, and their common end. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Context from "effect/Context";
import * as Latch from "effect/Latch";

// Limits how many answers of one account are open in this process at once.

export class OpenPerAccount {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one until the scope closes; false if the account already has the maximum. */
  open(accountId: string): Effect.Effect<boolean, never, Scope.Scope> {
    return Effect.suspend(() =>
      (this.#counts.get(accountId) ?? 0) >= this.#max
        ? Effect.succeed(false)
        : Effect.acquireRelease(
            Effect.sync(() => this.#add(accountId, 1)),
            () => Effect.sync(() => this.#add(accountId, -1))
          ).pipe(Effect.as(true))
    );
  }

  /** Of all accounts. */
  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  #add(accountId: string, change: number): void {
    const count = (this.#counts.get(accountId) ?? 0) + change;
    if (count === 0) this.#counts.delete(accountId);
    else this.#counts.set(accountId, count);
  }
}

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
