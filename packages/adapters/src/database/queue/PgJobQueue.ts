/**
 * The JobQueue in the store's database: a job is a row (JobTable), written in the transaction that needs it.
 *
 * After the commit, a worker of this process with room is woken, or else those of the other processes. The message
 * is a hint: workers also look every few seconds (Work).
 */
import { JobQueue } from "@winnow/core/ports/JobQueue";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import { DatabaseChannel } from "../store/DatabaseChannel.ts";
import { WorkerConnections } from "../store/PgConnection.ts";
import { makeJobTable } from "./JobTable.ts";
import { workFor, type Worker } from "./Work.ts";

const TOPIC = "jobs";

/**
 * A job whose worker has not renewed its lease for this long is given to another one. A dead worker must be noticed
 * within 60 s, even if the next one dies too. A busy event loop may miss five renewals.
 */
export const LEASE_SECONDS_DEFAULT = 12;

export interface JobQueueOptions {
  readonly leaseSeconds?: number;
}

/** Requires the store's connection pool, whose transactions the jobs join. */
export const layer = ({ leaseSeconds = LEASE_SECONDS_DEFAULT }: JobQueueOptions = {}): Layer.Layer<
  JobQueue,
  never,
  SqlClient.SqlClient | WorkerConnections | DatabaseChannel
> =>
  Layer.effect(
    JobQueue,
    Effect.gen(function* () {
      const channel = yield* DatabaseChannel;
      const sql = yield* SqlClient.SqlClient;
      const jobs = makeJobTable(sql, yield* WorkerConnections, leaseSeconds);
      const workers = new Set<Worker>();
      const wake = Effect.sync(() => {
        for (const worker of workers) worker.wake();
      });
      const announce = Effect.andThen(
        wake,
        Effect.suspend(() =>
          [...workers].some((worker) => worker.hasRoom()) ? Effect.void : channel.send(TOPIC, "")
        )
      );
      const work = workFor({ jobs, workers, announce, leaseSeconds });
      return JobQueue.of({
        enqueue: (job) => Effect.andThen(jobs.enqueue(job), sql.afterCommit(announce)),
        work: (concurrency, handler) =>
          Effect.andThen(
            channel.listen(TOPIC, () => wake),
            work(concurrency, handler)
          ),
        depth: jobs.depth
      });
    })
  );
