-- What the processes of one server share: jobs and secrets. Tests: PgJobQueue.test.ts, TakeOver.test.ts.

-- Jobs

-- Numbers of claims. Of one sequence, so that a job that is enqueued anew never has a claim that an earlier worker holds.
create sequence winnow.job_claim;

-- Started runs that wait for a worker or have one. A row that ends is deleted.
create table winnow.job (
  extraction_id text collate "C" primary key,
  account_id text collate "C" not null,
  traceparent text collate "C",
  -- Jobs start in this order, then in that of their enqueueing.
  turn bigint not null,
  position bigint generated always as identity,
  -- A waiting job may start from then.
  due_at timestamptz not null default now(),
  -- The worker that has it; null while it waits.
  claim bigint,
  -- The worker is dead if it has not renewed its lease by then.
  lease_until timestamptz,
  -- Must be delivered again when its worker ends.
  enqueued_again boolean not null default false,
  check ((claim is null) = (lease_until is null))
  -- Renewals of leases then stay on their page and write no index entries: the table is 0.4 times as large. Autovacuum
  -- needs no settings: at its defaults it visits so small a table every minute.
) with (fillfactor = 70);

create index job_waiting on winnow.job (turn, position) where claim is null;
create index job_active on winnow.job (turn) where claim is not null;
create index job_of_account on winnow.job (account_id, turn);

-- Secrets

-- Secrets that all processes share, created by the first that needs one.
create table winnow.secret (
  name text collate "C" primary key,
  value text not null
);
