-- Saved schemas, and the removal of extractions with their files.
--
-- Schemas and prompts are json for the reason told in 0001: text that people send may hold NUL.

create table winnow.saved_schema (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  name text collate "C" not null,
  schema json not null,
  prompt json,
  version integer not null check (version > 0),
  created_at_ms bigint not null,
  unique (account_id, name, version)
);
create index saved_schema_page on winnow.saved_schema (account_id, created_at_ms desc, id desc);

create function winnow.saved_schema_json(s winnow.saved_schema) returns json language sql stable as $$
  select json_build_object(
    'id', s.id, 'name', s.name, 'schema', s.schema, 'prompt', s.prompt, 'version', s.version,
    'createdAtMs', s.created_at_ms)
$$;

-- Under the account's lock, so that versions and the limit hold when several are saved at once. Null when
-- there is no such account, an empty object when it may save no more.
create function winnow.save_schema(
  p_account text, p_id text, p_name text, p_schema json, p_prompt json, p_created_at_ms bigint, p_max integer
) returns json language plpgsql as $$
declare
  saved winnow.saved_schema;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  if (select count(*) from winnow.saved_schema s where s.account_id = p_account) >= p_max then
    return '{}'::json;
  end if;
  insert into winnow.saved_schema (id, account_id, name, schema, prompt, version, created_at_ms)
    select p_id, p_account, p_name, p_schema, p_prompt, coalesce(max(s.version), 0) + 1, p_created_at_ms
    from winnow.saved_schema s where s.account_id = p_account and s.name = p_name
    returning * into saved;
  return winnow.saved_schema_json(saved);
end $$;

-- Whose files a reused result serves: asked when an extraction is deleted.
create index extraction_cached_from on winnow.extraction (cached_from) where cached_from is not null;
-- What retention asks for.
create index extraction_over on winnow.extraction (completed_at_ms) where status in ('complete', 'failed');

-- Runs whose files nobody serves any more and that are still to be removed.
create table winnow.abandoned_files (
  extraction_id text collate "C" primary key,
  abandoned_at timestamptz not null default now()
);

-- Null when there is no such extraction that is over. The idempotency record goes with the row.
create function winnow.delete_extraction(p_account text, p_extraction text) returns json language plpgsql as $$
declare
  deleted winnow.extraction;
  owner text;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  delete from winnow.extraction e
    where e.id = p_extraction and e.account_id = p_account and e.status in ('complete', 'failed')
    returning * into deleted;
  if not found then return null; end if;
  owner := coalesce(deleted.cached_from, deleted.id);
  if exists (select 1 from winnow.extraction e
      where e.account_id = p_account and (e.id = owner or e.cached_from = owner)) then
    return json_build_object('abandoned', null);
  end if;
  insert into winnow.abandoned_files (extraction_id) values (owner) on conflict do nothing;
  return json_build_object('abandoned', owner);
end $$;
