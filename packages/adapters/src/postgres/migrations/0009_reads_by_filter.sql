-- What lists show and are searched by: who asked, what the source looked like at submit, and what came of it.
-- Use by day outlives the extractions.
--
-- Expands only: a process of the version before goes on writing rows, and the defaults fill them. What such a
-- process writes is not found by `kind`, `outcome` and text until the next change of its row.

alter table winnow.extraction
  add column made_by text not null default 'api',
  add column api_key_id text collate "C",
  add column api_key_name text,
  add column inspected json,
  add column kind text collate "C",
  add column outcome text collate "C",
  -- Title and URL, written alike (domain/Listing's searchTextOf).
  add column search_text text collate "C" not null default '';

-- The escapes of JSON that the database refuses (NUL, half of a surrogate pair) all begin with \u: rows that
-- have one keep what a list can do without.
update winnow.extraction e set
    kind = case when strpos(e.result::text, '\u') = 0 then e.result -> 'facts' ->> 'kind' end,
    outcome = case when strpos(e.result::text, '\u') = 0 then e.result ->> 'outcome' end,
    search_text = lower(
      case when strpos(e.result::text, '\u') = 0 then coalesce(left(e.result -> 'facts' ->> 'title', 500), '')
        else '' end || E'\n' ||
      case when strpos(e.request::text, '\u') = 0 then coalesce(e.request ->> 'url', '') else '' end);

-- One for each filter, in the order of pages.
create index extraction_page_of_status
  on winnow.extraction (account_id, status, created_at_ms desc, id desc);
create index extraction_page_of_outcome
  on winnow.extraction (account_id, outcome, created_at_ms desc, id desc) where outcome is not null;
create index extraction_page_of_kind
  on winnow.extraction (account_id, kind, created_at_ms desc, id desc) where kind is not null;

create or replace function winnow.extraction_json(e winnow.extraction) returns json language sql stable as $$
  select json_build_object(
    'id', e.id, 'accountId', e.account_id, 'status', e.status, 'request', e.request,
    'requester', json_build_object(
      'madeBy', e.made_by, 'apiKeyId', e.api_key_id, 'apiKeyName', e.api_key_name),
    'cacheKey', e.cache_key, 'pricedFacts', e.priced_facts, 'inspected', e.inspected,
    'creditsDebited', e.credits_debited, 'creditsRefunded', e.credits_refunded, 'cachedFrom', e.cached_from,
    'attempt', e.attempt, 'result', e.result, 'failure', e.failure, 'createdAtMs', e.created_at_ms,
    'startedAtMs', e.started_at_ms, 'completedAtMs', e.completed_at_ms)
$$;

-- A row for each day (UTC), account and API key; '' without a key.
create table winnow.usage_day (
  account_id text collate "C" not null references winnow.account (id),
  day date not null,
  api_key_id text collate "C" not null,
  runs bigint not null check (runs >= 0),
  debited bigint not null check (debited >= 0),
  refunded bigint not null check (refunded >= 0),
  primary key (account_id, day, api_key_id)
) with (fillfactor = 70);

insert into winnow.usage_day (account_id, day, api_key_id, runs, debited, refunded)
  select u.account_id, (to_timestamp(u.at_ms / 1000) at time zone 'UTC')::date, '',
    sum(u.runs), sum(u.debited), sum(u.refunded)
  from (
    select l.account_id, l.created_at_ms as at_ms, case when l.kind = 'debit' then 1 else 0 end as runs,
      case when l.kind = 'debit' then -l.credits else 0 end as debited,
      case when l.kind = 'refund' then l.credits else 0 end as refunded
    from winnow.ledger l where l.kind in ('debit', 'refund')
    union all
    select e.account_id, e.created_at_ms, 1, 0, 0 from winnow.extraction e where e.cached_from is not null
  ) u group by 1, 2;
