/**
 * A few warm worker threads that execute one task at a time. A task that is interrupted or fails only ends its
 * worker; another is started on demand.
 */
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Pool from "effect/Pool";
import type * as Scope from "effect/Scope";

/** The worker ended before it answered: out of memory, or a crash. */
export class WorkerEnded extends Data.TaggedError("WorkerEnded") {}

export interface WorkerPoolOptions {
  /** Module of the worker without its extension, relative to `from`. */
  readonly entry: string;
  /** `import.meta.url` of the module that starts it. */
  readonly from: string;
  readonly workersMax: number;
  /** A safety net only: exceeding it can end the whole process. */
  readonly heapMb: number;
  /** Memory outside the heap, such as buffers; a task that exceeds it is ended. Default: unlimited. */
  readonly buffersMb?: number;
  /** Whether it posts a message when it is ready, which tasks wait for. */
  readonly saysReady?: boolean;
}

export interface WorkerPool<Task, Message> {
  /**
   * Waits for a free worker, then for its answer. Limits set inside `within`, and `spentMs` (processor time), count
   * from the moment a worker gets the task; exceeding one ends its worker too.
   */
  readonly run: <E>(
    task: Task,
    within: (
      answer: Effect.Effect<Message, WorkerEnded>,
      spentMs: Effect.Effect<number>
    ) => Effect.Effect<Message, E>,
    transfer?: ReadonlyArray<ArrayBuffer>
  ) => Effect.Effect<Message, E | WorkerEnded>;
}

const hasEnded = ({ threadId }: Worker): boolean => threadId < 0;

/** The worker's next message; after an interruption the worker is still busy and must be ended. */
const ask = <Message>(worker: Worker, post: () => void): Effect.Effect<Message, WorkerEnded> =>
  Effect.callback((resume) => {
    const onMessage = (message: Message): void => {
      stop();
      resume(Effect.succeed(message));
    };
    const fail = (): void => {
      stop();
      resume(Effect.fail(new WorkerEnded()));
    };
    const stop = (): void => {
      worker.off("message", onMessage).off("messageerror", fail).off("error", fail).off("exit", fail).unref();
    };
    if (hasEnded(worker)) return resume(Effect.fail(new WorkerEnded()));
    worker.on("message", onMessage).on("messageerror", fail).on("error", fail).on("exit", fail).ref();
    post();
    return Effect.sync(stop);
  });

/**
 * In the workspace each worker strips types with WebAssembly. V8 13.6 recompiles its calls once there are many, and
 * occasionally crashes the process when other workers end (in TierUpWasmToJSWrapper, 2 of 55 runs of one test file;
 * none of 85 without). Built packages strip nothing.
 */
const withoutTierUp = (): void => setFlagsFromString("--wasm-wrapper-tiering-budget=1000000000");

/** An idle worker does not keep the process alive, and its exit is noticed with its next task. */
const startWorker = ({ entry, from, heapMb }: WorkerPoolOptions): Effect.Effect<Worker, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // The extension of the importing module: TypeScript in the workspace, JavaScript when built.
      const isSource = from.endsWith(".ts");
      if (isSource) withoutTierUp();
      const url = new URL(`${entry}${isSource ? ".ts" : ".js"}`, from);
      const worker = new Worker(url, {
        resourceLimits: { maxOldGenerationSizeMb: heapMb },
        // This process's options are not meant for it, and some (--eval, --input-type) would stop it.
        execArgv: []
      });
      worker.on("error", () => {}).unref();
      return worker;
    }),
    (worker) => Effect.promise(() => worker.terminate())
  );

/** Poll interval of a busy worker's memory: meanwhile, decompression fills about 20 MB. */
const WATCH_EVERY = "100 millis";

const BYTES_PER_MB = 2 ** 20;

/**
 * Fails once the worker holds too much memory outside its heap, which neither the heap limit nor the system's
 * limits count.
 */
const overflow = (worker: Worker, buffersMb: number): Effect.Effect<never, WorkerEnded> =>
  Effect.tryPromise(() => worker.getHeapStatistics()).pipe(
    Effect.map((heap) => heap.external_memory > buffersMb * BYTES_PER_MB),
    // The worker has just ended, which its exit event reports.
    Effect.orElseSucceed(() => false),
    Effect.flatMap((isOver) => (isOver ? Effect.fail(new WorkerEnded()) : Effect.void)),
    Effect.delay(WATCH_EVERY),
    Effect.forever
  );

/** Node before 22.20 cannot measure this; wall-clock time is used there. */
const processorMsOf = (worker: Worker): Effect.Effect<number> =>
  typeof (worker as { readonly cpuUsage?: unknown }).cpuUsage === "function"
    ? Effect.tryPromise(() => worker.cpuUsage()).pipe(
        Effect.map(({ user, system }) => (user + system) / 1_000),
        // The worker has just ended, which its exit event reports.
        Effect.orElseSucceed(() => 0)
      )
    : Effect.sync(() => performance.now());

/** A worker that ended while idle says nothing about the task: another is used, as often as there are workers. */
const fromLiving = <A, E>(
  once: Effect.Effect<Option.Option<A>, E>,
  othersMax: number
): Effect.Effect<A, E | WorkerEnded> =>
  Effect.flatMap(once, (answer): Effect.Effect<A, E | WorkerEnded> => {
    if (Option.isSome(answer)) return Effect.succeed(answer.value);
    return othersMax > 0 ? fromLiving(once, othersMax - 1) : Effect.fail(new WorkerEnded());
  });

/** Grows to its maximum as needed and keeps started workers. */
export const makeWorkerPool = <Task, Message>(
  options: WorkerPoolOptions
): Effect.Effect<WorkerPool<Task, Message>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const ready = (worker: Worker) => (options.saysReady === true ? ask(worker, () => {}) : Effect.void);
    const pool = yield* Pool.makeWithStrategy({
      acquire: Effect.tap(startWorker(options), ready),
      min: 0,
      max: options.workersMax,
      strategy: { run: () => Effect.void, onAcquire: () => Effect.void, reclaim: () => Effect.undefined }
    });
    const { buffersMb } = options;
    const watched = <A>(worker: Worker, answer: Effect.Effect<A, WorkerEnded>) =>
      buffersMb === undefined ? answer : Effect.raceFirst(answer, overflow(worker, buffersMb));
    return {
      run: (task, within, transfer = []) => {
        const once = Pool.use(pool, (worker) => {
          if (hasEnded(worker)) return Effect.as(Pool.invalidate(pool, worker), Option.none());
          const answer = ask<Message>(worker, () => worker.postMessage(task, transfer));
          const spentMs = processorMsOf(worker);
          // Must not keep the process alive while measuring; the end of the task releases it.
          worker.ref();
          return Effect.flatMap(spentMs, (beforeMs) =>
            within(
              watched(worker, answer),
              Effect.map(spentMs, (nowMs) => nowMs - beforeMs)
            )
          ).pipe(
            Effect.onError(() => Pool.invalidate(pool, worker)),
            Effect.map(Option.some)
          );
        });
        return fromLiving(once, options.workersMax);
      }
    };
  });
