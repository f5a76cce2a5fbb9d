-- One-time sign-in links, the web sessions they open, and how API keys begin, for people to tell theirs
-- apart. Tokens are kept as their SHA-256 alone. A redeemed link and a revoked session are deleted: there is
-- nothing to tell about them afterwards.

create table winnow.sign_in_link (
  hash text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  created_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index sign_in_link_account on winnow.sign_in_link (account_id);

create table winnow.web_session (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  hash text collate "C" not null unique,
  created_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index web_session_account on winnow.web_session (account_id);

alter table winnow.api_key add column start text;
create index api_key_account on winnow.api_key (account_id) where revoked_at is null;

create or replace function winnow.api_key_json(k winnow.api_key) returns json language sql stable as $$
  select json_build_object(
    'id', k.id, 'accountId', k.account_id, 'name', k.name, 'hash', k.hash, 'start', k.start,
    'createdAtMs', k.created_at_ms)
$$;

create function winnow.web_session_json(s winnow.web_session) returns json language sql stable as $$
  select json_build_object(
    'id', s.id, 'accountId', s.account_id, 'hash', s.hash, 'createdAtMs', s.created_at_ms,
    'expiresAtMs', s.expires_at_ms)
$$;
