/** Open event streams of this process: the limit per account, and their common end. Tests: events.test.ts. */
import { RateLimited } from "@winnow/core/domain/request/Refusal";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Context from "effect/Context";
import * as Latch from "effect/Latch";
import { Principal } from "../authentication/Authorization.ts";

/** Seconds after which one of the open answers may have ended; a guess. */
const RETRY_SECONDS = 5;

/** Limits how many answers of one account are open in this process at once. */
export class OpenPerAccount {
  readonly #counts = new Map<string, number>();
  readonly #max: number;
  readonly #refusal: RateLimited;

  constructor(max: number, refusal: ConstructorParameters<typeof RateLimited>[0]) {
    this.#max = max;
    this.#refusal = new RateLimited({ ...refusal, retryAfterSeconds: RETRY_SECONDS });
  }

  /**
   * Counts one until the scope closes, except for the embedding program.
   *
   * @fails RateLimited the account has the maximum
   */
  readonly open: Effect.Effect<void, RateLimited, Principal | Scope.Scope> = Principal.use(
    ({ accountId, via }) => {
      if (via === "process") return Effect.void;
      if ((this.#counts.get(accountId) ?? 0) >= this.#max) return Effect.fail(this.#refusal);
      return Effect.acquireRelease(
        Effect.sync(() => this.#add(accountId, 1)),
        () => Effect.sync(() => this.#add(accountId, -1))
      );
    }
  );

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
    readonly open: OpenPerAccount["open"];
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
  const streams = new OpenPerAccount(STREAMS_MAX, {
    message: `${STREAMS_MAX} event streams of this account are open already; close one, or poll.`,
    details: { reason: "too_many_streams", maxStreams: STREAMS_MAX }
  });
  return EventStreams.of({
    open: streams.open,
    count: Effect.sync(() => streams.count),
    ended: Latch.await(ending),
    end: Effect.asVoid(Latch.open(ending))
  });
});
