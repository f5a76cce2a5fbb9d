-- Results and keys that outlive the extraction they came from.

-- When the result of an extraction that reuses one was made; null for a run of its own, whose result was made when
-- it was completed, and for rows from before this column.
alter table winnow.extraction add column made_at_ms bigint;
create index extraction_reused on winnow.extraction (account_id, cache_key, made_at_ms desc)
  where status = 'complete' and made_at_ms is not null;

-- As domain/Idempotency's deletedKey. The key is ASCII, so that its bytes are the same in any encoding.
create function winnow.deleted_key(key text) returns text language sql immutable as $$
  select E'deleted\n' || encode(sha256(convert_to(key, 'UTF8')), 'hex')
$$;

-- The record of a key, of a deleted extraction too.
create function winnow.find_idempotency(p_account text, p_key text) returns winnow.idempotency
language sql stable as $$
  select i from winnow.idempotency i
    where i.account_id = p_account and i.key in (p_key, winnow.deleted_key(p_key))
    order by i.key <> p_key limit 1
$$;

-- As in 0006, but the record of a deleted extraction counts.
create or replace function winnow.lock_view(
  p_account text, p_extraction text, p_key text, p_waiting_max integer
) returns json language plpgsql as $$
declare
  locked winnow.account;
  known winnow.idempotency;
begin
  select * into locked from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  if p_key is not null then
    select * into known from winnow.find_idempotency(p_account, p_key);
  end if;
  return json_build_object(
    'account', winnow.account_json(locked),
    'waitingCount', locked.waiting_count,
    'waiting', (select coalesce(json_agg(winnow.extraction_json(w) order by w.position), '[]'::json) from (
      select * from winnow.extraction e where e.account_id = p_account and e.status = 'queued'
      order by e.position limit p_waiting_max) w),
    'extraction', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = p_extraction and e.account_id = p_account),
    'idempotency', case when known.key is not null then winnow.idempotency_json(known) end,
    'replayed', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = known.extraction_id and e.account_id = p_account),
    'webhookEndpoints', (select coalesce(json_agg(json_build_object('id', w.id, 'url', w.url)
      order by w.position), '[]'::json) from winnow.webhook_endpoint w
      where w.account_id = p_account and w.disabled_at_ms is null));
end $$;

-- The record of an extraction that goes stays as hashes. A trigger, so that no writer can forget it; whoever deletes
-- an extraction holds the account's lock.
create function winnow.keep_deleted_key() returns trigger language plpgsql as $$
begin
  update winnow.idempotency set key = winnow.deleted_key(key), extraction_id = null where extraction_id = old.id;
  return old;
end $$;
create trigger extraction_key_stays before delete on winnow.extraction
  for each row execute function winnow.keep_deleted_key();
