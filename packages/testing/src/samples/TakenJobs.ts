/**
 * The only worker of a store's queue in tests: records which jobs were delivered, without running them.
 */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { JobQueue } from "@winnow/core/ports/JobQueue";

/** Maximum wait for an enqueued job, including on a slow machine. */
export const WAIT_MS = 60_000;

/** Jobs of the store's queue, as its only worker saw them. */
export class TakenJobs extends Context.Service<
  TakenJobs,
  {
    readonly has: (extractionId: string) => Effect.Effect<boolean>;
    /** Waits until the extraction's job has been delivered. */
    readonly await: (extractionId: string) => Effect.Effect<void>;
  }
>()("@winnow/testing/samples/TakenJobs") {
  static readonly layer = Layer.effect(
    TakenJobs,
    Effect.gen(function* () {
      const queue = yield* JobQueue;
      const taken = new Map<string, Deferred.Deferred<void>>();
      const slotOf = (id: string): Deferred.Deferred<void> => {
        const found = taken.get(id) ?? Deferred.makeUnsafe<void>();
        taken.set(id, found);
        return found;
      };
      yield* queue.work(2, ({ extractionId }) => Deferred.succeed(slotOf(extractionId), undefined));
      return TakenJobs.of({
        has: (id) => Deferred.isDone(slotOf(id)),
        await: (id) =>
          Effect.timeoutOrElse(Deferred.await(slotOf(id)), {
            duration: WAIT_MS,
            orElse: () => Effect.die(new Error(`The job of ${id} was not delivered within ${WAIT_MS} ms`))
          })
      });
    })
  );
}
