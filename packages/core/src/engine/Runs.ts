/**
 * Carries out runs: claims one, attempts it, settles it once. Whatever happens to the worker, the run is
 * settled by one attempt, handed back, or found by the sweeper; files of dead attempts are removed.
 */
import * as Cause from "effect/Cause";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import type * as Stream from "effect/Stream";
import type { RunJob } from "../domain/Decision.ts";
import type { ArtifactOwner, Extraction, RunResult } from "../domain/Extraction.ts";
import type { Failure } from "../domain/Failure.ts";
import {
  decideHandBack,
  decideSettle,
  decideStart,
  type Settle,
  type StartDecision
} from "../domain/Settlement.ts";
import { phaseOf } from "../domain/Transition.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import { JobQueue } from "../ports/JobQueue.ts";
import { Store } from "../ports/Store.ts";
import { perform } from "./Attempt.ts";
import { enginePorts, type EnginePorts } from "./EnginePorts.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { makeProgressBoard, type ProgressBoard, type RunProgress } from "./RunProgress.ts";
import { sweepOnSchedule } from "./Sweeper.ts";

export class Runs extends Context.Service<
  Runs,
  {
    /**
     * Carries out the run of a job, or nothing when it is over or not there. Interruption hands it back.
     * Dies when the store does; the job must then be handed out again.
     */
    readonly execute: (job: RunJob) => Effect.Effect<void>;

    /** Takes up jobs, `concurrency` at a time, and sweeps, until the scope closes. */
    readonly work: (concurrency: number) => Effect.Effect<void, never, Scope.Scope>;

    /**
     * How a run of this process goes on, from its last event to its end. Silent for runs of other
     * processes and for those that are over: read the status once subscribed.
     */
    readonly progress: (extractionId: string) => Stream.Stream<RunProgress>;
  }
>()("@winnow/core/engine/Runs") {}

const TIMED_OUT: Failure = { reason: "timeout", message: "The run took longer than this server allows." };
const INTERNAL: Failure = { reason: "internal", message: "Something failed on our side." };

/** Files nobody will ask for: leaving some behind is no reason to fail. */
const bestEffort = <R>(removal: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.catchCause(removal, (cause) => Effect.logWarning("Files of a dead attempt stay behind", cause));

const removeAttempt = ({ extractionId, attempt }: ArtifactOwner) =>
  bestEffort(ArtifactStore.use((artifacts) => artifacts.removeAttempt({ extractionId, attempt })));

const removeExtraction = (id: string) =>
  bestEffort(ArtifactStore.use((artifacts) => artifacts.removeExtraction(id)));

const removeEarlierAttempts = ({ id, attempt }: Extraction) =>
  Effect.forEach(
    Array.from({ length: attempt - 1 }, (_, index) => index + 1),
    (earlier) => removeAttempt({ extractionId: id, attempt: earlier }),
    { discard: true }
  );

/** An account that is gone leaves nothing to do. */
const claim = Effect.fn("Runs.claim")(function* ({ accountId, extractionId }: RunJob) {
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  return yield* Effect.catchTags(store.transact(accountId, { extractionId }, decideStart(nowMs)), {
    NotFound: () => Effect.succeed<StartDecision>({ _tag: "skip" })
  });
});

/** What the end of an attempt means; null when it was interrupted. */
const outcomeOf = Effect.fnUntraced(function* (exit: Exit.Exit<RunResult, Failure>) {
  if (Exit.isSuccess(exit)) return { result: exit.value } satisfies Settle["outcome"];
  const failure = Cause.findErrorOption(exit.cause);
  if (Option.isSome(failure)) return { failure: failure.value } satisfies Settle["outcome"];
  if (Cause.hasInterruptsOnly(exit.cause)) return null;
  yield* Effect.logError("A run failed for a reason of ours", exit.cause);
  return { failure: INTERNAL } satisfies Settle["outcome"];
});

const handBack = Effect.fn("Runs.handBack")(function* ({ id, accountId, attempt }: Extraction) {
  const store = yield* Store;
  yield* removeAttempt({ extractionId: id, attempt });
  yield* Effect.orDie(store.transact(accountId, { extractionId: id }, decideHandBack(attempt)));
});

/** The settled extraction; null when the run was no longer this attempt's to settle. */
const settle = Effect.fn("Runs.settle")(function* (
  { id, accountId, attempt }: Extraction,
  outcome: Settle["outcome"]
) {
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  const settled = yield* Effect.orDie(
    store.transact(accountId, { extractionId: id }, decideSettle({ attempt, nowMs, outcome }))
  );
  // Asked again because a store may have settled and lost the connection before it could say so.
  const current = settled ?? Option.getOrNull(yield* store.getExtraction(accountId, id));
  if (current?.result?.artifactOwner.attempt !== attempt) {
    yield* removeAttempt({ extractionId: id, attempt });
  }
  return settled;
});

/** Uninterruptible but for the attempt itself: `restore` makes it the caller's to stop. */
const carryOut = Effect.fnUntraced(function* (
  extraction: Extraction,
  board: ProgressBoard,
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const { runTimeoutMs } = yield* EngineSettings;
  yield* board.hold(extraction.id);
  yield* removeEarlierAttempts(extraction);
  const attempt = perform({ extraction, onProgress: (progress) => board.publish(extraction.id, progress) });
  const limited = Effect.timeoutOrElse(attempt, {
    duration: runTimeoutMs,
    orElse: () => Effect.fail(TIMED_OUT)
  });
  const outcome = yield* outcomeOf(yield* Effect.exit(restore(limited)));
  if (outcome === null) {
    yield* handBack(extraction);
    return yield* Effect.interrupt;
  }
  const settled = yield* settle(extraction, outcome);
  if (settled !== null) yield* announceEnd(board, settled);
}, Effect.scoped);

const announceEnd = (board: ProgressBoard, { id, status }: Extraction): Effect.Effect<void> =>
  board.publish(id, { phase: phaseOf(status), step: null, percent: null, bytes: 0 });

const execute = (job: RunJob, board: ProgressBoard): Effect.Effect<void, never, EnginePorts> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const decision = yield* claim(job);
      if (decision._tag === "run") yield* carryOut(decision.extraction, board, restore);
      if (decision._tag === "gaveUp") {
        yield* announceEnd(board, decision.extraction);
        yield* removeExtraction(job.extractionId);
      }
    })
  ).pipe(
    Effect.annotateLogs({ extractionId: job.extractionId }),
    Effect.withSpan("Runs.execute", { attributes: { extractionId: job.extractionId } })
  );

const make = Effect.gen(function* () {
  const ports = yield* enginePorts;
  const queue = yield* JobQueue;
  const board = yield* makeProgressBoard;
  const executeJob = (job: RunJob) => Effect.provide(execute(job, board), ports);

  const onExpired = (extraction: Extraction) =>
    Effect.andThen(announceEnd(board, extraction), removeExtraction(extraction.id));

  const sweeper = sweepOnSchedule(onExpired).pipe(
    Effect.provideService(JobQueue, queue),
    Effect.provide(ports)
  );

  return Runs.of({
    execute: executeJob,
    work: Effect.fnUntraced(function* (concurrency) {
      yield* Effect.forkScoped(sweeper);
      yield* queue.work(concurrency, executeJob);
    }),
    progress: board.watch
  });
});

export const layer: Layer.Layer<Runs, never, EnginePorts | JobQueue> = Layer.effect(Runs, make);
