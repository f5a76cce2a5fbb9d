/**
 * What one attempt tells to the feed: numbered, at once when the step changes, otherwise the newest state at
 * most four times a second, and the same again every few seconds for those who come late. At debug level
 * the log has it too, a line a step and more in long ones.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Extraction } from "../domain/Extraction.ts";
import { sequenceOf, type RunEvent, type RunProgress } from "../domain/RunProgress.ts";
import { RunFeed } from "../ports/RunFeed.ts";

/** Between two states of one step: enough for an eye, and few messages for a database. */
export const REPORT_INTERVAL_MS = 250;

/** How long who comes late waits for the step at most. */
export const RETELL_INTERVAL_MS = 3_000;

/** Between two signals of one step to whoever watches the whole account. */
export const SIGNAL_INTERVAL_MS = 1_000;

/** Between two lines of one step in the log: a download of minutes shows that it moves. */
export const PROGRESS_LINE_INTERVAL_MS = 10_000;

export type RunReport = (progress: RunProgress) => Effect.Effect<void>;

const stageKeyOf = ({ phase, step, rung }: RunProgress): string => [phase, step, rung?.join()].join(" ");

const writeLine = ({ step, percent, bytes, rung }: RunProgress): Effect.Effect<void> =>
  Effect.logDebug("extraction progress").pipe(
    Effect.annotateLogs({
      step,
      ...(percent === null ? {} : { percent }),
      bytes,
      ...(rung === null ? {} : { rung: rung.join() })
    })
  );

/** Whether it is time: at once when the stage changes, and within one stage after the interval. */
const makePace = (intervalMs: number) => {
  let last = { stage: "", atMs: 0 };
  return (progress: RunProgress, atMs: number): boolean => {
    const stage = stageKeyOf(progress);
    if (stage === last.stage && atMs - last.atMs < intervalMs) return false;
    last = { stage, atMs };
    return true;
  };
};

/** Told until the scope closes. */
export const makeRunReport = Effect.fnUntraced(function* ({
  id,
  accountId,
  attempt
}: Pick<Extraction, "id" | "accountId" | "attempt">): Effect.fn.Return<
  RunReport,
  never,
  RunFeed | Scope.Scope
> {
  const feed = yield* RunFeed;
  let told: RunEvent | null = null;
  let toldAtMs = 0;
  let count = 0;
  /** The newest that was not told yet. */
  let held: RunProgress | null = null;
  const isWritten = makePace(PROGRESS_LINE_INTERVAL_MS);
  const isSignalled = makePace(SIGNAL_INTERVAL_MS);

  const write = Effect.fnUntraced(function* (event: RunEvent) {
    if (isWritten(event, yield* Clock.currentTimeMillis)) yield* writeLine(event);
  });
  const signal = Effect.fnUntraced(function* ({ sequence: _sequence, ...progress }: RunEvent) {
    if (!isSignalled(progress, yield* Clock.currentTimeMillis)) return;
    yield* feed.signal(accountId, [{ type: "progress", id, progress }]);
  });
  const tell = Effect.fnUntraced(function* (event: RunEvent) {
    [told, toldAtMs, held] = [event, yield* Clock.currentTimeMillis, null];
    yield* feed.publish(id, event);
    yield* signal(event);
    yield* write(event);
  });
  const tellNew = (progress: RunProgress) => {
    count += 1;
    return tell({ ...progress, sequence: sequenceOf(attempt, count) });
  };

  const catchUp = Effect.fnUntraced(function* () {
    if (held !== null) return yield* tellNew(held);
    const nowMs = yield* Clock.currentTimeMillis;
    if (told !== null && nowMs - toldAtMs >= RETELL_INTERVAL_MS) yield* tell(told);
  });
  yield* catchUp().pipe(Effect.delay(REPORT_INTERVAL_MS), Effect.forever, Effect.forkScoped);

  return Effect.fnUntraced(function* (progress) {
    const nowMs = yield* Clock.currentTimeMillis;
    const waits =
      told !== null && stageKeyOf(told) === stageKeyOf(progress) && nowMs - toldAtMs < REPORT_INTERVAL_MS;
    if (waits) held = progress;
    else yield* tellNew(progress);
  });
});
