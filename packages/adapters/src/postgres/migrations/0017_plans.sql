-- Plans: an account's plan, limits of its own, and the rates that a run was debited at. Expands only: a process of
-- the release before writes none of them and reads none.

alter table winnow.account
  add column plan text not null default 'default',
  add column limits json,
  add column plan_before json,
  drop constraint account_slots_used_check,
  add constraint account_slots_used_check check (slots_used >= 0);
create index account_limits on winnow.account (id) where limits is not null;

alter table winnow.extraction add column rates json;

create or replace function winnow.account_json(a winnow.account) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'balance', a.balance, 'slotsUsed', a.slots_used,
    'bonusGranted', a.bonus_granted, 'createdAtMs', a.created_at_ms,
    'plan', nullif(a.plan, 'default'), 'limits', a.limits, 'planBefore', a.plan_before)
$$;

create or replace function winnow.extraction_json(e winnow.extraction) returns json language sql stable as $$
  select json_build_object(
    'id', e.id, 'accountId', e.account_id, 'status', e.status, 'request', e.request,
    'requester', json_build_object(
      'madeBy', e.made_by, 'apiKeyId', e.api_key_id, 'apiKeyName', e.api_key_name),
    'cacheKey', e.cache_key, 'pricedFacts', e.priced_facts, 'inspected', e.inspected,
    'creditsDebited', e.credits_debited, 'creditsRefunded', e.credits_refunded, 'rates', e.rates,
    'cachedFrom', e.cached_from, 'attempt', e.attempt, 'excusedAttempts', e.excused_attempts,
    'result', e.result, 'failure', e.failure,
    'createdAtMs', e.created_at_ms, 'startedAtMs', e.started_at_ms, 'completedAtMs', e.completed_at_ms)
$$;

-- Days that an account's results are kept: its own, else its plan's, else the server's.
create function winnow.retention_days(a winnow.account, p_by_plan json, p_default integer)
returns integer language sql immutable as $$
  select coalesce((a.limits ->> 'retentionDays')::integer, (p_by_plan ->> a.plan)::integer, p_default)
$$;
