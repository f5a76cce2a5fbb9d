-- Requests under one key that come at once, and one order of locks more.

-- A top-up has no extraction; its record stays.
alter table winnow.idempotency alter column extraction_id drop not null;

-- As in 0004, but what was saved under the id before is answered as it is.
create or replace function winnow.save_schema(
  p_account text, p_id text, p_name text, p_schema json, p_prompt json, p_created_at_ms bigint, p_max integer
) returns json language plpgsql as $$
declare
  saved winnow.saved_schema;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  select * into saved from winnow.saved_schema s where s.id = p_id and s.account_id = p_account;
  if found then return winnow.saved_schema_json(saved); end if;
  if (select count(*) from winnow.saved_schema s where s.account_id = p_account) >= p_max then
    return '{}'::json;
  end if;
  insert into winnow.saved_schema (id, account_id, name, schema, prompt, version, created_at_ms)
    select p_id, p_account, p_name, p_schema, p_prompt, coalesce(max(s.version), 0) + 1, p_created_at_ms
    from winnow.saved_schema s where s.account_id = p_account and s.name = p_name
    returning * into saved;
  return winnow.saved_schema_json(saved);
end $$;

-- As in 0006, but the endpoint under the id comes before one with the URL.
create or replace function winnow.register_webhook_endpoint(
  p_account text, p_id text, p_url text, p_secret text, p_created_at_ms bigint, p_max integer
) returns json language plpgsql as $$
declare
  found_one winnow.webhook_endpoint;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  select * into found_one from winnow.webhook_endpoint w
    where w.account_id = p_account and (w.id = p_id or w.url = p_url) order by w.id <> p_id limit 1;
  if not found then
    if (select count(*) from winnow.webhook_endpoint w where w.account_id = p_account) >= p_max then
      return '{}'::json;
    end if;
    insert into winnow.webhook_endpoint (id, account_id, url, secret, created_at_ms)
      values (p_id, p_account, p_url, p_secret, p_created_at_ms) returning * into found_one;
  end if;
  return winnow.webhook_endpoint_json(found_one);
end $$;

-- As in 0006, and in the order of locks: whoever calls off what is pending for an endpoint holds the endpoint.
create or replace function winnow.delete_extraction(p_account text, p_extraction text)
returns json language plpgsql as $$
declare
  deleted winnow.extraction;
  owner text;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  delete from winnow.extraction e
    where e.id = p_extraction and e.account_id = p_account and e.status in ('complete', 'failed')
    returning * into deleted;
  if not found then return null; end if;
  perform 1 from winnow.webhook_endpoint w
    where w.id in (select d.endpoint_id from winnow.webhook_delivery d where d.extraction_id = p_extraction)
    order by w.id for no key update;
  perform 1 from winnow.webhook_delivery d where d.extraction_id = p_extraction order by d.id for update;
  update winnow.webhook_delivery d set
      body = null,
      failure_note = case when d.status = 'pending'
        then 'The extraction was deleted before this arrived.' else d.failure_note end,
      status = case when d.status = 'pending' then 'failed' else d.status end,
      next_attempt_at_ms = null
    where d.extraction_id = p_extraction;
  update winnow.webhook_attempt a set response_snippet = null from winnow.webhook_delivery d
    where d.extraction_id = p_extraction and a.delivery_id = d.id and a.response_snippet is not null;
  owner := coalesce(deleted.cached_from, deleted.id);
  if exists (select 1 from winnow.extraction e
      where e.account_id = p_account and (e.id = owner or e.cached_from = owner)) then
    return json_build_object('abandoned', null);
  end if;
  insert into winnow.abandoned_files (extraction_id) values (owner) on conflict do nothing;
  return json_build_object('abandoned', owner);
end $$;
