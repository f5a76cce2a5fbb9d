/** A custom JobQueue within one process: accounts take turns. */
import type { RunJob } from "@winnow/core/domain/run/Decision";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

export const layer = Layer.sync(JobQueue, () => {
  const waiting = new Map<string, { job: RunJob; sinceMs: number }>();
  const active = new Map<string, RunJob>();
  const turns = new Map<string, number>();
  const lastTurnOf = ({ accountId }: RunJob) => turns.get(accountId) ?? 0;
  const enqueue = (job: RunJob) =>
    Effect.sync(() => {
      if (!waiting.has(job.extractionId)) waiting.set(job.extractionId, { job, sinceMs: performance.now() });
    });
  const takeUp = (): RunJob | undefined => {
    const free = [...waiting.values()].map(({ job }) => job).filter((job) => !active.has(job.extractionId));
    const [next] = free.toSorted((left, right) => lastTurnOf(left) - lastTurnOf(right));
    if (next !== undefined && waiting.delete(next.extractionId)) active.set(next.extractionId, next);
    if (next !== undefined) turns.set(next.accountId, performance.now());
    return next;
  };
  const depth = Effect.sync(() => {
    const ages = [...waiting.values()].map(({ sinceMs }) => (performance.now() - sinceMs) / 1_000);
    return { waiting: waiting.size, active: active.size, oldestWaitingSeconds: Math.max(0, ...ages) };
  });
  const work: typeof JobQueue.Service.work = (concurrency, handler) => {
    const one = Effect.uninterruptibleMask((restore) => {
      const job = takeUp();
      if (job === undefined) return restore(Effect.sleep("50 millis"));
      const ended = Effect.sync(() => active.delete(job.extractionId));
      const later = Effect.ensuring(restore(Effect.sleep("1 second")), enqueue(job));
      return Effect.catchCause(Effect.ensuring(restore(handler(job)), ended), () => later);
    });
    const all = Effect.replicateEffect(Effect.forever(one), concurrency, { concurrency, discard: true });
    return Effect.asVoid(Effect.forkScoped(all));
  };
  return { enqueue, work, depth };
});
