/**
 * The table `winnow.job`: one row for each extraction that waits for a worker or is held by one.
 *
 * A worker claims a job for the duration of a lease, and renews the lease while it works. A claim has a number that
 * is never used again; whoever lost the job holds an old one, which changes nothing.
 *
 * Accounts take turns (start-time fair queueing): a job is assigned a turn when it is enqueued, one after the last
 * of its account, and never before those that are being worked on. Before you change a statement: bench/waiting.ts. Tests:
 * PgJobQueue.test.ts, TakeOver.test.ts.
 */
import type { RunJob } from "@winnow/core/domain/run/Decision";
import type { QueueDepth } from "@winnow/core/ports/JobQueue";
import * as Effect from "effect/Effect";
import type * as SqlClient from "effect/sql/SqlClient";
import { orUnavailable } from "../store/StorageFault.ts";

/** A job that this process holds until its lease runs out. */
export interface ClaimedJob {
  readonly job: RunJob;
  /** Number of the claim. */
  readonly claim: number;
}

/** Each part reads one entry of an index, except for the first: a few for each worker. */
const NEXT_TURN = `greatest(0,
  (select max(turn) from winnow.job where claim is not null),
  (select min(turn) - 1 from winnow.job where claim is null),
  (select max(turn) + 1 from winnow.job where account_id = $2))`;

/**
 * Values: extraction, account, trace. A waiting job is not changed, but locked until the transaction ends, so that
 * no worker starts before it sees the transaction's writes.
 */
export const ENQUEUE = `insert into winnow.job as j (extraction_id, account_id, traceparent, turn)
  values ($1, $2, $3, ${NEXT_TURN})
  on conflict (extraction_id) do update set enqueued_again = true where j.claim is not null`;

/**
 * A database that has just been started takes no job from its worker, which needs this time to renew the lease. So
 * does a process that could not reach it (Outage.ts).
 */
export const RECOVERY_SECONDS = 10;

/** Jobs of dead workers first, then waiting ones in their turn. */
const CLAIM = `with abandoned as (
    select extraction_id from winnow.job
    where claim is not null and lease_until < now() and $3
      and pg_postmaster_start_time() < now() - interval '${RECOVERY_SECONDS} s'
    limit $1 for update skip locked),
  waiting as (
    select extraction_id from winnow.job where claim is null and due_at <= now()
    order by turn, position limit $1 for update skip locked),
  claimed as (
    update winnow.job j set claim = nextval('winnow.job_claim'), lease_until = now() + $2 * interval '1 s'
    where j.extraction_id = any (array(select * from abandoned union all select * from waiting limit $1))
    returning j.*)
  select extraction_id, account_id, traceparent, claim::float8 as claim from claimed order by turn, position`;

const RENEW = `update winnow.job j set lease_until = now() + $2 * interval '1 s'
  where j.extraction_id = any (array(select h.id from json_to_recordset($1::json) h (id text)))
    and j.claim = any (array(select h.claim from json_to_recordset($1::json) h (claim bigint)))
  returning j.claim::float8 as claim`;

const END = `delete from winnow.job
  where extraction_id = $1 and claim = $2 and not enqueued_again returning claim::float8 as claim`;

/** The job keeps its turn. */
const RELEASE = `update winnow.job
  set claim = null, lease_until = null, enqueued_again = false, due_at = now() + $3 * interval '1 s'
  where extraction_id = $1 and claim = $2 returning 1`;

/** The transactions of other roles are seen with the rights of `pg_read_all_stats` only. */
const DEPTH = `select (count(*) filter (where claim is null))::integer as waiting,
  count(claim)::integer as active,
  greatest(0, coalesce(extract(epoch from now() - min(due_at) filter (where claim is null)), 0))::float8
    as "oldestWaitingSeconds",
  json_build_object(
    'deadRows', pg_stat_get_dead_tuples('winnow.job'::regclass),
    'oldestTransactionSeconds', (
      select coalesce(max(extract(epoch from now() - a.xact_start)), 0) from pg_stat_activity a
      where a.datname = current_database() and a.backend_type = 'client backend'
        and a.pid <> pg_backend_pid() and a.xact_start < now())) as upkeep
  from winnow.job`;

interface ClaimedRow {
  readonly extraction_id: string;
  readonly account_id: string;
  readonly traceparent: string | null;
  readonly claim: number;
}

interface Claim {
  readonly claim: number;
}

const claimedJobOf = (row: ClaimedRow): ClaimedJob => ({
  job: {
    accountId: row.account_id,
    extractionId: row.extraction_id,
    traceparent: row.traceparent
  },
  claim: row.claim
});

/** More than a busy database needs; less than a lease. */
const RESPONSE_MS_MAX = 10_000;

const noResponse = Effect.suspend(() =>
  Effect.fail(new Error(`The database did not respond within ${RESPONSE_MS_MAX} ms.`))
);

/** Replaces the connection if there is no response; in an uninterruptible fiber too. */
const inTime = <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E | Error> =>
  Effect.raceFirst(
    Effect.interruptible(statement),
    Effect.interruptible(Effect.andThen(Effect.sleep(RESPONSE_MS_MAX), noResponse))
  );

/** `sql`: the store's connections; `ofWorkers`: those of {@link WorkerConnections}. */
export const makeJobTable = (
  sql: SqlClient.SqlClient,
  ofWorkers: SqlClient.SqlClient,
  leaseSeconds: number
) => ({
  enqueue: ({ extractionId, accountId, traceparent }: RunJob) =>
    orUnavailable(sql.unsafe(ENQUEUE, [extractionId, accountId, traceparent])),

  /** At most `count` jobs; `canTakeOver`: also those of other workers whose lease has run out. */
  claim: (count: number, canTakeOver: boolean) =>
    Effect.map(inTime(ofWorkers.unsafe<ClaimedRow>(CLAIM, [count, leaseSeconds, canTakeOver])), (rows) =>
      rows.map(claimedJobOf)
    ),

  /** Returns the claims that are still held. */
  renew: (held: ReadonlyArray<ClaimedJob>) => {
    const claims = JSON.stringify(held.map(({ job, claim }) => ({ id: job.extractionId, claim })));
    return Effect.map(
      inTime(ofWorkers.unsafe<Claim>(RENEW, [claims, leaseSeconds])),
      (rows) => new Set(rows.map(({ claim }) => claim))
    );
  },

  /** Removes the job. False if it was enqueued again or is no longer held. */
  end: ({ job, claim }: ClaimedJob) =>
    Effect.map(orUnavailable(sql.unsafe<Claim>(END, [job.extractionId, claim])), ({ length }) => length > 0),

  /** Lets another worker claim the job. False if it is no longer held. */
  release: ({ job, claim }: ClaimedJob, delaySeconds: number) =>
    Effect.map(
      orUnavailable(sql.unsafe(RELEASE, [job.extractionId, claim, delaySeconds])),
      ({ length }) => length > 0
    ),

  depth: Effect.map(
    orUnavailable(sql.unsafe<QueueDepth>(DEPTH)),
    ([depth]) => depth ?? { waiting: 0, active: 0, oldestWaitingSeconds: 0 }
  )
});

export type JobTable = ReturnType<typeof makeJobTable>;
