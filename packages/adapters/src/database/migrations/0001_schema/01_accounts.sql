-- Accounts, API keys, members, sessions and saved schemas; with what holds in all files of the schema (tests: PgStore.test.ts):
--
-- Times are Unix milliseconds (`*_ms`), as in the domain. Ids compare bytewise (collate "C"), so that their order is
-- the same on every server.
--
-- Documents are json, not jsonb: titles of web pages may contain NUL and lone surrogates, which jsonb rejects. For the
-- same reason `->>` is not used on documents that contain text from outside: it fails on those escapes.
--
-- The domain decides; checks and unique indexes are a safety net. A violation is a bug in a decider.
--
-- Rows are locked in this order, everywhere, to avoid deadlocks: account, webhook endpoint, webhook delivery (by id),
-- webhook receiver, files of an attempt. Whoever changes an account's extractions, ledger or schemas holds the account's
-- lock.
--
-- Functions named `*_json` return the documents that the store decodes with the domain's schemas.

-- Accounts

create table winnow.account (
  id text collate "C" primary key,
  name text not null,
  balance bigint not null check (balance >= 0),
  -- Credits of returned payments that the balance could not cover.
  owed_credits bigint not null default 0 check (owed_credits >= 0),
  slots_used smallint not null check (slots_used >= 0),
  -- Number of queued extractions outside batches, maintained by triggers on winnow.extraction.
  waiting_count integer not null default 0 check (waiting_count >= 0),
  bonus_granted boolean not null,
  plan text not null default 'default',
  -- Limits that override those of the plan.
  limits json not null default '{}',
  -- Previous plans, whose prices still apply to recent quotes.
  plans_before json not null default '[]',
  -- Model tokens of runs that were refunded in full, on one day (UTC).
  refunded_model_use json,
  -- How often all its sessions were revoked: earlier links to results ended with them.
  sign_outs integer not null default 0,
  created_at_ms bigint not null
) with (fillfactor = 70); -- Every decision updates the row, which is cheaper with free space on its page.

create index account_page on winnow.account (created_at_ms desc, id desc);

create function winnow.account_json(a winnow.account) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'balance', a.balance, 'owedCredits', a.owed_credits, 'slotsUsed', a.slots_used,
    'bonusGranted', a.bonus_granted, 'createdAtMs', a.created_at_ms,
    'plan', a.plan, 'limits', a.limits, 'plansBefore', a.plans_before,
    'refundedModelUse', a.refunded_model_use)
$$;

-- API keys and request limits

create table winnow.api_key (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  name text not null,
  -- SHA-256 of the key, which is not stored.
  hash text collate "C" not null unique,
  -- First characters of the key, to tell keys apart.
  start text not null,
  -- Credits that the key may spend per day (UTC).
  daily_credits bigint check (daily_credits >= 0),
  last_used_at_ms bigint,
  -- The member who created it; null if it was not a member.
  created_by text collate "C",
  created_at_ms bigint not null,
  revoked_at timestamptz
);
create index api_key_account on winnow.api_key (account_id) where revoked_at is null;

create function winnow.api_key_json(k winnow.api_key) returns json language sql stable as $$
  select json_build_object(
    'id', k.id, 'accountId', k.account_id, 'name', k.name, 'hash', k.hash, 'start', k.start,
    'dailyCredits', k.daily_credits, 'lastUsedAtMs', k.last_used_at_ms, 'createdBy', k.created_by,
    'createdAtMs', k.created_at_ms)
$$;

-- Requests per account, bucket and minute. The single row of a bucket moves to the next window in place, so that no
-- old windows accumulate. Unlogged, so that requests do not wait for the disk; a crash only resets the limits.
create unlogged table winnow.request_count (
  account_id text collate "C" not null,
  bucket text collate "C" not null,
  window_start_ms bigint not null,
  requests integer not null,
  primary key (account_id, bucket)
) with (fillfactor = 50);

-- Members and web sessions

-- A member without a subject is an invitation, which expires.
create table winnow.account_member (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  email text collate "C",
  issuer text collate "C",
  subject text collate "C",
  -- The member who sent the invitation; null if it was not a member.
  invited_by text collate "C",
  created_at_ms bigint not null,
  -- When the invitation expires; null for a member.
  expires_at_ms bigint,
  check ((issuer is null) = (subject is null)),
  check ((subject is null) = (expires_at_ms is not null)),
  check (email is not null or subject is not null)
);
create index account_member_account on winnow.account_member (account_id, created_at_ms, id);
create unique index account_member_identity on winnow.account_member (issuer, subject);
-- Several accounts may invite the same address.
create unique index account_member_invited on winnow.account_member (account_id, email) where subject is null;
create index account_member_invitation on winnow.account_member (email) where subject is null;

create function winnow.account_member_json(m winnow.account_member) returns json language sql stable as $$
  select json_build_object(
    'id', m.id, 'accountId', m.account_id, 'email', m.email, 'issuer', m.issuer, 'subject', m.subject,
    'createdAtMs', m.created_at_ms, 'invitedBy', m.invited_by, 'expiresAtMs', m.expires_at_ms)
$$;

-- Links that sign in once. Used links and revoked sessions are deleted.
create table winnow.sign_in_link (
  -- SHA-256 of the token, which is not stored.
  hash text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  created_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index sign_in_link_account on winnow.sign_in_link (account_id);

create table winnow.web_session (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  -- SHA-256 of the token, which is not stored.
  hash text collate "C" not null unique,
  user_agent text,
  -- Null for a session opened by a link.
  member_id text collate "C" references winnow.account_member (id) on delete cascade,
  issuer text collate "C",
  subject text collate "C",
  created_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index web_session_account on winnow.web_session (account_id);
create index web_session_member on winnow.web_session (member_id) where member_id is not null;

create function winnow.web_session_json(s winnow.web_session) returns json language sql stable as $$
  select json_build_object(
    'id', s.id, 'accountId', s.account_id, 'hash', s.hash, 'userAgent', s.user_agent,
    'member', case when s.member_id is null then null else
      json_build_object('id', s.member_id, 'issuer', s.issuer, 'subject', s.subject) end,
    'createdAtMs', s.created_at_ms, 'expiresAtMs', s.expires_at_ms)
$$;

-- Saved schemas

create table winnow.saved_schema (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  name text collate "C" not null,
  schema json not null,
  -- A JSON string, because text cannot contain NUL.
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

-- Ids of saved schemas and webhook endpoints that were removed. Ids are derived from idempotency keys, so that a late
-- repeat of the request that made one does not make it again.
create table winnow.removed_id (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id)
);

-- Without an account "no_account", "removed" for the id of a removed schema, "full" if there are `p_max` schemas. If the
-- id exists, returns that schema unchanged, so that a repeated request saves once. The account's lock makes the version
-- and the limit exact.
create function winnow.save_schema(
  p_account text, p_id text, p_name text, p_schema json, p_prompt json, p_created_at_ms bigint, p_max integer
) returns json language plpgsql as $$
declare
  saved winnow.saved_schema;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  if not found then return '"no_account"'::json; end if;
  select * into saved from winnow.saved_schema s where s.id = p_id and s.account_id = p_account;
  if found then return winnow.saved_schema_json(saved); end if;
  if exists (select from winnow.removed_id r where r.id = p_id) then return '"removed"'::json; end if;
  if (select count(*) from winnow.saved_schema s where s.account_id = p_account) >= p_max then
    return '"full"'::json;
  end if;
  insert into winnow.saved_schema (id, account_id, name, schema, prompt, version, created_at_ms)
    select p_id, p_account, p_name, p_schema, p_prompt, coalesce(max(s.version), 0) + 1, p_created_at_ms
    from winnow.saved_schema s where s.account_id = p_account and s.name = p_name
    returning * into saved;
  return winnow.saved_schema_json(saved);
end $$;
