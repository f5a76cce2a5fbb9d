-- How many extractions of an account wait, kept beside its slots: counting up to a thousand rows under the
-- account's lock made the submits of a busy account a quarter dearer. A trigger keeps it, so that no writer
-- can forget it; whoever changes a status holds the account's lock already.

alter table winnow.account add column waiting_count integer not null default 0 check (waiting_count >= 0);
update winnow.account a set waiting_count = (
  select count(*) from winnow.extraction e where e.account_id = a.id and e.status = 'queued');

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
  for each row when (new.status = 'queued') execute function winnow.count_waiting();
create trigger waiting_moved after update of status on winnow.extraction
  for each row when ((old.status = 'queued') <> (new.status = 'queued'))
  execute function winnow.count_waiting();
create trigger waiting_left after delete on winnow.extraction
  for each row when (old.status = 'queued') execute function winnow.count_waiting();

-- As in 0001, but for the count.
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
    select * into known from winnow.idempotency i where i.account_id = p_account and i.key = p_key;
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
      where e.id = known.extraction_id and e.account_id = p_account));
end $$;
