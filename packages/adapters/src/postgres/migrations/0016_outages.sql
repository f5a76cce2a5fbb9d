-- What an outage leaves behind, and what it must not count for.

-- Attempts that ended through no fault of the run: a worker that was stopped, a database that was away.
alter table winnow.extraction add column excused_attempts integer not null default 0
  check (excused_attempts >= 0);

create or replace function winnow.extraction_json(e winnow.extraction) returns json language sql stable as $$
  select json_build_object(
    'id', e.id, 'accountId', e.account_id, 'status', e.status, 'request', e.request,
    'requester', json_build_object(
      'madeBy', e.made_by, 'apiKeyId', e.api_key_id, 'apiKeyName', e.api_key_name),
    'cacheKey', e.cache_key, 'pricedFacts', e.priced_facts, 'inspected', e.inspected,
    'creditsDebited', e.credits_debited, 'creditsRefunded', e.credits_refunded, 'cachedFrom', e.cached_from,
    'attempt', e.attempt, 'excusedAttempts', e.excused_attempts, 'result', e.result, 'failure', e.failure,
    'createdAtMs', e.created_at_ms, 'startedAtMs', e.started_at_ms, 'completedAtMs', e.completed_at_ms)
$$;

-- Attempts that may have stored files, noted before the first of them is written. No reference to the extraction:
-- the word must outlive it.
create table winnow.noted_files (
  extraction_id text collate "C" not null,
  attempt integer not null,
  noted_at timestamptz not null default now(),
  primary key (extraction_id, attempt)
);

-- Noted attempts that are over and whose files no extraction serves, oldest first. Word of those whose files are
-- served is forgotten: from then on deleting the last extraction that serves them removes them.
create function winnow.left_files(p_limit integer)
returns table (extraction_id text, attempt integer) language sql as $$
  with over as materialized (
      select n.extraction_id, n.attempt, n.noted_at, exists (
          select 1 from winnow.extraction e
          where (e.id = n.extraction_id or e.cached_from = n.extraction_id) and e.status = 'complete'
            and (e.result -> 'artifactOwner' ->> 'attempt')::integer = n.attempt) as is_served
      from winnow.noted_files n
      where not exists (
        select 1 from winnow.extraction e
        where e.id = n.extraction_id and e.status = 'running' and e.attempt = n.attempt)
      order by n.noted_at limit p_limit),
    forgotten as (
      delete from winnow.noted_files n using over o
      where o.is_served and n.extraction_id = o.extraction_id and n.attempt = o.attempt)
  select o.extraction_id, o.attempt from over o where not o.is_served order by o.noted_at
$$;
