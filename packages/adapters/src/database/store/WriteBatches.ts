/**
 * Writes of many fibers in one statement: those that arrive while one is in flight go with the next, so that a busy
 * process commits once for many of them, and an idle one does not wait. Tests: PgWebhooks.test.ts.
 */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Queue from "effect/Queue";

/** Maximum writes per statement, so that none waits long for the others. */
const BATCH_MAX = 64;

/** Writes until the scope closes; `write` answers in the order of what it is given. */
export const makeWriteBatches = Effect.fnUntraced(function* <W, A, E>(
  write: (batch: ReadonlyArray<W>) => Effect.Effect<ReadonlyArray<A>, E>
) {
  type Waiting = { readonly one: W; readonly done: Deferred.Deferred<A, E> };
  const waiting = yield* Queue.unbounded<Waiting>();

  const writeAll = (batch: ReadonlyArray<Waiting>) =>
    Effect.flatMap(write(batch.map(({ one }) => one)), (answers) =>
      Effect.forEach(batch, ({ done }, index) => Deferred.succeed(done, answers[index] as A), {
        discard: true
      })
    );
  /** One that cannot be written must not block the others. */
  const writeAlone = (each: Waiting) =>
    Effect.catchCause(writeAll([each]), (cause) => Deferred.failCause(each.done, cause));

  yield* Queue.takeBetween(waiting, 1, BATCH_MAX).pipe(
    Effect.flatMap((batch) =>
      Effect.catchCause(writeAll(batch), () => Effect.forEach(batch, writeAlone, { discard: true }))
    ),
    Effect.withTracerEnabled(false),
    Effect.forever,
    Effect.forkScoped
  );

  return Effect.fnUntraced(function* (one: W) {
    const done = yield* Deferred.make<A, E>();
    yield* Queue.offer(waiting, { one, done });
    return yield* Deferred.await(done);
  });
});
