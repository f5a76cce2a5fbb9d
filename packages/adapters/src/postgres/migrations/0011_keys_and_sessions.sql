-- What an API key may spend in a day (UTC) and when it was last used; the browser of a web session.
-- Expands only.

alter table winnow.api_key
  add column daily_credits bigint check (daily_credits >= 0),
  add column last_used_at_ms bigint;

create or replace function winnow.api_key_json(k winnow.api_key) returns json language sql stable as $$
  select json_build_object(
    'id', k.id, 'accountId', k.account_id, 'name', k.name, 'hash', k.hash, 'start', k.start,
    'dailyCredits', k.daily_credits, 'lastUsedAtMs', k.last_used_at_ms, 'createdAtMs', k.created_at_ms)
$$;

alter table winnow.web_session add column user_agent text;

create or replace function winnow.web_session_json(s winnow.web_session) returns json language sql stable as $$
  select json_build_object(
    'id', s.id, 'accountId', s.account_id, 'hash', s.hash, 'userAgent', s.user_agent,
    'createdAtMs', s.created_at_ms, 'expiresAtMs', s.expires_at_ms)
$$;
