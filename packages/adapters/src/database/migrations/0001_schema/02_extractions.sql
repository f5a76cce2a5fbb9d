-- Batches, extractions and idempotency keys. Tests: PgStore.test.ts.

-- Batches

create table winnow.batch (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  status text not null check (status in ('running', 'paused', 'complete', 'cancelled')),
  document json not null,
  created_at_ms bigint not null,
  completed_at_ms bigint
) with (fillfactor = 70); -- Every end of an item updates the row.
create index batch_page on winnow.batch (account_id, created_at_ms desc, id desc);
-- Cancels that were interrupted.
create index batch_cancelled on winnow.batch (id) where status = 'cancelled' and completed_at_ms is null;
-- Retention.
create index batch_over_of_account on winnow.batch (account_id, completed_at_ms) where completed_at_ms is not null;

-- There is no reference to the extraction, because the item outlives it.
create table winnow.batch_item (
  batch_id text collate "C" not null references winnow.batch (id) on delete cascade,
  index integer not null,
  extraction_id text collate "C",
  document json not null,
  primary key (batch_id, index)
);

-- Fields that the requests of several items of a batch have in common, so that a schema is stored once. There is no
-- reference to the batch, which may be deleted before its extractions.
create table winnow.shared_fields (
  batch_id text collate "C" not null,
  -- SHA-256 of the fields.
  hash text collate "C" not null,
  account_id text collate "C" not null references winnow.account (id),
  fields json not null,
  primary key (batch_id, hash)
);

-- Extractions

create table winnow.extraction (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  -- Order of submission within the account: clocks may give two submits the same time.
  position bigint generated always as identity,
  status text not null check (status in ('queued', 'pending', 'running', 'complete', 'failed')),
  -- There is no reference to the batch, which may be deleted first.
  batch_id text collate "C",
  -- The turn among the account's waiting extractions: items of batches come after all others. Null for items of a
  -- batch that is paused or cancelled, which do not start.
  turn smallint default 0,
  -- Without the fields that it shares.
  request json not null,
  -- Hash of its shared fields; null if it has all of its own.
  shared text collate "C",
  made_by text not null,
  api_key_id text collate "C",
  api_key_name text,
  cache_key text collate "C" not null,
  -- What the inspection at submit saw; null without one.
  seen json,
  credits_debited bigint not null check (credits_debited >= 0),
  credits_refunded bigint not null check (credits_refunded between 0 and credits_debited),
  -- The rates that the run was debited at.
  rates json not null,
  -- The extraction whose result is reused.
  cached_from text,
  -- When that result was created; null unless a result is reused.
  made_at_ms bigint,
  -- Number of starts. Also the fencing token: a late attempt cannot settle.
  attempt integer not null check (attempt >= 0),
  -- Attempts that ended through no fault of the run, such as a stopped worker.
  excused_attempts integer not null default 0 check (excused_attempts >= 0),
  result json,
  failure json,
  -- Title or URL, for the ledger.
  name text collate "C",
  -- For the filters of the list. `search_text` contains title and URL, normalised for search.
  kind text collate "C",
  outcome text collate "C",
  schema_id text collate "C",
  search_text text collate "C" not null,
  created_at_ms bigint not null,
  started_at_ms bigint,
  completed_at_ms bigint,
  -- When the status last changed.
  moved_at_ms bigint not null
) with (fillfactor = 85);

-- Pages of the list, without a filter and by each filter.
create index extraction_page on winnow.extraction (account_id, created_at_ms desc, id desc);
create index extraction_page_of_status
  on winnow.extraction (account_id, status, created_at_ms desc, id desc);
create index extraction_page_of_outcome
  on winnow.extraction (account_id, outcome, created_at_ms desc, id desc) where outcome is not null;
create index extraction_page_of_kind
  on winnow.extraction (account_id, kind, created_at_ms desc, id desc) where kind is not null;
create index extraction_page_of_schema_id
  on winnow.extraction (account_id, schema_id, created_at_ms desc, id desc) where schema_id is not null;
create index extraction_page_of_batch_id
  on winnow.extraction (account_id, batch_id, created_at_ms desc, id desc) where batch_id is not null;
create index extraction_page_of_api_key_id
  on winnow.extraction (account_id, api_key_id, created_at_ms desc, id desc) where api_key_id is not null;
create index extraction_waiting on winnow.extraction (account_id, turn, position)
  where status = 'queued' and turn is not null;
create index extraction_live on winnow.extraction (created_at_ms) where status in ('pending', 'running');
-- Why runs failed lately.
create index extraction_failed on winnow.extraction (completed_at_ms) where status = 'failed';
-- What no worker took.
create index extraction_untaken on winnow.extraction (created_at_ms) where status in ('queued', 'pending');
-- Reuse of results: those of own runs, and those that were reused themselves.
create index extraction_reusable on winnow.extraction (account_id, cache_key, completed_at_ms desc)
  where status = 'complete' and cached_from is null;
create index extraction_reused on winnow.extraction (account_id, cache_key, made_at_ms desc)
  where status = 'complete' and made_at_ms is not null;
-- Which extractions serve the files of a deleted one.
create index extraction_cached_from on winnow.extraction (cached_from) where cached_from is not null;
-- Retention. By account, because accounts keep results for different times.
create index extraction_over_of_account on winnow.extraction (account_id, completed_at_ms, id)
  where status in ('complete', 'failed');

-- The fields that an item of a batch shares. Apart, because a function with a query in it is called for each row, which
-- takes longer than the document; without one, PostgreSQL makes extraction_json part of the statement.
create function winnow.shared_fields_json(p_batch text, p_hash text) returns json language sql stable as $$
  select s.fields from winnow.shared_fields s where s.batch_id = p_batch and s.hash = p_hash
$$;

create function winnow.extraction_json(e winnow.extraction) returns json language sql stable as $$
  select json_build_object(
    'id', e.id, 'accountId', e.account_id, 'status', e.status, 'request', e.request,
    'shared', case when e.shared is not null then winnow.shared_fields_json(e.batch_id, e.shared) end,
    'requester', json_build_object(
      'madeBy', e.made_by, 'apiKeyId', e.api_key_id, 'apiKeyName', e.api_key_name),
    'batchId', e.batch_id, 'cacheKey', e.cache_key, 'seen', e.seen,
    'creditsDebited', e.credits_debited, 'creditsRefunded', e.credits_refunded, 'rates', e.rates,
    'cachedFrom', e.cached_from, 'attempt', e.attempt, 'excusedAttempts', e.excused_attempts,
    'result', e.result, 'failure', e.failure,
    'createdAtMs', e.created_at_ms, 'startedAtMs', e.started_at_ms, 'completedAtMs', e.completed_at_ms)
$$;

-- A page of extractions, newest first. A function for its setting: the plan is always a scan of extraction_page, but
-- the planner does not know how small the limit is and would plan every call anew, which costs as much as the read.
create function winnow.list_extractions(p_account text, p_before_ms bigint, p_before_id text, p_limit integer)
returns setof json language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  if p_before_ms is null then
    return query select winnow.extraction_json(e) from winnow.extraction e
      where e.account_id = p_account
      order by e.created_at_ms desc, e.id desc limit p_limit;
  else
    return query select winnow.extraction_json(e) from winnow.extraction e
      where e.account_id = p_account and (e.created_at_ms, e.id) < (p_before_ms, p_before_id)
      order by e.created_at_ms desc, e.id desc limit p_limit;
  end if;
end $$;

-- Maintains account.waiting_count. Counting up to a thousand rows under the account's lock would slow down the submits
-- of busy accounts. A trigger, so that no writer can forget it; all of them hold the account's lock already.
create function winnow.count_waiting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status = 'queued' then
    update winnow.account set waiting_count = waiting_count - 1 where id = old.account_id;
  end if;
  if tg_op <> 'DELETE' and new.status = 'queued' then
    update winnow.account set waiting_count = waiting_count + 1 where id = new.account_id;
  end if;
  return null;
end $$;
create trigger waiting_came after insert on winnow.extraction
  for each row when (new.status = 'queued' and new.batch_id is null) execute function winnow.count_waiting();
create trigger waiting_moved after update of status on winnow.extraction
  for each row when ((old.status = 'queued') <> (new.status = 'queued') and new.batch_id is null)
  execute function winnow.count_waiting();
create trigger waiting_left after delete on winnow.extraction
  for each row when (old.status = 'queued' and old.batch_id is null) execute function winnow.count_waiting();

-- Shared fields go with the last item that has them: a schema or prompt does not outlive what it was submitted for.
create function winnow.drop_shared_fields() returns trigger language plpgsql as $$
begin
  delete from winnow.shared_fields s where s.batch_id = old.batch_id and s.hash = old.shared
    and not exists (select 1 from winnow.extraction e
      where e.account_id = old.account_id and e.batch_id = old.batch_id and e.shared = old.shared);
  return null;
end $$;
create trigger shared_fields_left after delete on winnow.extraction
  for each row when (old.shared is not null) execute function winnow.drop_shared_fields();

-- Values that people corrected, beside those of the result.
create table winnow.correction (
  extraction_id text collate "C" primary key references winnow.extraction (id) on delete cascade,
  corrections json not null,
  corrected_at_ms bigint not null
);

-- Idempotency keys

create table winnow.idempotency (
  account_id text collate "C" not null references winnow.account (id),
  key text collate "C" not null,
  body_digest text not null,
  -- Null for a batch or a top-up, and after the extraction was deleted.
  extraction_id text collate "C" references winnow.extraction (id),
  -- Only for a batch. Null after it was deleted.
  batch_id text collate "C" references winnow.batch (id) on delete set null,
  primary key (account_id, key)
);
create index idempotency_extraction on winnow.idempotency (extraction_id);
create index idempotency_batch on winnow.idempotency (batch_id) where batch_id is not null;

create function winnow.idempotency_json(i winnow.idempotency) returns json language sql stable as $$
  select json_build_object(
    'key', i.key, 'bodyDigest', i.body_digest, 'extractionId', i.extraction_id, 'batchId', i.batch_id)
$$;

-- As the domain's deletedKey. Keys are ASCII, so their bytes are the same in every encoding.
create function winnow.deleted_key(key text) returns text language sql immutable as $$
  select E'deleted\n' || encode(sha256(convert_to(key, 'UTF8')), 'hex')
$$;

-- The record of a key, at most one, even if its extraction was deleted.
create function winnow.find_idempotency(p_account text, p_key text) returns setof winnow.idempotency
language sql stable as $$
  select i.* from winnow.idempotency i
    where i.account_id = p_account and i.key in (p_key, winnow.deleted_key(p_key))
    order by i.key <> p_key limit 1
$$;

-- Keeps the hash of a key whose extraction is deleted, so that a late retry is not charged as a new run. A trigger, so
-- that no writer can forget it.
create function winnow.keep_deleted_key() returns trigger language plpgsql as $$
begin
  update winnow.idempotency set key = winnow.deleted_key(key), extraction_id = null where extraction_id = old.id;
  return old;
end $$;
create trigger extraction_key_stays before delete on winnow.extraction
  for each row execute function winnow.keep_deleted_key();
