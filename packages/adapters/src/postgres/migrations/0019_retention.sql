-- Retention in batches: many extractions in one transaction, account by account, each up to its own days.

-- What each account may lose, and what listEnded asks for. Takes the place of one over all accounts, in which those of
-- long retention were passed over row by row at each sweep; a process of the release before does without it.
create index extraction_over_of_account on winnow.extraction (account_id, completed_at_ms, id)
  where status in ('complete', 'failed');
drop index winnow.extraction_over;

create index noted_files_oldest on winnow.noted_files (noted_at);

-- Deletes what accounts after `p_after`, by id, have kept for long enough: at most `p_limit` extractions of at most
-- `p_accounts` accounts. Accounts that somebody holds are passed over until the next round. Answers what it deleted
-- and `next`, from where to go on; null when that was the last account.
--
-- As delete_extraction otherwise: endpoints and deliveries are locked in the order of their ids.
create function winnow.remove_expired(
  p_after text, p_now_ms bigint, p_by_plan json, p_default integer, p_accounts integer, p_limit integer
) returns json language plpgsql set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  looked text[] := array(select a.id from winnow.account a where a.id > p_after order by a.id limit p_accounts);
  done text := p_after;
  due record;
  found_ids text[];
  ids text[] := '{}';
  removed json;
begin
  for due in
    select a.id, p_now_ms - 86400000 * winnow.retention_days(a, p_by_plan, p_default)::bigint as before_ms
    from winnow.account a where a.id = any (looked) order by a.id
  loop
    exit when cardinality(ids) >= p_limit;
    if exists (select 1 from winnow.extraction e where e.account_id = due.id
        and e.status in ('complete', 'failed') and e.completed_at_ms < due.before_ms) then
      perform 1 from winnow.account a where a.id = due.id for no key update skip locked;
      if found then
        found_ids := array(select e.id from winnow.extraction e where e.account_id = due.id
          and e.status in ('complete', 'failed') and e.completed_at_ms < due.before_ms
          order by e.completed_at_ms, e.id limit p_limit - cardinality(ids));
        ids := ids || found_ids;
        -- There may be more of it: the next batch looks again.
        exit when cardinality(ids) >= p_limit;
      end if;
    end if;
    done := due.id;
  end loop;

  if cardinality(ids) > 0 then
    perform 1 from winnow.webhook_endpoint w where w.id in (
        select d.endpoint_id from winnow.webhook_delivery d where d.extraction_id = any (ids))
      order by w.id for no key update;
    perform 1 from winnow.webhook_delivery d where d.extraction_id = any (ids) order by d.id for update;
    update winnow.webhook_attempt a set response_snippet = null from winnow.webhook_delivery d
      where d.extraction_id = any (ids) and a.delivery_id = d.id and a.response_snippet is not null;
    update winnow.webhook_delivery d set
        body = null,
        failure_note = case when d.status = 'pending'
          then 'The extraction was deleted before this arrived.' else d.failure_note end,
        status = case when d.status = 'pending' then 'failed' else d.status end,
        next_attempt_at_ms = null
      where d.extraction_id = any (ids);
    with gone as (
      delete from winnow.extraction e where e.id = any (ids)
      returning e.id, e.account_id, coalesce(e.cached_from, e.id) as owner)
    select json_agg(json_build_object('accountId', g.account_id, 'extractionId', g.id, 'owner', g.owner))
      into removed from gone g;
    insert into winnow.abandoned_files (extraction_id)
      select distinct g.owner
      from json_to_recordset(removed) g ("accountId" text, owner text)
      where not exists (select 1 from winnow.extraction e where e.id = g.owner)
        and not exists (select 1 from winnow.extraction e
          where e.cached_from = g.owner and e.account_id = g."accountId")
      on conflict do nothing;
  end if;
  return json_build_object('removed', coalesce(removed, '[]'::json), 'next', case
    when cardinality(ids) >= p_limit or cardinality(looked) = p_accounts then done end);
end $$;

-- Whether a result names the files of an attempt. Looks at the text, because the database refuses to read documents
-- with NUL or half of a surrogate pair in them, which titles of pages may have; a text within the document has its
-- quotes escaped and cannot look like this.
create function winnow.serves_files(p_result json, p_extraction text, p_attempt integer)
returns boolean language sql immutable as $$
  select strpos(p_result::text, format('"artifactOwner":{"extractionId":"%s","attempt":%s}', p_extraction, p_attempt)) > 0
    or strpos(p_result::text, format('"artifactOwner":{"attempt":%s,"extractionId":"%s"}', p_attempt, p_extraction)) > 0
$$;

-- Forgets word of files that are served: deleting the last extraction that serves them removes them. Several may do
-- it at once. Answers how many it forgot.
create function winnow.forget_served_files(p_limit integer) returns integer language sql as $$
  with looked as materialized (
      select n.extraction_id, n.attempt from winnow.noted_files n
      where exists (
        select 1 from winnow.extraction e
        where e.id = n.extraction_id and e.status = 'complete'
          and winnow.serves_files(e.result, n.extraction_id, n.attempt))
      order by n.noted_at limit p_limit for update of n skip locked),
    forgotten as (
      delete from winnow.noted_files n using looked l
      where n.extraction_id = l.extraction_id and n.attempt = l.attempt returning 1)
  select count(*)::integer from forgotten
$$;

-- As in 0016, but for documents that the database refuses to read, one of which kept every file from being found.
create or replace function winnow.left_files(p_limit integer)
returns table (extraction_id text, attempt integer) language sql as $$
  with over as materialized (
      select n.extraction_id, n.attempt, n.noted_at, exists (
          select 1 from winnow.extraction e
          where e.id = n.extraction_id and e.status = 'complete'
            and winnow.serves_files(e.result, n.extraction_id, n.attempt)) or exists (
          select 1 from winnow.extraction e
          where e.cached_from = n.extraction_id and e.status = 'complete'
            and winnow.serves_files(e.result, n.extraction_id, n.attempt)) as is_served
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
