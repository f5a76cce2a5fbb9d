-- The whole schema.
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
  limits json,
  -- Previous plans, whose prices still apply to recent quotes.
  plans_before json,
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
    'plan', nullif(a.plan, 'default'), 'limits', a.limits, 'plansBefore', a.plans_before,
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

-- Batches

create table winnow.batch (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  status text not null check (status in ('running', 'paused', 'complete', 'cancelled')),
  document json not null,
  created_at_ms bigint not null,
  completed_at_ms bigint
) with (fillfactor = 70); -- Every end of an item updates the row.
create index batch_page on winnow.batch (account_id, created_at_ms desc, id desc);
-- Cancels that were interrupted.
create index batch_cancelled on winnow.batch (id) where status = 'cancelled' and completed_at_ms is null;
-- Retention.
create index batch_over_of_account on winnow.batch (account_id, completed_at_ms) where completed_at_ms is not null;

-- There is no reference to the extraction, because the item outlives it.
create table winnow.batch_item (
  batch_id text collate "C" not null references winnow.batch (id) on delete cascade,
  index integer not null,
  extraction_id text collate "C",
  document json not null,
  primary key (batch_id, index)
);

-- Fields that the requests of several items of a batch have in common, so that a schema is stored once. There is no
-- reference to the batch, which may be deleted before its extractions.
create table winnow.shared_fields (
  batch_id text collate "C" not null,
  -- SHA-256 of the fields.
  hash text collate "C" not null,
  account_id text collate "C" not null references winnow.account (id),
  fields json not null,
  primary key (batch_id, hash)
);

-- Extractions

create table winnow.extraction (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  -- Order of submission within the account: clocks may give two submits the same time.
  position bigint generated always as identity,
  status text not null check (status in ('queued', 'pending', 'running', 'complete', 'failed')),
  -- There is no reference to the batch, which may be deleted first.
  batch_id text collate "C",
  -- The turn among the account's waiting extractions: items of batches come after all others. Null for items of a
  -- batch that is paused or cancelled, which do not start.
  turn smallint default 0,
  -- Without the fields that it shares.
  request json not null,
  -- Hash of its shared fields; null if it has all of its own.
  shared text collate "C",
  made_by text not null,
  api_key_id text collate "C",
  api_key_name text,
  cache_key text collate "C" not null,
  priced_facts json not null,
  inspected json,
  credits_debited bigint not null check (credits_debited >= 0),
  credits_refunded bigint not null check (credits_refunded between 0 and credits_debited),
  -- The rates that the run was debited at.
  rates json not null,
  -- The extraction whose result is reused.
  cached_from text,
  -- When that result was created; null unless a result is reused.
  made_at_ms bigint,
  -- Number of starts. Also the fencing token: a late attempt cannot settle.
  attempt integer not null check (attempt >= 0),
  -- Attempts that ended through no fault of the run, such as a stopped worker.
  excused_attempts integer not null default 0 check (excused_attempts >= 0),
  result json,
  failure json,
  -- Title or URL, for the ledger.
  name text collate "C",
  -- For the filters of the list. `search_text` contains title and URL, normalised for search.
  kind text collate "C",
  outcome text collate "C",
  schema_id text collate "C",
  search_text text collate "C" not null,
  created_at_ms bigint not null,
  started_at_ms bigint,
  completed_at_ms bigint,
  -- When the status last changed.
  moved_at_ms bigint not null
) with (fillfactor = 85);

-- Pages of the list, without a filter and by each filter.
create index extraction_page on winnow.extraction (account_id, created_at_ms desc, id desc);
create index extraction_page_of_status
  on winnow.extraction (account_id, status, created_at_ms desc, id desc);
create index extraction_page_of_outcome
  on winnow.extraction (account_id, outcome, created_at_ms desc, id desc) where outcome is not null;
create index extraction_page_of_kind
  on winnow.extraction (account_id, kind, created_at_ms desc, id desc) where kind is not null;
create index extraction_page_of_schema_id
  on winnow.extraction (account_id, schema_id, created_at_ms desc, id desc) where schema_id is not null;
create index extraction_page_of_batch_id
  on winnow.extraction (account_id, batch_id, created_at_ms desc, id desc) where batch_id is not null;
create index extraction_page_of_api_key_id
  on winnow.extraction (account_id, api_key_id, created_at_ms desc, id desc) where api_key_id is not null;
create index extraction_waiting on winnow.extraction (account_id, turn, position)
  where status = 'queued' and turn is not null;
create index extraction_live on winnow.extraction (created_at_ms) where status in ('pending', 'running');
-- What no worker took.
create index extraction_untaken on winnow.extraction (created_at_ms) where status in ('queued', 'pending');
-- Reuse of results: those of own runs, and those that were reused themselves.
create index extraction_reusable on winnow.extraction (account_id, cache_key, completed_at_ms desc)
  where status = 'complete' and cached_from is null;
create index extraction_reused on winnow.extraction (account_id, cache_key, made_at_ms desc)
  where status = 'complete' and made_at_ms is not null;
-- Which extractions serve the files of a deleted one.
create index extraction_cached_from on winnow.extraction (cached_from) where cached_from is not null;
-- Retention. By account, because accounts keep results for different times.
create index extraction_over_of_account on winnow.extraction (account_id, completed_at_ms, id)
  where status in ('complete', 'failed');

create function winnow.extraction_json(e winnow.extraction) returns json language sql stable as $$
  select json_build_object(
    'id', e.id, 'accountId', e.account_id, 'status', e.status, 'request', e.request,
    'shared', case when e.shared is not null then
      (select s.fields from winnow.shared_fields s where s.batch_id = e.batch_id and s.hash = e.shared) end,
    'requester', json_build_object(
      'madeBy', e.made_by, 'apiKeyId', e.api_key_id, 'apiKeyName', e.api_key_name),
    'batchId', e.batch_id, 'cacheKey', e.cache_key, 'pricedFacts', e.priced_facts, 'inspected', e.inspected,
    'creditsDebited', e.credits_debited, 'creditsRefunded', e.credits_refunded, 'rates', e.rates,
    'cachedFrom', e.cached_from, 'attempt', e.attempt, 'excusedAttempts', e.excused_attempts,
    'result', e.result, 'failure', e.failure,
    'createdAtMs', e.created_at_ms, 'startedAtMs', e.started_at_ms, 'completedAtMs', e.completed_at_ms)
$$;

-- A page of extractions, newest first. A function for its setting: the plan is always a scan of extraction_page, but
-- the planner does not know how small the limit is and would plan every call anew, which costs as much as the read.
create function winnow.list_extractions(p_account text, p_before_ms bigint, p_before_id text, p_limit integer)
returns setof json language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  if p_before_ms is null then
    return query select winnow.extraction_json(e) from winnow.extraction e
      where e.account_id = p_account
      order by e.created_at_ms desc, e.id desc limit p_limit;
  else
    return query select winnow.extraction_json(e) from winnow.extraction e
      where e.account_id = p_account and (e.created_at_ms, e.id) < (p_before_ms, p_before_id)
      order by e.created_at_ms desc, e.id desc limit p_limit;
  end if;
end $$;

-- Maintains account.waiting_count. Counting up to a thousand rows under the account's lock would slow down the submits
-- of busy accounts. A trigger, so that no writer can forget it; all of them hold the account's lock already.
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
  for each row when (new.status = 'queued' and new.batch_id is null) execute function winnow.count_waiting();
create trigger waiting_moved after update of status on winnow.extraction
  for each row when ((old.status = 'queued') <> (new.status = 'queued') and new.batch_id is null)
  execute function winnow.count_waiting();
create trigger waiting_left after delete on winnow.extraction
  for each row when (old.status = 'queued' and old.batch_id is null) execute function winnow.count_waiting();

-- Shared fields go with the last item that has them: a schema or prompt does not outlive what it was submitted for.
create function winnow.drop_shared_fields() returns trigger language plpgsql as $$
begin
  delete from winnow.shared_fields s where s.batch_id = old.batch_id and s.hash = old.shared
    and not exists (select 1 from winnow.extraction e
      where e.account_id = old.account_id and e.batch_id = old.batch_id and e.shared = old.shared);
  return null;
end $$;
create trigger shared_fields_left after delete on winnow.extraction
  for each row when (old.shared is not null) execute function winnow.drop_shared_fields();

-- Values that people corrected, beside those of the result.
create table winnow.correction (
  extraction_id text collate "C" primary key references winnow.extraction (id) on delete cascade,
  corrections json not null,
  corrected_at_ms bigint not null
);

-- Idempotency keys

create table winnow.idempotency (
  account_id text collate "C" not null references winnow.account (id),
  key text collate "C" not null,
  body_digest text not null,
  -- Null for a batch or a top-up, and after the extraction was deleted.
  extraction_id text collate "C" references winnow.extraction (id),
  -- Only for a batch. Null after it was deleted.
  batch_id text collate "C" references winnow.batch (id) on delete set null,
  primary key (account_id, key)
);
create index idempotency_extraction on winnow.idempotency (extraction_id);
create index idempotency_batch on winnow.idempotency (batch_id) where batch_id is not null;

create function winnow.idempotency_json(i winnow.idempotency) returns json language sql stable as $$
  select json_build_object(
    'key', i.key, 'bodyDigest', i.body_digest, 'extractionId', i.extraction_id, 'batchId', i.batch_id)
$$;

-- As the domain's deletedKey. Keys are ASCII, so their bytes are the same in every encoding.
create function winnow.deleted_key(key text) returns text language sql immutable as $$
  select E'deleted\n' || encode(sha256(convert_to(key, 'UTF8')), 'hex')
$$;

-- The record of a key, even if its extraction was deleted.
create function winnow.find_idempotency(p_account text, p_key text) returns winnow.idempotency
language sql stable as $$
  select i from winnow.idempotency i
    where i.account_id = p_account and i.key in (p_key, winnow.deleted_key(p_key))
    order by i.key <> p_key limit 1
$$;

-- Keeps the hash of a key whose extraction is deleted, so that a late retry is not charged as a new run. A trigger, so
-- that no writer can forget it.
create function winnow.keep_deleted_key() returns trigger language plpgsql as $$
begin
  update winnow.idempotency set key = winnow.deleted_key(key), extraction_id = null where extraction_id = old.id;
  return old;
end $$;
create trigger extraction_key_stays before delete on winnow.extraction
  for each row execute function winnow.keep_deleted_key();

-- Ledger, payments and usage

-- Append-only. `credits` is the account's side of a transfer, signed; `kind` determines the other side. There is no
-- reference to the extraction, because rows outlive it.
create table winnow.ledger (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references winnow.account (id),
  kind text not null check (kind in ('debit', 'refund', 'top_up', 'bonus', 'adjustment')),
  credits bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  extraction_id text collate "C",
  -- For the debit of a batch.
  batch_id text collate "C",
  note text not null,
  created_at_ms bigint not null
);
create index ledger_page on winnow.ledger (account_id, id desc);
create unique index ledger_once_an_extraction on winnow.ledger (extraction_id, kind)
  where kind in ('debit', 'refund');
create unique index ledger_one_bonus on winnow.ledger (account_id) where kind = 'bonus';

create function winnow.refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_append_only before update or delete or truncate on winnow.ledger
  for each statement execute function winnow.refuse_ledger_change();

create function winnow.ledger_json(l winnow.ledger) returns json language sql stable as $$
  select json_build_object(
    'id', l.id::text, 'accountId', l.account_id, 'kind', l.kind, 'credits', l.credits,
    'balanceAfter', l.balance_after, 'extractionId', l.extraction_id, 'batchId', l.batch_id, 'note', l.note,
    'createdAtMs', l.created_at_ms)
$$;

-- A payment belongs to one account: that of its first notice.
create table winnow.payment (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  document json not null
);

-- Use per day (UTC), account and API key ('' for none). It outlives the extractions.
create table winnow.usage_day (
  account_id text collate "C" not null references winnow.account (id),
  day date not null,
  api_key_id text collate "C" not null,
  runs bigint not null check (runs >= 0),
  debited bigint not null check (debited >= 0),
  refunded bigint not null check (refunded >= 0),
  primary key (account_id, day, api_key_id)
) with (fillfactor = 70);

-- Webhooks

create table winnow.webhook_endpoint (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  -- Order of registration: clocks may give two endpoints the same time.
  position bigint generated always as identity,
  url text collate "C" not null,
  secret text not null,
  -- Signs too until it expires, after a rotation.
  previous_secret text,
  previous_expires_at_ms bigint,
  -- The member who registered it; null if it was not a member.
  created_by text collate "C",
  created_at_ms bigint not null,
  failing_since_ms bigint,
  disabled_at_ms bigint,
  check ((previous_secret is null) = (previous_expires_at_ms is null)),
  unique (account_id, url)
) with (fillfactor = 70);

create function winnow.webhook_endpoint_json(w winnow.webhook_endpoint)
returns json language sql stable as $$
  select case when w.id is not null then json_build_object(
    'id', w.id, 'accountId', w.account_id, 'url', w.url, 'secret', w.secret,
    'previousSecret', case when w.previous_secret is not null then
      json_build_object('secret', w.previous_secret, 'expiresAtMs', w.previous_expires_at_ms) end,
    'createdAtMs', w.created_at_ms, 'createdBy', w.created_by, 'failingSinceMs', w.failing_since_ms,
    'disabledAtMs', w.disabled_at_ms)
  end
$$;

-- There is no reference to the endpoint or the extraction, because deliveries outlive both.
create table winnow.webhook_delivery (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  event text not null,
  extraction_id text collate "C",
  -- Null for the webhookUrl of an extraction.
  endpoint_id text collate "C",
  url text not null,
  -- What concurrent attempts are limited by: the domain's receiverOf.
  receiver text collate "C" not null,
  -- Text, because it is sent and signed byte by byte; null after the extraction was deleted.
  body text,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempt_count integer not null check (attempt_count >= 0),
  attempts_left integer not null check (attempts_left >= 0),
  next_attempt_at_ms bigint,
  failure_note text,
  created_at_ms bigint not null,
  -- Fencing token: every claim and every recorded attempt increments it.
  claim integer not null default 0,
  -- When it may be claimed: at its next attempt, or when the lease of a claim ends.
  due_at_ms bigint not null,
  check ((status = 'pending') = (next_attempt_at_ms is not null))
) with (fillfactor = 85);

create index webhook_delivery_page on winnow.webhook_delivery (account_id, created_at_ms desc, id desc);
create index webhook_delivery_page_of_status
  on winnow.webhook_delivery (account_id, status, created_at_ms desc, id desc);
create index webhook_delivery_receiver
  on winnow.webhook_delivery (receiver, due_at_ms, id) where status = 'pending';
create index webhook_delivery_extraction on winnow.webhook_delivery (extraction_id);
create index webhook_delivery_old on winnow.webhook_delivery (created_at_ms);

-- The body is a parameter, because it may be long and lists omit it.
create function winnow.webhook_delivery_json(d winnow.webhook_delivery, p_body text)
returns json language sql stable as $$
  select json_build_object(
    'id', d.id, 'accountId', d.account_id, 'event', d.event, 'extractionId', d.extraction_id,
    'endpointId', d.endpoint_id, 'url', d.url, 'body', p_body, 'status', d.status,
    'attemptCount', d.attempt_count, 'attemptsLeft', d.attempts_left,
    'nextAttemptAtMs', d.next_attempt_at_ms, 'failureNote', d.failure_note, 'createdAtMs', d.created_at_ms)
$$;

create table winnow.webhook_attempt (
  delivery_id text collate "C" not null references winnow.webhook_delivery (id) on delete cascade,
  number integer not null,
  at_ms bigint not null,
  -- Sent headers that name and sign the delivery.
  request_headers json not null,
  -- HTTP status of the response; null if there was none.
  status integer,
  error json,
  duration_ms bigint not null,
  -- A JSON string, because responses may contain NUL.
  response_snippet json,
  primary key (delivery_id, number)
);

create function winnow.webhook_attempts_json(p_delivery text) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object(
    'atMs', a.at_ms, 'requestHeaders', a.request_headers, 'status', a.status, 'error', a.error, 'durationMs', a.duration_ms,
    'responseSnippet', a.response_snippet) order by a.number), '[]'::json)
  from winnow.webhook_attempt a where a.delivery_id = p_delivery
$$;

-- Without an account "no_account", "removed" for the id of a removed endpoint, "full" if there are `p_max` endpoints. An
-- endpoint with the same id or URL is returned unchanged. The account's lock makes the limit exact, and every decision
-- sees the endpoint or does not.
create function winnow.register_webhook_endpoint(
  p_account text, p_id text, p_url text, p_secret text, p_created_by text, p_created_at_ms bigint, p_max integer
) returns json language plpgsql as $$
declare
  found_one winnow.webhook_endpoint;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  if not found then return '"no_account"'::json; end if;
  if exists (select from winnow.removed_id r where r.id = p_id) then return '"removed"'::json; end if;
  select * into found_one from winnow.webhook_endpoint w
    where w.account_id = p_account and (w.id = p_id or w.url = p_url) order by w.id <> p_id limit 1;
  if not found then
    if (select count(*) from winnow.webhook_endpoint w where w.account_id = p_account) >= p_max then
      return '"full"'::json;
    end if;
    insert into winnow.webhook_endpoint (id, account_id, url, secret, created_by, created_at_ms)
      values (p_id, p_account, p_url, p_secret, p_created_by, p_created_at_ms) returning * into found_one;
  end if;
  return winnow.webhook_endpoint_json(found_one);
end $$;

-- The pending deliveries of the receiver fail.
create function winnow.call_off_webhooks(p_receiver text, p_note text) returns void language sql as $$
  with pending as (
    select d.id from winnow.webhook_delivery d where d.receiver = p_receiver and d.status = 'pending'
    order by d.id for update)
  update winnow.webhook_delivery d set status = 'failed', next_attempt_at_ms = null, failure_note = p_note
  from pending where d.id = pending.id
$$;

-- The account's lock ensures that no decision adds a delivery to the endpoint meanwhile.
create function winnow.remove_webhook_endpoint(p_account text, p_id text, p_note text)
returns boolean language plpgsql as $$
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  delete from winnow.webhook_endpoint w where w.id = p_id and w.account_id = p_account;
  if not found then return false; end if;
  insert into winnow.removed_id (id, account_id) values (p_id, p_account);
  perform winnow.call_off_webhooks(p_id, p_note);
  return true;
end $$;

-- Records several attempts in one transaction and returns those that count; the others are no longer pending under
-- their claim. The domain decided what follows for the delivery: `status`, `attempts_left` and `next_attempt_at_ms`,
-- or the same fields with `renewed_` if a redelivery was requested after the claim (`renewed` in the answer). What
-- follows for the endpoint is decided here, because several attempts at it may end at once. `error` and `snippet` are
-- JSON as text.
create function winnow.record_webhook_attempts(p_attempts json, p_note text)
returns table (id text, claim integer, renewed boolean) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
  ids text[] := array(select a.value ->> 'id' from json_array_elements(p_attempts) a);
  made record;
  recorded winnow.webhook_delivery;
begin
  -- An endpoint that works and was reached needs no change, so no lock.
  perform 1 from winnow.webhook_endpoint w where w.id in (
      select d.endpoint_id from json_to_recordset(p_attempts) as a (id text, status text)
        join winnow.webhook_delivery d using (id) join winnow.webhook_endpoint o on o.id = d.endpoint_id
      where a.status <> 'delivered' or o.failing_since_ms is not null)
    order by w.id for no key update;
  perform 1 from winnow.webhook_delivery d where d.id = any (ids) order by d.id for update;
  for made in select a.*, a.attempts_left + 1 <> (
      select d.attempts_left from winnow.webhook_delivery d where d.id = a.id) as renewed
    from json_to_recordset(p_attempts) as a (
      id text, claim integer, at_ms bigint, headers json, answer integer, error text, duration_ms bigint, snippet text,
      status text, attempts_left integer, next_attempt_at_ms bigint,
      renewed_status text, renewed_attempts_left integer, renewed_next_attempt_at_ms bigint,
      now_ms bigint, give_up_before_ms bigint) order by a.id
  loop
    if made.renewed then
      made.status := made.renewed_status;
      made.attempts_left := made.renewed_attempts_left;
      made.next_attempt_at_ms := made.renewed_next_attempt_at_ms;
    end if;
    update winnow.webhook_delivery d set
        status = made.status, attempt_count = d.attempt_count + 1, attempts_left = made.attempts_left,
        next_attempt_at_ms = made.next_attempt_at_ms, claim = d.claim + 1,
        due_at_ms = coalesce(made.next_attempt_at_ms, d.due_at_ms)
      where d.id = made.id and d.claim = made.claim and d.status = 'pending' returning * into recorded;
    continue when not found;
    return query select made.id, made.claim, made.renewed;
    insert into winnow.webhook_attempt (
        delivery_id, number, at_ms, request_headers, status, error, duration_ms, response_snippet)
      values (made.id, recorded.attempt_count, made.at_ms, made.headers, made.answer, made.error::json,
        made.duration_ms, made.snippet::json);
    continue when recorded.endpoint_id is null;
    if made.status = 'delivered' then
      update winnow.webhook_endpoint w set failing_since_ms = null
        where w.id = recorded.endpoint_id and w.failing_since_ms is not null;
    else
      update winnow.webhook_endpoint w set failing_since_ms = made.now_ms
        where w.id = recorded.endpoint_id and w.failing_since_ms is null;
      if made.status = 'failed' then
        update winnow.webhook_endpoint w set disabled_at_ms = made.now_ms
          where w.id = recorded.endpoint_id and w.disabled_at_ms is null
            and w.failing_since_ms <= made.give_up_before_ms;
        if found then perform winnow.call_off_webhooks(recorded.endpoint_id, p_note); end if;
      end if;
    end if;
  end loop;
end $$;

-- Makes deliveries due again and returns them; those in progress are due when their claim ends. The endpoints'
-- locks ensure that nothing becomes due for one that is being disabled.
create function winnow.redeliver_webhooks(
  p_account text, p_ids text[], p_now_ms bigint, p_attempts_left integer
) returns setof winnow.webhook_delivery language plpgsql as $$
begin
  perform 1 from winnow.webhook_endpoint w where w.account_id = p_account order by w.id for no key update;
  perform 1 from winnow.webhook_delivery d where d.account_id = p_account and d.id = any (p_ids)
    order by d.id for update;
  return query
  update winnow.webhook_delivery d set
      status = 'pending', attempts_left = p_attempts_left, next_attempt_at_ms = p_now_ms, failure_note = null,
      due_at_ms = case when d.status = 'pending' and d.due_at_ms <> d.next_attempt_at_ms
        then d.due_at_ms else p_now_ms end
    where d.account_id = p_account and d.id = any (p_ids) and d.body is not null
      and (d.endpoint_id is null or exists (select 1 from winnow.webhook_endpoint w
        where w.id = d.endpoint_id and w.disabled_at_ms is null))
    returning d.*;
end $$;

-- Decisions

-- Locks the account and reads what a decision may use; null if there is no such account. A function and not one query:
-- a query that waited for the lock would read the state from before the wait, whereas each statement in a function
-- reads the current state (under READ COMMITTED).
create function winnow.lock_view(
  p_account text, p_extraction text, p_key text, p_waiting_max integer, p_batch text, p_known text[]
) returns json language plpgsql as $$
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
    'batchItemsWaiting', case when p_known is null then 0 else
      (select count(*) from winnow.extraction e
        where e.account_id = p_account and e.status = 'queued' and e.batch_id is not null) end,
    'known', case when p_known is null then '[]'::json else
      (select coalesce(json_agg(json_build_object('id', e.id, 'status', e.status, 'cachedFrom', e.cached_from,
          'isItem', i.batch_id is not null)), '[]'::json)
        from winnow.extraction e
        left join winnow.batch_item i on i.batch_id = p_batch and i.extraction_id = e.id
        where e.id = any (p_known) and e.account_id = p_account) end,
    'idempotency', case when known.key is not null then winnow.idempotency_json(known) end,
    'replayed', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = known.extraction_id and e.account_id = p_account),
    'webhookEndpoints', (select coalesce(json_agg(json_build_object('id', w.id, 'url', w.url)
      order by w.position), '[]'::json) from winnow.webhook_endpoint w
      where w.account_id = p_account and w.disabled_at_ms is null));
end $$;

-- Stored files and deletion

-- One row an attempt, from its start until its files are removed. There is no reference to the extraction, because the
-- row outlives it.
create table winnow.attempt_files (
  extraction_id text collate "C" not null,
  attempt integer not null,
  -- `served` by its extraction and those that reuse the result; an `orphan` is served by none, and neither is an
  -- attempt that is `writing` although its run is over or in another attempt.
  state text not null check (state in ('writing', 'served', 'orphan')),
  -- When the attempt ended, or was found to be over.
  ended_at_ms bigint,
  -- When its files may be removed, unless they are served.
  due_at_ms bigint not null default 0,
  primary key (extraction_id, attempt)
) with (fillfactor = 85);
create index attempt_files_due on winnow.attempt_files (due_at_ms) where state <> 'served';

-- Triggers, so that no writer can forget the files: the start of an attempt registers it, its settlement makes its files
-- served, and the deletion of the last extraction that serves them makes them orphans.
create function winnow.register_files() returns trigger language plpgsql as $$
begin
  insert into winnow.attempt_files (extraction_id, attempt, state, ended_at_ms)
    values (new.id, new.attempt, case new.status when 'running' then 'writing' else 'served' end, new.completed_at_ms)
    on conflict (extraction_id, attempt) do update set state = excluded.state, ended_at_ms = excluded.ended_at_ms;
  return null;
end $$;
create trigger files_registered after update of status on winnow.extraction for each row
  when (new.status in ('running', 'complete') and (new.status <> old.status or new.attempt <> old.attempt))
  execute function winnow.register_files();

create function winnow.orphan_files() returns trigger language plpgsql as $$
begin
  update winnow.attempt_files f set
      state = 'orphan', due_at_ms = 0, ended_at_ms = coalesce(f.ended_at_ms, old.completed_at_ms)
    where f.extraction_id = coalesce(old.cached_from, old.id)
      and not exists (select from winnow.extraction e where e.id = f.extraction_id)
      and not exists (select from winnow.extraction e where e.cached_from = f.extraction_id);
  return null;
end $$;
create trigger files_left after delete on winnow.extraction for each row execute function winnow.orphan_files();

create function winnow.attempt_files_json(f winnow.attempt_files) returns json language sql stable as $$
  select json_build_object('extractionId', f.extraction_id, 'attempt', f.attempt, 'endedAtMs', f.ended_at_ms)
$$;

-- Deletes an extraction that is over; null if there is none. Its deliveries lose their bodies and the receivers'
-- responses, and pending ones fail. Returns the attempts whose files nobody serves any more.
create function winnow.delete_extraction(p_account text, p_extraction text)
returns json language plpgsql as $$
declare
  deleted winnow.extraction;
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
        then 'The extraction was deleted before the delivery succeeded.' else d.failure_note end,
      status = case when d.status = 'pending' then 'failed' else d.status end,
      next_attempt_at_ms = null
    where d.extraction_id = p_extraction;
  update winnow.webhook_attempt a set response_snippet = null from winnow.webhook_delivery d
    where d.extraction_id = p_extraction and a.delivery_id = d.id and a.response_snippet is not null;
  return (select coalesce(json_agg(winnow.attempt_files_json(f)), '[]'::json) from winnow.attempt_files f
    where f.extraction_id = coalesce(deleted.cached_from, deleted.id) and f.state = 'orphan');
end $$;

-- Days that an account's results are kept: its own setting, else its plan's, else the server's.
create function winnow.retention_days(a winnow.account, p_by_plan json, p_default integer)
returns integer language sql immutable as $$
  select coalesce((a.limits ->> 'retentionDays')::integer, (p_by_plan ->> a.plan)::integer, p_default)
$$;

-- Extractions that no worker took in time, the oldest first: as the domain's untakenBeforeMs. The bound of a day, the
-- shortest retention, lets the index find them.
create function winnow.untaken(p_now_ms bigint, p_by_plan json, p_default integer, p_limit integer)
returns setof winnow.extraction language sql stable as $$
  select e.* from winnow.extraction e join winnow.account a on a.id = e.account_id
  where e.status in ('queued', 'pending') and e.created_at_ms < p_now_ms - 86400000
    and e.created_at_ms < p_now_ms - 86400000 * least(winnow.retention_days(a, p_by_plan, p_default), 7)::bigint
  order by e.created_at_ms limit p_limit
$$;

-- Deletes extractions that were kept long enough, at most `p_limit` of at most `p_accounts` accounts after `p_after`
-- (by id). Accounts that are locked wait for the next round. Returns what was deleted, and `next` to continue from;
-- null after the last account. Otherwise as delete_extraction.
create function winnow.remove_expired(
  p_after text, p_now_ms bigint, p_by_plan json, p_default integer, p_accounts integer, p_limit integer
) returns json language plpgsql set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  looked text[] := array(select a.id from winnow.account a where a.id > p_after order by a.id limit p_accounts);
  done text := p_after;
  due record;
  found_ids text[];
  ids text[] := '{}';
  removed json;
begin
  for due in
    select a.id, p_now_ms - 86400000 * winnow.retention_days(a, p_by_plan, p_default)::bigint as before_ms
    from winnow.account a where a.id = any (looked) order by a.id
  loop
    exit when cardinality(ids) >= p_limit;
    if exists (select 1 from winnow.extraction e where e.account_id = due.id
        and e.status in ('complete', 'failed') and e.completed_at_ms < due.before_ms)
        or exists (select 1 from winnow.batch b where b.account_id = due.id and b.completed_at_ms < due.before_ms) then
      perform 1 from winnow.account a where a.id = due.id for no key update skip locked;
      if found then
        delete from winnow.batch b where b.account_id = due.id and b.completed_at_ms < due.before_ms;
        found_ids := array(select e.id from winnow.extraction e where e.account_id = due.id
          and e.status in ('complete', 'failed') and e.completed_at_ms < due.before_ms
          order by e.completed_at_ms, e.id limit p_limit - cardinality(ids));
        ids := ids || found_ids;
        -- The account may have more, for the next batch.
        exit when cardinality(ids) >= p_limit;
      end if;
    end if;
    done := due.id;
  end loop;

  if cardinality(ids) > 0 then
    perform 1 from winnow.webhook_endpoint w where w.id in (
        select d.endpoint_id from winnow.webhook_delivery d where d.extraction_id = any (ids))
      order by w.id for no key update;
    perform 1 from winnow.webhook_delivery d where d.extraction_id = any (ids) order by d.id for update;
    update winnow.webhook_attempt a set response_snippet = null from winnow.webhook_delivery d
      where d.extraction_id = any (ids) and a.delivery_id = d.id and a.response_snippet is not null;
    update winnow.webhook_delivery d set
        body = null,
        failure_note = case when d.status = 'pending'
          then 'The extraction was deleted before the delivery succeeded.' else d.failure_note end,
        status = case when d.status = 'pending' then 'failed' else d.status end,
        next_attempt_at_ms = null
      where d.extraction_id = any (ids);
    with gone as (delete from winnow.extraction e where e.id = any (ids) returning e.id, e.account_id)
    select json_agg(json_build_object('accountId', g.account_id, 'extractionId', g.id)) into removed from gone g;
  end if;
  return json_build_object('removed', coalesce(removed, '[]'::json), 'next', case
    when cardinality(ids) >= p_limit or cardinality(looked) = p_accounts then done end);
end $$;

-- Jobs

-- Numbers of claims. Of one sequence, so that a job that is enqueued anew never has a claim that an earlier worker holds.
create sequence winnow.job_claim;

-- Started runs that wait for a worker or have one. A row that ends is deleted.
create table winnow.job (
  extraction_id text collate "C" primary key,
  account_id text collate "C" not null,
  traceparent text collate "C",
  -- Jobs start in this order, then in that of their enqueueing.
  turn bigint not null,
  position bigint generated always as identity,
  -- A waiting job may start from then.
  due_at timestamptz not null default now(),
  -- The worker that has it; null while it waits.
  claim bigint,
  -- The worker is dead if it has not renewed its lease by then.
  lease_until timestamptz,
  -- Must be delivered again when its worker ends.
  enqueued_again boolean not null default false,
  check ((claim is null) = (lease_until is null))
  -- Renewals of leases then stay on their page and write no index entries: the table is 0.4 times as large. Autovacuum
  -- needs no settings: at its defaults it visits so small a table every minute.
) with (fillfactor = 70);

create index job_waiting on winnow.job (turn, position) where claim is null;
create index job_active on winnow.job (turn) where claim is not null;
create index job_of_account on winnow.job (account_id, turn);

-- Processes of one server

-- Secrets that all processes share, created by the first that needs one.
create table winnow.secret (
  name text collate "C" primary key,
  value text not null
);

-- Which processes listen to messages of the others, so that nothing is sent without listeners. Unlogged: listeners
-- register again within seconds.
create unlogged table winnow.listener (
  process text collate "C" not null,
  topic text collate "C" not null,
  until timestamptz not null,
  primary key (process, topic)
);
