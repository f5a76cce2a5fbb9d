-- Accounts, their extractions, the ledger, idempotency keys and API keys.
--
-- Applied once and never changed afterwards: a later change is a later file. Times are milliseconds since
-- the epoch, exactly as the domain has them. Documents are json, not jsonb: titles of hostile pages hold
-- NUL and lone surrogates, which jsonb refuses, and nothing in here looks inside a document.
-- Checks and unique indexes are a backstop: the domain decides, and breaking one is a bug of a decider.

create table winnow.account (
  id text collate "C" primary key,
  name text not null,
  balance bigint not null check (balance >= 0),
  slots_used smallint not null check (slots_used between 0 and 2),
  bonus_granted boolean not null,
  created_at_ms bigint not null
) with (fillfactor = 70); -- the row is updated by every decision: room for the next version beside it

create table winnow.extraction (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  -- Order of submission within the account; drawn under the account's lock, because clocks tie.
  position bigint generated always as identity,
  status text not null check (status in ('queued', 'pending', 'running', 'complete', 'failed')),
  request json not null,
  cache_key text collate "C" not null,
  priced_facts json not null,
  credits_debited bigint not null check (credits_debited >= 0),
  credits_refunded bigint not null check (credits_refunded between 0 and credits_debited),
  cached_from text,
  attempt integer not null check (attempt >= 0),
  result json,
  failure json,
  created_at_ms bigint not null,
  started_at_ms bigint,
  completed_at_ms bigint,
  -- When the status last changed.
  moved_at_ms bigint not null
) with (fillfactor = 85);

create index extraction_page on winnow.extraction (account_id, created_at_ms desc, id desc);
create index extraction_waiting on winnow.extraction (account_id, position) where status = 'queued';
create index extraction_reusable on winnow.extraction (account_id, cache_key, completed_at_ms desc)
  where status = 'complete' and cached_from is null;
create index extraction_live on winnow.extraction (created_at_ms) where status in ('pending', 'running');

create table winnow.idempotency (
  account_id text collate "C" not null references winnow.account (id),
  key text collate "C" not null,
  body_digest text not null,
  extraction_id text collate "C" not null references winnow.extraction (id) on delete cascade,
  primary key (account_id, key)
);
create index idempotency_extraction on winnow.idempotency (extraction_id);

-- A row is a balanced transfer from one book to another; `credits` is the account's side of it, signed.
-- Rows outlive their extraction, so there is no reference to it.
create table winnow.ledger (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references winnow.account (id),
  kind text not null check (kind in ('debit', 'refund', 'top_up', 'bonus', 'adjustment')),
  credits bigint not null,
  from_book text not null,
  to_book text not null check (from_book <> to_book),
  balance_after bigint not null check (balance_after >= 0),
  extraction_id text collate "C",
  note text not null,
  created_at_ms bigint not null,
  check ('account:' || account_id = case when credits < 0 then from_book else to_book end)
);
create index ledger_page on winnow.ledger (account_id, id desc);
create unique index ledger_once_an_extraction on winnow.ledger (extraction_id, kind)
  where kind in ('debit', 'refund');
create unique index ledger_one_bonus on winnow.ledger (account_id) where kind = 'bonus';

create function winnow.refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_append_only before update or delete or truncate on winnow.ledger
  for each statement execute function winnow.refuse_ledger_change();

create table winnow.api_key (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  name text not null,
  hash text collate "C" not null unique,
  created_at_ms bigint not null,
  revoked_at timestamptz
);

-- The documents that the store decodes with the domain's schemas.

create function winnow.account_json(a winnow.account) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'balance', a.balance, 'slotsUsed', a.slots_used,
    'bonusGranted', a.bonus_granted, 'createdAtMs', a.created_at_ms)
$$;

create function winnow.extraction_json(e winnow.extraction) returns json language sql stable as $$
  select json_build_object(
    'id', e.id, 'accountId', e.account_id, 'status', e.status, 'request', e.request,
    'cacheKey', e.cache_key, 'pricedFacts', e.priced_facts, 'creditsDebited', e.credits_debited,
    'creditsRefunded', e.credits_refunded, 'cachedFrom', e.cached_from, 'attempt', e.attempt,
    'result', e.result, 'failure', e.failure, 'createdAtMs', e.created_at_ms,
    'startedAtMs', e.started_at_ms, 'completedAtMs', e.completed_at_ms)
$$;

create function winnow.idempotency_json(i winnow.idempotency) returns json language sql stable as $$
  select json_build_object('key', i.key, 'bodyDigest', i.body_digest, 'extractionId', i.extraction_id)
$$;

create function winnow.ledger_json(l winnow.ledger) returns json language sql stable as $$
  select json_build_object(
    'id', l.id::text, 'accountId', l.account_id, 'kind', l.kind, 'credits', l.credits,
    'balanceAfter', l.balance_after, 'extractionId', l.extraction_id, 'note', l.note,
    'createdAtMs', l.created_at_ms)
$$;

create function winnow.api_key_json(k winnow.api_key) returns json language sql stable as $$
  select json_build_object(
    'id', k.id, 'accountId', k.account_id, 'name', k.name, 'hash', k.hash, 'createdAtMs', k.created_at_ms)
$$;

-- Locks the account, then reads what a decision may look at; null when there is no such account.
-- A function and not one query, because a query that waited for the lock would still read what was
-- there before the wait; in here every statement sees what is there now (needs READ COMMITTED).
create function winnow.lock_view(p_account text, p_extraction text, p_key text, p_waiting_max integer)
returns json language plpgsql as $$
declare
  locked winnow.account;
  known winnow.idempotency;
begin
  select * into locked from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  if p_key is not null then
    select * into known from winnow.idempotency i where i.account_id = p_account and i.key = p_key;
  end if;
  return json_build_object(
    'account', winnow.account_json(locked),
    'waitingCount', (select count(*) from winnow.extraction e
      where e.account_id = p_account and e.status = 'queued'),
    'waiting', (select coalesce(json_agg(winnow.extraction_json(w) order by w.position), '[]'::json) from (
      select * from winnow.extraction e where e.account_id = p_account and e.status = 'queued'
      order by e.position limit p_waiting_max) w),
    'extraction', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = p_extraction and e.account_id = p_account),
    'idempotency', case when known.key is not null then winnow.idempotency_json(known) end,
    'replayed', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = known.extraction_id and e.account_id = p_account));
end $$;

-- A page of extractions, newest first, after the given one. A function for its setting: the plan is always
-- the walk along extraction_page, but the planner, which cannot know how few rows a limit of $4 means,
-- would plan the page anew each time, which costs as much as reading it.
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
