/**
 * Carries started runs to workers.
 *
 * At least once: a job is handed out again when its worker dies (noticed by heartbeat within 60 s), so a
 * handler must claim the run in the store first. One job per extraction at a time: enqueueing one that
 * waits changes nothing, and one that is being worked on is handed out again once that handler has ended.
 *
 * Accounts take turns, and the jobs of an account begin in the order in which they were enqueued: however many
 * of one wait, those of another wait for no more of them than there are of their own.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { RunJob } from "../domain/Decision.ts";

export interface QueueDepth {
  /** Jobs nobody has taken up. */
  readonly waiting: number;
  readonly active: number;
  /** Since the oldest of the waiting was enqueued; 0 when none waits. */
  readonly oldestWaitingSeconds: number;
}

export class JobQueue extends Context.Service<
  JobQueue,
  {
    /** Joins the caller's transaction where there is one: rolled back with it, seen only after its commit. */
    readonly enqueue: (job: RunJob) => Effect.Effect<void>;

    /**
     * Takes up jobs until the scope closes, `concurrency` at a time. When it closes, no further job is
     * taken, running handlers are interrupted and their finalizers awaited. A handler that fails or dies
     * gets its job again, later.
     */
    readonly work: <E, R>(
      concurrency: number,
      handler: (job: RunJob) => Effect.Effect<void, E, R>
    ) => Effect.Effect<void, never, R | Scope.Scope>;

    readonly depth: Effect.Effect<QueueDepth>;
  }
>()("@winnow/core/ports/JobQueue") {}
