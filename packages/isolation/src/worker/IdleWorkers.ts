/** Idle workers, each kept for a while for its owner; they do not hold this process. Tests: WorkerPool.test.ts. */
import * as Effect from "effect/Effect";
import type { WorkerProcess } from "./WorkerProcess.ts";

export interface IdleLimits {
  /** How long one is kept. */
  readonly idleMs: number;
  /** The one that has been idle longest is ended first. */
  readonly idleMax: number;
}

export const makeIdleWorkers = ({ idleMax, idleMs }: IdleLimits) => {
  interface Idle {
    readonly owner: string;
    readonly worker: WorkerProcess;
    readonly timer: NodeJS.Timeout;
  }
  const idle: Array<Idle> = [];
  const remove = (entries: ReadonlyArray<Idle>): ReadonlyArray<WorkerProcess> =>
    entries.map((entry) => {
      idle.splice(idle.indexOf(entry), 1);
      clearTimeout(entry.timer);
      return entry.worker;
    });
  const end = (entries: ReadonlyArray<Idle>) =>
    Effect.forEach(remove(entries), (worker) => worker.end, { discard: true, concurrency: "unbounded" });
  return {
    /** The owner's that was used last and is alive; null if there is none. */
    take: (owner: string): WorkerProcess | null => {
      const found = idle.findLast((each) => each.owner === owner && each.worker.alive());
      if (found === undefined) return null;
      remove([found]);
      found.worker.setHeld(true);
      return found.worker;
    },
    keep: (owner: string, worker: WorkerProcess): void => {
      worker.setHeld(false);
      const timer = setTimeout(() => void Effect.runPromise(end([entry])), idleMs).unref();
      const entry: Idle = { owner, worker, timer };
      if (idle.push(entry) > idleMax) void Effect.runPromise(end(idle.slice(0, 1)));
    },
    end: Effect.suspend(() => end([...idle]))
  };
};
