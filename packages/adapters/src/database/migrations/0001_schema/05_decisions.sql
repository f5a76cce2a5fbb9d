-- What Store.transact locks and reads. Before you let it read more: bench/submit.ts and bench/waiting.ts. Tests: PgStore.test.ts.

-- Locks the account and reads what a decision may use; null if there is no such account. A function and not one query:
-- a query that waited for the lock would read the state from before the wait, whereas each statement in a function
-- reads the current state (under READ COMMITTED).
--
-- Its settings: every part reads a few rows of an index, but the planner does not know how few, and would plan every call
-- anew, which takes PostgreSQL ten times as long as the call. So nothing in it depends on the size of the account:
-- `account_id || ''` and `coalesce(batch_id, '')` keep it from the indexes that have all rows of one.
create function winnow.lock_view(
  p_account text, p_extraction text, p_key text, p_waiting_max integer, p_batch text, p_known text[],
  p_counts_items boolean
) returns json language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  locked winnow.account;
  known winnow.idempotency;
  found_extraction winnow.extraction;
begin
  select * into locked from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  if p_key is not null then
    select * into known from winnow.find_idempotency(p_account, p_key);
  end if;
  if p_extraction is not null then
    select * into found_extraction from winnow.extraction e where e.id = p_extraction and e.account_id = p_account;
  end if;
  return json_build_object(
    'account', winnow.account_json(locked),
    'waitingCount', locked.waiting_count,
    'waiting', (select coalesce(json_agg(winnow.extraction_json(w) order by w.turn, w.position), '[]'::json) from (
      select * from winnow.extraction e
      where e.account_id = p_account and e.status = 'queued' and e.turn is not null
      order by e.turn, e.position limit p_waiting_max) w),
    'extraction', case when found_extraction.id is not null then winnow.extraction_json(found_extraction) end,
    'batch', case when coalesce(p_batch, found_extraction.batch_id) is not null then
      (select b.document from winnow.batch b
        where b.id = coalesce(p_batch, found_extraction.batch_id) and b.account_id = p_account) end,
    'batchItemsWaiting', case when not p_counts_items then 0 else
      (select count(*) from winnow.extraction e
        where e.account_id = p_account and e.status = 'queued' and coalesce(e.batch_id, '') <> '') end,
    'known', case when p_known = '{}' then '[]'::json else
      (select coalesce(json_agg(json_build_object('id', e.id, 'status', e.status, 'cachedFrom', e.cached_from,
          'isItem', e.id in (select i.extraction_id from winnow.batch_item i
            where i.batch_id = p_batch and i.extraction_id is not null))), '[]'::json)
        from winnow.extraction e where e.id = any (p_known) and e.account_id || '' = p_account) end,
    'idempotency', case when known.key is not null then winnow.idempotency_json(known) end,
    'replayed', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = known.extraction_id and e.account_id = p_account),
    'webhookEndpoints', (select coalesce(json_agg(json_build_object('id', w.id, 'url', w.url)
      order by w.position), '[]'::json) from winnow.webhook_endpoint w
      where w.account_id = p_account and w.disabled_at_ms is null));
end $$;
