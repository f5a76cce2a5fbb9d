-- Webhook endpoints, deliveries and their attempts. Tests: PgWebhooks.test.ts.

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
  -- Of the last attempt: lists read no attempts.
  last_status integer,
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
    'attemptCount', d.attempt_count, 'lastStatus', d.last_status, 'attemptsLeft', d.attempts_left,
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
        status = made.status, attempt_count = d.attempt_count + 1, last_status = made.answer,
        attempts_left = made.attempts_left, next_attempt_at_ms = made.next_attempt_at_ms, claim = d.claim + 1,
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
