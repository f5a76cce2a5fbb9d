/** Workers kept between tasks, each for a while. They do not keep this process alive. */
import * as Effect from "effect/Effect";
import type { WorkerProcess } from "./WorkerProcess.ts";

export interface IdleWorkers<Key> {
  /** The worker used last, of those whose key matches and that are alive; null if there is none. */
  readonly take: (matches: (key: Key) => boolean) => WorkerProcess | null;
  readonly keep: (key: Key, worker: WorkerProcess) => void;
  readonly end: Effect.Effect<void>;
}

export interface IdleLimits {
  /** How long one is kept. */
  readonly idleMs: number;
  /** The one that has been idle longest is ended first. */
  readonly idleMax: number;
}

export const makeIdleWorkers = <Key>({ idleMax, idleMs }: IdleLimits): IdleWorkers<Key> => {
  interface Idle {
    readonly key: Key;
    readonly worker: WorkerProcess;
    readonly timer: NodeJS.Timeout;
  }
  const idle: Array<Idle> = [];

  const remove = (entry: Idle): boolean => {
    const at = idle.indexOf(entry);
    if (at < 0) return false;
    idle.splice(at, 1);
    clearTimeout(entry.timer);
    return true;
  };
  const drop = (entry: Idle): void => {
    if (remove(entry)) void Effect.runPromise(entry.worker.end);
  };

  return {
    take: (matches) => {
      const found = idle.findLast(({ key, worker }) => matches(key) && worker.alive());
      if (found === undefined) return null;
      remove(found);
      found.worker.setHeld(true);
      return found.worker;
    },
    keep: (key, worker) => {
      const timer = setTimeout(() => drop(entry), idleMs).unref();
      const entry: Idle = { key, worker, timer };
      worker.setHeld(false);
      idle.push(entry);
      const [oldest] = idle;
      if (idle.length > idleMax && oldest !== undefined) drop(oldest);
    },
    end: Effect.suspend(() => {
      const ending = idle.splice(0);
      for (const { timer } of ending) clearTimeout(timer);
      return Effect.forEach(ending, ({ worker }) => worker.end, { discard: true, concurrency: "unbounded" });
    })
  };
};
