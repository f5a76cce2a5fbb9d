-- The register of stored files, deletion and retention. Tests: PgStore.test.ts (StoreFiles.ts, StoreRemovals.ts).

-- One row an attempt, from its start until its files are removed. There is no reference to the extraction, because the
-- row outlives it.
create table winnow.attempt_files (
  extraction_id text collate "C" not null,
  attempt integer not null,
  -- `served` by its extraction and those that reuse the result; an `orphan` is served by none, and neither is an
  -- attempt that is `writing` although its run is over or in another attempt.
  state text not null check (state in ('writing', 'served', 'orphan')),
  -- When the attempt ended, or was found to be over.
  ended_at_ms bigint,
  -- When its files may be removed, unless they are served.
  due_at_ms bigint not null default 0,
  primary key (extraction_id, attempt)
) with (fillfactor = 85);
create index attempt_files_due on winnow.attempt_files (due_at_ms) where state <> 'served';

-- Triggers, so that no writer can forget the files: the start of an attempt registers it, its settlement makes its files
-- served, and the deletion of the last extraction that serves them makes them orphans.
create function winnow.register_files() returns trigger language plpgsql as $$
begin
  insert into winnow.attempt_files (extraction_id, attempt, state, ended_at_ms)
    values (new.id, new.attempt, case new.status when 'running' then 'writing' else 'served' end, new.completed_at_ms)
    on conflict (extraction_id, attempt) do update set state = excluded.state, ended_at_ms = excluded.ended_at_ms;
  return null;
end $$;
create trigger files_registered after update of status on winnow.extraction for each row
  when (new.status in ('running', 'complete') and (new.status <> old.status or new.attempt <> old.attempt))
  execute function winnow.register_files();

create function winnow.orphan_files() returns trigger language plpgsql as $$
begin
  update winnow.attempt_files f set
      state = 'orphan', due_at_ms = 0, ended_at_ms = coalesce(f.ended_at_ms, old.completed_at_ms)
    where f.extraction_id = coalesce(old.cached_from, old.id)
      and not exists (select from winnow.extraction e where e.id = f.extraction_id)
      and not exists (select from winnow.extraction e where e.cached_from = f.extraction_id);
  return null;
end $$;
create trigger files_left after delete on winnow.extraction for each row execute function winnow.orphan_files();

create function winnow.attempt_files_json(f winnow.attempt_files) returns json language sql stable as $$
  select json_build_object('extractionId', f.extraction_id, 'attempt', f.attempt, 'endedAtMs', f.ended_at_ms)
$$;

-- What deletions do to deliveries: they lose their bodies and the receivers' responses, and pending ones fail.
create function winnow.end_deliveries(p_extractions text[]) returns void language plpgsql as $$
begin
  perform 1 from winnow.webhook_endpoint w where w.id in (
      select d.endpoint_id from winnow.webhook_delivery d where d.extraction_id = any (p_extractions))
    order by w.id for no key update;
  perform 1 from winnow.webhook_delivery d where d.extraction_id = any (p_extractions) order by d.id for update;
  update winnow.webhook_attempt a set response_snippet = null from winnow.webhook_delivery d
    where d.extraction_id = any (p_extractions) and a.delivery_id = d.id and a.response_snippet is not null;
  update winnow.webhook_delivery d set
      body = null,
      failure_note = case when d.status = 'pending'
        then 'The extraction was deleted before the delivery succeeded.' else d.failure_note end,
      status = case when d.status = 'pending' then 'failed' else d.status end,
      next_attempt_at_ms = null
    where d.extraction_id = any (p_extractions);
end $$;

-- Deletes an extraction that is over; null if there is none. Returns the attempts whose files nobody serves any more.
create function winnow.delete_extraction(p_account text, p_extraction text)
returns json language plpgsql as $$
declare
  deleted winnow.extraction;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  delete from winnow.extraction e
    where e.id = p_extraction and e.account_id = p_account and e.status in ('complete', 'failed')
    returning * into deleted;
  if not found then return null; end if;
  perform winnow.end_deliveries(array[p_extraction]);
  return (select coalesce(json_agg(winnow.attempt_files_json(f)), '[]'::json) from winnow.attempt_files f
    where f.extraction_id = coalesce(deleted.cached_from, deleted.id) and f.state = 'orphan');
end $$;

-- Days that an account's results are kept: its own setting, else its plan's, else the server's.
create function winnow.retention_days(a winnow.account, p_by_plan json, p_default integer)
returns integer language sql immutable as $$
  select coalesce((a.limits ->> 'retentionDays')::integer, (p_by_plan ->> a.plan)::integer, p_default)
$$;

-- Extractions that no worker took in time, the oldest first: after the account's retention, and after 7 days at most, as
-- the domain's untakenBeforeMs. The bound of a day (86,400,000 ms), the shortest retention, lets the index find them.
create function winnow.untaken(p_now_ms bigint, p_by_plan json, p_default integer, p_limit integer)
returns setof winnow.extraction language sql stable as $$
  select e.* from winnow.extraction e join winnow.account a on a.id = e.account_id
  where e.status in ('queued', 'pending') and e.created_at_ms < p_now_ms - 86400000
    and e.created_at_ms < p_now_ms - 86400000 * least(winnow.retention_days(a, p_by_plan, p_default), 7)::bigint
  order by e.created_at_ms limit p_limit
$$;

-- Deletes extractions that were kept long enough, at most `p_limit` of at most `p_accounts` accounts after `p_after`
-- (by id). Accounts that are locked wait for the next round. Returns the account to continue after; null after the last.
create function winnow.remove_expired(
  p_after text, p_now_ms bigint, p_by_plan json, p_default integer, p_accounts integer, p_limit integer
) returns text language plpgsql set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  looked text[] := array(select a.id from winnow.account a where a.id > p_after order by a.id limit p_accounts);
  done text := p_after;
  due record;
  ids text[] := '{}';
begin
  for due in
    select a.id, p_now_ms - 86400000 * winnow.retention_days(a, p_by_plan, p_default)::bigint as before_ms
    from winnow.account a where a.id = any (looked) order by a.id
  loop
    exit when cardinality(ids) >= p_limit;
    if exists (select 1 from winnow.extraction e where e.account_id = due.id
        and e.status in ('complete', 'failed') and e.completed_at_ms < due.before_ms)
        or exists (select 1 from winnow.batch b where b.account_id = due.id and b.completed_at_ms < due.before_ms) then
      perform 1 from winnow.account a where a.id = due.id for no key update skip locked;
      if found then
        delete from winnow.batch b where b.account_id = due.id and b.completed_at_ms < due.before_ms;
        ids := ids || array(select e.id from winnow.extraction e where e.account_id = due.id
          and e.status in ('complete', 'failed') and e.completed_at_ms < due.before_ms
          order by e.completed_at_ms, e.id limit p_limit - cardinality(ids));
        -- The account may have more, for the next batch.
        exit when cardinality(ids) >= p_limit;
      end if;
    end if;
    done := due.id;
  end loop;

  if cardinality(ids) > 0 then
    perform winnow.end_deliveries(ids);
    delete from winnow.extraction e where e.id = any (ids);
  end if;
  return case when cardinality(ids) >= p_limit or cardinality(looked) = p_accounts then done end;
end $$;
