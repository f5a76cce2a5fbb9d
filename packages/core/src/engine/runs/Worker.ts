/**
 * Executes runs: claims a run, attempts it, settles it once. Whatever happens to the worker, the run is settled by one
 * attempt, requeued, or found by the sweeper, as are the files of the others.
 */
import * as Cause from "effect/Cause";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { RunJob } from "../../domain/run/Decision.ts";
import type { Extraction, RunResult } from "../../domain/run/Extraction.ts";
import { Failed } from "../../domain/source/Failed.ts";
import { decideRefundedTokens } from "../../domain/run/Usage.ts";
import {
  decideRelease,
  decideSettle,
  decideStart,
  isLastAttempt,
  type Ending,
  type StartDecision
} from "../../domain/result/Settlement.ts";
import { isLast, type RunEvent } from "../../domain/run/RunProgress.ts";
import { isTerminal } from "../../domain/run/Transition.ts";
import { CurrentRun, runFor } from "../../ports/CurrentRun.ts";
import { JobQueue } from "../../ports/JobQueue.ts";
import { RunFeed } from "../../ports/RunFeed.ts";
import { Store } from "../../ports/Store.ts";
import { makeTokenMeter, type TokenMeter } from "../../ports/TokenMeter.ts";
import type { Unavailable } from "../../ports/Unavailable.ts";
import { runAttempt } from "./Attempt.ts";
import { enginePorts, type EnginePorts } from "../EnginePorts.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { DATABASE_RETRY_LIMIT_MS, outageOf, retryOutage } from "../Outages.ts";
import { announceEnd } from "./Runs.ts";
import { awaitDiskSpace } from "./DiskSpaceGate.ts";
import { makeRunReport } from "./ProgressFeed.ts";
import { removeOnSchedule, sweepOnSchedule } from "./Sweeper.ts";
import { parentOf } from "../extractions/TraceContext.ts";

export class Worker extends Context.Service<
  Worker,
  {
    /**
     * Executes the run of a job; does nothing if it has ended or does not exist. Interruption requeues it.
     * Dies if the store does; the job must then be delivered again.
     */
    readonly execute: (job: RunJob) => Effect.Effect<void>;

    /** Processes jobs, `concurrency` at a time, and runs the sweeper, until the scope closes. */
    readonly work: (concurrency: number) => Effect.Effect<void, never, Scope.Scope>;
  }
>()("@winnow/core/engine/runs/Worker") {}

const TIMED_OUT = new Failed({ reason: "timeout", message: "The run took longer than this server allows." });
const INTERNAL = new Failed({ reason: "internal", message: "Internal error." });

const NOT_STORED = new Failed({
  reason: "internal",
  message: "The files could not be stored: the server's storage does not respond.",
  hint: "Submit again in a few minutes; if the storage remains unavailable, contact the operator of this server."
});
const NO_SPACE = new Failed({
  reason: "internal",
  message: "The files could not be stored: the server's disk is full.",
  hint: "Ask the operator of this server to free disk space, then submit again."
});

/** How often an attempt checks its claim; a check reads one row. */
export const CLAIM_POLL_INTERVAL_MS = 3_000;

/** The attempt may have lost its run, and its files may have been swept, before it stored the last ones. */
const noteFiles = ({ id, attempt }: Extraction) =>
  Store.use((store) => store.noteFiles({ extractionId: id, attempt })).pipe(
    retryOutage(DATABASE_RETRY_LIMIT_MS)
  );

/** If the account was deleted, there is nothing to do. */
const claim = Effect.fn("Worker.claim")(function* ({ accountId, extractionId }: RunJob) {
  const store = yield* Store;
  const nowMs = yield* Clock.currentTimeMillis;
  return yield* store.transact(accountId, decideStart(extractionId, nowMs)).pipe(
    Effect.map(({ value }) => value),
    Effect.catchTags({ NotFound: () => Effect.succeed<StartDecision>({ _tag: "skip" }) })
  );
});

/**
 * Ends when the run no longer belongs to this attempt: checks when the feed reports its end, and at intervals.
 * Ignores a store that does not respond.
 */
const claimLost = Effect.fn("Worker.claimLost")(function* (
  { id, accountId, attempt }: Extraction,
  events: Stream.Stream<RunEvent>
) {
  const store = yield* Store;
  const isHeld = Effect.suspend(() => store.getExtraction(accountId, id)).pipe(
    Effect.map((found) => {
      const current = Option.getOrNull(found);
      return current?.status === "running" && current.attempt === attempt;
    }),
    Effect.catchDefect(() => Effect.succeed(true))
  );
  const endedByFeed = Effect.flatMap(
    Stream.runHead(Stream.filter(events, isLast)),
    Option.match({ onNone: () => Effect.never, onSome: () => Effect.void })
  );
  const nextInspection = Effect.raceFirst(endedByFeed, Effect.sleep(CLAIM_POLL_INTERVAL_MS));
  yield* Effect.repeat(Effect.andThen(nextInspection, isHeld), { while: (isClaimHeld) => isClaimHeld });
});

/** The meaning of an attempt's end; null if it was interrupted or lost its claim. */
const endingOf = Effect.fnUntraced(function* (exit: Exit.Exit<RunResult | null, Failed>) {
  if (Exit.isSuccess(exit)) {
    return exit.value === null ? null : ({ result: exit.value } satisfies Ending);
  }
  const failure = Cause.findErrorOption(exit.cause);
  if (Option.isSome(failure)) {
    const { reason, message } = failure.value;
    if (reason === "internal") yield* Effect.logError(`Run failed: ${message}`, exit.cause);
    return { failure: failure.value } satisfies Ending;
  }
  if (Cause.hasInterruptsOnly(exit.cause)) return null;
  yield* Effect.logError("Run failed: internal error", exit.cause);
  return { failure: INTERNAL } satisfies Ending;
});

const releaseRun = Effect.fn("Worker.releaseRun")(function* (extraction: Extraction, isExcused: boolean) {
  const store = yield* Store;
  const { value: isReleased } = yield* store
    .transact(extraction.accountId, decideRelease(extraction, isExcused))
    .pipe(Effect.orDie, retryOutage(DATABASE_RETRY_LIMIT_MS));
  if (!isReleased) yield* noteFiles(extraction);
});

/** The settled extraction; null if the run no longer belonged to the attempt. */
const settle = Effect.fn("Worker.settle")(function* ({ extraction, meter }: ClaimedRun, ending: Ending) {
  const store = yield* Store;
  const { id, accountId, attempt } = extraction;
  const nowMs = yield* Clock.currentTimeMillis;
  const modelTokens = yield* meter.used;
  const { value: settled } = yield* store
    .transact(accountId, decideSettle(id, { attempt, nowMs, ending, modelTokens }))
    .pipe(Effect.orDie, retryOutage(DATABASE_RETRY_LIMIT_MS));
  if (settled === null) yield* noteFiles(extraction);
  return settled;
});

interface ClaimedRun {
  readonly extraction: Extraction;
  readonly meter: TokenMeter;
  /** Feed events of the run since before its claim. */
  readonly events: Stream.Stream<RunEvent>;
  /** Makes part of an uninterruptible region interruptible for the caller. */
  readonly restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
}

/** The attempt within its time limit; null if the run was ended or taken over meanwhile. */
const attemptOf = Effect.fnUntraced(function* ({ extraction, events, meter }: ClaimedRun) {
  const { runTimeoutMs } = yield* EngineSettings;
  const report = yield* makeRunReport(extraction);
  const run = runFor(extraction.accountId, { report, meter });
  const attempt = Effect.provideService(runAttempt(extraction), CurrentRun, run);
  return yield* Effect.timeoutOrElse(attempt, {
    duration: runTimeoutMs,
    orElse: () => Effect.fail(TIMED_OUT)
  }).pipe(Effect.raceFirst(Effect.as(claimLost(extraction, events), null)));
}, Effect.scoped);

/** The tokens of an attempt whose run somebody else ended, such as by a cancel. */
const countRefunded = Effect.fn("Worker.countRefunded")(function* (
  { id, accountId }: Extraction,
  meter: TokenMeter
) {
  const store = yield* Store;
  const tokens = yield* meter.used;
  if (tokens === 0) return;
  const nowMs = yield* Clock.currentTimeMillis;
  yield* store
    .transact(accountId, decideRefundedTokens(id, tokens, nowMs))
    .pipe(Effect.ignore({ log: false }), retryOutage(DATABASE_RETRY_LIMIT_MS));
});

/** After a lost claim: the run was settled, deleted or taken over elsewhere. */
const abandonAttempt = Effect.fn("Worker.abandonAttempt")(function* ({ extraction, meter }: ClaimedRun) {
  const store = yield* Store;
  const { id, accountId, attempt } = extraction;
  yield* noteFiles(extraction);
  yield* countRefunded(extraction, meter);
  const current = Option.getOrNull(yield* store.getExtraction(accountId, id));
  if (current === null || isTerminal(current.status)) {
    yield* announceEnd(current ?? { id, status: "failed", attempt });
  }
});

/** The outage outlasted the attempt: another attempt may succeed, unless this was the last. */
const passOn = Effect.fn("Worker.passOn")(function* (extraction: Extraction, outage: Unavailable) {
  if (outage.what === "artifacts" && isLastAttempt(extraction)) {
    yield* Effect.logError(`Run failed: ${outage.message}`, outage);
    return { failure: outage.reason === "full" ? NO_SPACE : NOT_STORED } satisfies Ending;
  }
  yield* Effect.logWarning(`Run requeued: ${outage.message}`);
  yield* releaseRun(extraction, outage.what === "database");
  return null;
});

/** Uninterruptible except for the attempt itself. */
const runClaimed = Effect.fnUntraced(function* (claimed: ClaimedRun) {
  const { extraction, restore } = claimed;
  const exit = yield* Effect.exit(restore(attemptOf(claimed)));
  const outage = Exit.isFailure(exit) ? outageOf(exit.cause) : null;
  const ending = yield* outage === null ? endingOf(exit) : passOn(extraction, outage);
  if (ending === null && outage !== null) return;
  if (ending === null && Exit.isSuccess(exit)) return yield* abandonAttempt(claimed);
  if (ending === null) {
    yield* releaseRun(extraction, true);
    return yield* Effect.interrupt;
  }
  const settled = yield* settle(claimed, ending);
  if (settled !== null) return yield* announceEnd(settled);
  yield* countRefunded(extraction, claimed.meter);
});

const execute = (job: RunJob): Effect.Effect<void, never, EnginePorts | RunFeed> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const feed = yield* RunFeed;
      yield* restore(awaitDiskSpace);
      // Subscribed before the claim, so that a cancel after it is not missed.
      const events = yield* feed.watch(job.extractionId);
      const decision = yield* claim(job);
      if (decision._tag === "run") {
        const { llmTokensPerRunMax } = yield* EngineSettings;
        const meter = makeTokenMeter(llmTokensPerRunMax);
        yield* runClaimed({ extraction: decision.extraction, meter, events, restore });
      }
      if (decision._tag === "gaveUp") {
        yield* Effect.logError(`Run failed: ${decision.extraction.failure?.message}`);
        yield* announceEnd(decision.extraction);
      }
    }, Effect.scoped)
  ).pipe(
    Effect.annotateLogs({ extractionId: job.extractionId }),
    Effect.withSpan("Worker.execute", {
      ...parentOf(job.traceparent),
      kind: "consumer",
      attributes: { extractionId: job.extractionId }
    })
  );

const make = Effect.gen(function* () {
  const queue = yield* JobQueue;
  const ports = Context.add(yield* enginePorts, RunFeed, yield* RunFeed);
  const executeJob = (job: RunJob) => Effect.provide(execute(job), ports);

  return Worker.of({
    execute: executeJob,
    work: Effect.fnUntraced(function* (concurrency) {
      yield* Effect.forkScoped(Effect.provideService(sweepOnSchedule, JobQueue, queue));
      yield* Effect.forkScoped(removeOnSchedule);
      yield* queue.work(concurrency, executeJob);
    }, Effect.provide(ports))
  });
});

export const layer: Layer.Layer<Worker, never, EnginePorts | JobQueue | RunFeed> = Layer.effect(Worker, make);
