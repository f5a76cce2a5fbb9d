/** Work that items of one request have in common is done for the first of them, such as the check of their schema. Tests: Reads.test.ts. */
import * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";

/** Equal keys mean the same work. */
export type Once = <A, E, R>(key: unknown, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

export const eachTime: Once = (_key, work) => work;

export const makeOnce = (): Once => {
  const ended = new Map<unknown, Exit.Exit<unknown, unknown>>();
  return <A, E, R>(key: unknown, work: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E, R> => {
      const before = ended.get(key) as Exit.Exit<A, E> | undefined;
      return before ?? Effect.onExit(work, (exit) => Effect.sync(() => void ended.set(key, exit)));
    });
};
