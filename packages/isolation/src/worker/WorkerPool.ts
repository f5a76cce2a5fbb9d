/**
 * A few warm worker processes that execute one task at a time, fairly by account. A task that takes too much time or
 * memory only ends its worker; another is started on demand. Before you change sizes or turns: bench/inspect-shares.ts
 * and bench/picture-shares.ts of packages/adapters.
 */
import { availableParallelism } from "node:os";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { openSandbox, type Sandbox, type SandboxMissing, type SandboxSetting } from "../sandbox/Sandbox.ts";
import { CurrentRun, type Run } from "@winnow/core/ports/CurrentRun";
import { inTurnOfRun, makeFairPermits } from "../runtime/FairPermits.ts";
import type { Frame } from "../process/Frames.ts";
import { ProcessorMeter } from "../process/ProcessUse.ts";
import { makeIdleWorkers } from "./IdleWorkers.ts";
import { startWorker, WorkerEnded, type WorkerProcess, type WorkerProgram } from "./WorkerProcess.ts";

/** A new worker takes a fifth of a second. */
const IDLE_MS = 60_000;

/** Poll interval of a busy worker's processor time. */
const POLL_INTERVAL = "50 millis";

/**
 * Processor time after which a task makes way for others, and its worker is not used again: nearly all take much less,
 * and a new worker compiles everything anew.
 */
const SLOW_MS = 1_500;

/** Wall-clock limit of a task in every pool of the server. */
export const TASK_WALL_MS = 30_000;

/** What the pools of the server have in common. */
const COMMON = {
  /** More would only compete for the processors. */
  workersMax: Math.min(4, Math.max(2, availableParallelism())),
  /** The largest pages within the other limits need half of it, schemas and answers less. */
  heapMb: 512,
  wallMs: TASK_WALL_MS
};

export interface TaskLimits {
  /** Processor time of one task, so that a busy machine does not make it fail. */
  readonly processorMs: number;
  /** Wall-clock limit as a safety net, for a worker that waits for ever or gets no processor. */
  readonly wallMs: number;
}

export interface WorkerPoolOptions extends WorkerProgram, TaskLimits {
  /** At most half of them for one account. */
  readonly workersMax: number;
  /** Null where programs run without a sandbox. */
  readonly sandbox: Sandbox | null;
  /** Whether a worker has tasks of one account only. Default false. */
  readonly isOfAccount?: boolean;
  /** How long an idle worker is kept. Default a minute. */
  readonly idleMs?: number;
  /** A worker with more resident memory is not kept. Default: none. */
  readonly keptMbMax?: number;
}

export interface WorkerPool {
  /** Waits for the turn of the run's account, then for the answer; its time counts from there. Interruption ends its worker. */
  readonly run: (task: Frame) => Effect.Effect<Frame, WorkerEnded>;
}

interface Used {
  /** Empty where accounts share workers. */
  readonly owner: string;
  readonly worker: WorkerProcess;
  readonly isReused: boolean;
  spentMs: number;
  isSlow: boolean;
  isToKeep: boolean;
}

/** Measures the time of the task, lets others go first once it is long, and ends it at its limits. */
const withinLimits = (
  used: Used,
  answer: Effect.Effect<Frame, WorkerEnded>,
  { heapMb, processorMs, wallMs }: WorkerPoolOptions
): Effect.Effect<Frame, WorkerEnded> =>
  Effect.suspend(() => {
    const { worker } = used;
    worker.usedMs();
    const measure = Effect.map(ProcessorMeter, (count) => {
      const usedMs = worker.usedMs();
      count?.(usedMs);
      used.spentMs += usedMs;
      if (used.spentMs >= SLOW_MS && !used.isSlow) worker.lowerPriority();
      used.isSlow = used.spentMs >= SLOW_MS;
    });
    // What fills memory takes time too, and on a busy machine the time may be over first.
    const giveUp = Effect.suspend(() =>
      Effect.fail(new WorkerEnded({ reason: worker.residentMb() > heapMb / 2 ? "too_large" : "timeout" }))
    );
    const overrun = measure.pipe(
      Effect.delay(POLL_INTERVAL),
      Effect.repeat({ until: () => used.spentMs >= processorMs }),
      Effect.andThen(giveUp)
    );
    return Effect.raceFirst(answer, overrun).pipe(
      Effect.timeoutOrElse({ duration: wallMs, orElse: () => giveUp }),
      Effect.onExit(() => measure)
    );
  });

/** Grows to its maximum as needed. */
export const makeWorkerPool = (options: WorkerPoolOptions): Effect.Effect<WorkerPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { idleMs = IDLE_MS, isOfAccount = false, keptMbMax = Infinity, sandbox, workersMax } = options;
    const inTurn = inTurnOfRun(makeFairPermits(workersMax));
    const idle = yield* Effect.acquireRelease(
      Effect.sync(() => makeIdleWorkers({ idleMs, idleMax: workersMax })),
      ({ end }) => end
    );
    const begin = ({ accountId }: Run): Used => {
      const owner = isOfAccount ? accountId : "";
      const known = idle.take(owner);
      const worker = known ?? startWorker(options, sandbox);
      return { owner, worker, isReused: known !== null, spentMs: 0, isSlow: false, isToKeep: false };
    };
    const run = (task: Frame): Effect.Effect<Frame, WorkerEnded> =>
      Effect.acquireUseRelease(
        Effect.map(CurrentRun, begin),
        (used) =>
          used.worker.ready.pipe(
            Effect.andThen(withinLimits(used, used.worker.ask(task), options)),
            Effect.tap(() =>
              Effect.sync(() => {
                used.isToKeep = !used.isSlow && used.worker.residentMb() <= keptMbMax;
              })
            ),
            // It may have ended while it was idle, which says nothing about the task.
            Effect.mapError((ended) =>
              used.isReused && used.spentMs === 0 && ended.reason !== "timeout" ? null : ended
            )
          ),
        ({ isToKeep, owner, worker }) => (isToKeep ? Effect.sync(() => idle.keep(owner, worker)) : worker.end)
      ).pipe(Effect.catch((ended) => (ended === null ? run(task) : Effect.fail(ended))));
    return { run: (task) => inTurn(run(task)) };
  });

export interface WorkerOptions {
  /** Of the worker processes; default `auto`. */
  readonly sandbox?: SandboxSetting;
}

/** A pool of the server. Fails if the sandbox is required but does not work. */
export const openWorkerPool = Effect.fnUntraced(function* (
  kind: Omit<WorkerPoolOptions, keyof typeof COMMON | "sandbox">,
  { sandbox = "auto" }: WorkerOptions
): Effect.fn.Return<WorkerPool, SandboxMissing, Scope.Scope> {
  return yield* makeWorkerPool({ ...COMMON, ...kind, sandbox: yield* openSandbox(sandbox) });
});
