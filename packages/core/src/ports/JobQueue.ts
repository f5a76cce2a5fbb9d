/**
 * Delivers started runs to workers.
 *
 * At least once: a job is delivered again when its worker dies (noticed within 60 s), so a
 * handler must claim the run in the store first. One job per extraction at a time: enqueueing a waiting one
 * changes nothing, and one that is being processed is delivered again once its handler has ended.
 *
 * Accounts take turns, and the jobs of an account start in the order in which they were enqueued: a job waits
 * for at most as many jobs of another account as there are of its own.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { RunJob } from "../domain/run/Decision.ts";

export interface QueueDepth {
  /** Jobs that no worker has taken. */
  readonly waiting: number;
  readonly active: number;
  /** Seconds since the oldest waiting job was enqueued; 0 if none waits. */
  readonly oldestWaitingSeconds: number;
  /** Of a queue in a database, what makes it slow; absent otherwise. */
  readonly upkeep?: QueueUpkeep;
}

export interface QueueUpkeep {
  /** Rows of former jobs that the database has not removed yet. Each look at the queue may read them. */
  readonly deadRows: number;
  /** Age of the database's oldest transaction; rows that ended after its start stay. 0 if there is no other. */
  readonly oldestTransactionSeconds: number;
}

export class JobQueue extends Context.Service<
  JobQueue,
  {
    /**
     * Joins the caller's transaction, if there is one: rolled back with it, and visible only after its commit.
     */
    readonly enqueue: (job: RunJob) => Effect.Effect<void>;

    /**
     * Processes jobs until the scope closes, `concurrency` at a time. When it closes, no further jobs are
     * taken, running handlers are interrupted and their finalizers awaited. If a handler fails or dies, its
     * job is delivered again later.
     */
    readonly work: <E, R>(
      concurrency: number,
      handler: (job: RunJob) => Effect.Effect<void, E, R>
    ) => Effect.Effect<void, never, R | Scope.Scope>;

    readonly depth: Effect.Effect<QueueDepth>;
  }
>()("@winnow/core/ports/JobQueue") {}
