/**
 * Carries out runs: claims one, attempts it, settles it once, and ends one early. Whatever happens to the
 * worker, the run is settled by one attempt, handed back, or found by the sweeper; files of dead attempts
 * are removed.
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
import { NotFound } from "../domain/Refusal.ts";
import {
  decideCancel,
  decideHandBack,
  decideSettle,
  decideStart,
  type Settle,
  type StartDecision
} from "../domain/Settlement.ts";
import { isTerminal, phaseOf } from "../domain/Transition.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import { JobQueue } from "../ports/JobQueue.ts";
import { Store } from "../ports/Store.ts";
import { perform } from "./Attempt.ts";
import { enginePorts, type EnginePorts } from "./EnginePorts.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { isId } from "./Ids.ts";
import { deleteOver } from "./Removal.ts";
import { makeProgressBoard, type ProgressBoard, type RunProgress } from "./RunProgress.ts";
import { makeStopSignals, type StopSignals } from "./StopSignals.ts";
import { sweepOnSchedule } from "./Sweeper.ts";
import { parentOf } from "./TraceContext.ts";

export class Runs extends Context.Service<
  Runs,
  {
    /**
     * Carries out the run of a job, or nothing when it is over or not there. Interruption hands it back.
     * Dies when the store does; the job must then be handed out again.
     */
    readonly execute: (job: RunJob) => Effect.Effect<void>;

    /**
     * Ends a run before its time, with a full refund, and answers the extraction as it then is; one that is
     * over stays as it is. Its worker stops at once in this process, within {@link CLAIM_LOOK_INTERVAL_MS}
     * in others.
     */
    readonly cancel: (accountId: string, id: string) => Effect.Effect<Extraction, NotFound>;

    /** Cancels a live one first. Result, prompt, idempotency key and files go; its ledger lines stay. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

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

/** How often an attempt looks whether its run is still its own: a look costs one row. */
export const CLAIM_LOOK_INTERVAL_MS = 3_000;

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

/** Ends when the run is no longer this attempt's. A store that does not answer says nothing about it. */
const claimLost = Effect.fn("Runs.claimLost")(function* ({ id, accountId, attempt }: Extraction) {
  const store = yield* Store;
  const isHeld = Effect.suspend(() => store.getExtraction(accountId, id)).pipe(
    Effect.map((found) => {
      const current = Option.getOrNull(found);
      return current?.status === "running" && current.attempt === attempt;
    }),
    Effect.catchDefect(() => Effect.succeed(true))
  );
  yield* Effect.repeat(Effect.delay(isHeld, CLAIM_LOOK_INTERVAL_MS), { while: (held) => held });
});

/** What the end of an attempt means; null when it was interrupted or lost its claim. */
const outcomeOf = Effect.fnUntraced(function* (exit: Exit.Exit<RunResult | null, Failure>) {
  if (Exit.isSuccess(exit)) {
    return exit.value === null ? null : ({ result: exit.value } satisfies Settle["outcome"]);
  }
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

interface Carried {
  readonly extraction: Extraction;
  readonly board: ProgressBoard;
  /** Completes when the run was ended by somebody of this process. */
  readonly stopped: Effect.Effect<void>;
  /** Makes a part of what is not interruptible the caller's to stop. */
  readonly restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
}

/** The attempt within its time; null when the run was ended or taken over meanwhile. */
const attemptOf = Effect.fnUntraced(function* ({ extraction, board, stopped }: Carried) {
  const { runTimeoutMs } = yield* EngineSettings;
  const attempt = perform({ extraction, onProgress: (progress) => board.publish(extraction.id, progress) });
  return yield* Effect.timeoutOrElse(attempt, {
    duration: runTimeoutMs,
    orElse: () => Effect.fail(TIMED_OUT)
  }).pipe(
    Effect.raceFirst(Effect.as(stopped, null)),
    Effect.raceFirst(Effect.as(claimLost(extraction), null))
  );
});

/** After a lost claim: somebody else has settled the run, deleted it or taken it over. */
const letGo = Effect.fn("Runs.letGo")(function* (
  { id, accountId, attempt }: Extraction,
  board: ProgressBoard
) {
  const store = yield* Store;
  yield* removeAttempt({ extractionId: id, attempt });
  const current = Option.getOrNull(yield* store.getExtraction(accountId, id));
  if (current === null || isTerminal(current.status)) {
    yield* announceEnd(board, { id, status: current?.status ?? "failed" });
  }
});

/** Uninterruptible but for the attempt itself. */
const carryOut = Effect.fnUntraced(function* (carried: Carried) {
  const { extraction, board, restore } = carried;
  yield* board.hold(extraction.id);
  yield* removeEarlierAttempts(extraction);
  const exit = yield* Effect.exit(restore(attemptOf(carried)));
  const outcome = yield* outcomeOf(exit);
  if (outcome === null && Exit.isSuccess(exit)) return yield* letGo(extraction, board);
  if (outcome === null) {
    yield* handBack(extraction);
    return yield* Effect.interrupt;
  }
  const settled = yield* settle(extraction, outcome);
  if (settled !== null) yield* announceEnd(board, settled);
}, Effect.scoped);

const announceEnd = (
  board: ProgressBoard,
  { id, status }: Pick<Extraction, "id" | "status">
): Effect.Effect<void> => board.publish(id, { phase: phaseOf(status), step: null, percent: null, bytes: 0 });

const execute = (
  job: RunJob,
  board: ProgressBoard,
  signals: StopSignals
): Effect.Effect<void, never, EnginePorts> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      // Before the claim, so that no cancel goes unheard after it.
      const stopped = yield* signals.listen(job.extractionId);
      const decision = yield* claim(job);
      if (decision._tag === "run") {
        yield* carryOut({ extraction: decision.extraction, board, stopped, restore });
      }
      if (decision._tag === "gaveUp") {
        yield* announceEnd(board, decision.extraction);
        yield* removeExtraction(job.extractionId);
      }
    }, Effect.scoped)
  ).pipe(
    Effect.annotateLogs({ extractionId: job.extractionId }),
    Effect.withSpan("Runs.execute", {
      ...parentOf(job.traceparent),
      kind: "consumer",
      attributes: { extractionId: job.extractionId }
    })
  );

const cancel = Effect.fn("Runs.cancel")(function* (
  accountId: string,
  id: string,
  board: ProgressBoard,
  signals: StopSignals
) {
  if (!isId("ext", id)) return yield* new NotFound({ what: "extraction" });
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  const found = yield* store.transact(accountId, { extractionId: id }, decideCancel(nowMs));
  if (found === null) return yield* new NotFound({ what: "extraction" });
  yield* signals.stop(id);
  yield* announceEnd(board, found);
  return found;
});

const make = Effect.gen(function* () {
  const ports = yield* enginePorts;
  const queue = yield* JobQueue;
  const board = yield* makeProgressBoard;
  const signals = yield* makeStopSignals;
  const executeJob = (job: RunJob) => Effect.provide(execute(job, board, signals), ports);
  const cancelRun = (accountId: string, id: string) =>
    Effect.provide(cancel(accountId, id, board, signals), ports);

  const onExpired = (extraction: Extraction) =>
    Effect.andThen(announceEnd(board, extraction), removeExtraction(extraction.id));

  const sweeper = sweepOnSchedule(onExpired).pipe(
    Effect.provideService(JobQueue, queue),
    Effect.provide(ports)
  );

  return Runs.of({
    execute: executeJob,
    cancel: cancelRun,
    remove: Effect.fn("Runs.remove")(function* (accountId, id) {
      yield* cancelRun(accountId, id);
      yield* Effect.provide(deleteOver(accountId, id), ports);
    }),
    work: Effect.fnUntraced(function* (concurrency) {
      yield* Effect.forkScoped(sweeper);
      yield* queue.work(concurrency, executeJob);
    }),
    progress: board.watch
  });
});

export const layer: Layer.Layer<Runs, never, EnginePorts | JobQueue> = Layer.effect(Runs, make);
