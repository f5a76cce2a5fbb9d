-- Receivers that accounts registered, the deliveries to them, and what came of each attempt.
--
-- Locks are taken in one order: account, endpoint, delivery (by id), receiver; claims wait for none. What receivers answered is json for the reason
-- told in 0001. Bodies are text: they are sent as they are, and JSON text holds no NUL itself.

create table winnow.webhook_endpoint (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  -- Order of registration; drawn under the account's lock, because clocks tie.
  position bigint generated always as identity,
  url text collate "C" not null,
  secret text not null,
  previous_secret text,
  previous_expires_at_ms bigint,
  created_at_ms bigint not null,
  failing_since_ms bigint,
  disabled_at_ms bigint,
  check ((previous_secret is null) = (previous_expires_at_ms is null)),
  unique (account_id, url)
) with (fillfactor = 70);

-- Deliveries outlive their endpoint and their extraction, so there is no reference to either.
create table winnow.webhook_delivery (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  event text not null,
  extraction_id text collate "C",
  endpoint_id text collate "C",
  url text not null,
  -- What attempts are bounded by one at a time (domain/WebhookDelivery's receiverOf).
  receiver text collate "C" not null,
  body text,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempt_count integer not null check (attempt_count >= 0),
  attempts_left integer not null check (attempts_left >= 0),
  next_attempt_at_ms bigint,
  failure_note text,
  created_at_ms bigint not null,
  -- Fencing token; moves on with every claim and every attempt that is recorded.
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

-- The line of receivers that something waits for, so that a claim looks at those whose turn it is and at no
-- others. One goes when a claim finds nothing pending for it.
create table winnow.webhook_receiver (
  receiver text collate "C" primary key,
  account_id text collate "C" not null,
  -- Never later than its first pending delivery is due; at the end of the line once it was served.
  turn_at_ms bigint not null,
  -- Its last attempt took long: it stands in a line of its own.
  slow boolean not null default false
) with (fillfactor = 70);
create index webhook_receiver_turn on winnow.webhook_receiver (slow, turn_at_ms);

create function winnow.line_up_webhook_receiver() returns trigger language plpgsql as $$
begin
  -- Its lock is held to the end even where nothing changes: no claim may let the receiver go meanwhile.
  insert into winnow.webhook_receiver as r (receiver, account_id, turn_at_ms)
    values (new.receiver, new.account_id, new.due_at_ms)
    on conflict (receiver) do update set turn_at_ms = excluded.turn_at_ms
      where r.turn_at_ms > excluded.turn_at_ms;
  return null;
end $$;

create trigger webhook_delivery_made after insert on winnow.webhook_delivery
  for each row when (new.status = 'pending') execute function winnow.line_up_webhook_receiver();
create trigger webhook_delivery_sooner after update of status, due_at_ms on winnow.webhook_delivery
  for each row when (new.status = 'pending' and (old.status <> 'pending' or new.due_at_ms < old.due_at_ms))
  execute function winnow.line_up_webhook_receiver();

create table winnow.webhook_attempt (
  delivery_id text collate "C" not null references winnow.webhook_delivery (id) on delete cascade,
  number integer not null,
  at_ms bigint not null,
  status integer,
  error json,
  duration_ms bigint not null,
  response_snippet json,
  primary key (delivery_id, number)
);

create function winnow.webhook_endpoint_json(w winnow.webhook_endpoint) returns json language sql stable as $$
  select case when w.id is not null then json_build_object(
    'id', w.id, 'accountId', w.account_id, 'url', w.url, 'secret', w.secret,
    'previousSecret', case when w.previous_secret is not null then
      json_build_object('secret', w.previous_secret, 'expiresAtMs', w.previous_expires_at_ms) end,
    'createdAtMs', w.created_at_ms, 'failingSinceMs', w.failing_since_ms, 'disabledAtMs', w.disabled_at_ms)
  end
$$;

-- The body is handed in by those who want it: it may be long, and lists do without.
create function winnow.webhook_delivery_json(d winnow.webhook_delivery, p_body text)
returns json language sql stable as $$
  select json_build_object(
    'id', d.id, 'accountId', d.account_id, 'event', d.event, 'extractionId', d.extraction_id,
    'endpointId', d.endpoint_id, 'url', d.url, 'body', p_body, 'status', d.status,
    'attemptCount', d.attempt_count, 'attemptsLeft', d.attempts_left,
    'nextAttemptAtMs', d.next_attempt_at_ms, 'failureNote', d.failure_note, 'createdAtMs', d.created_at_ms)
$$;

create function winnow.webhook_attempts_json(p_delivery text) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object(
    'atMs', a.at_ms, 'status', a.status, 'error', a.error, 'durationMs', a.duration_ms,
    'responseSnippet', a.response_snippet) order by a.number), '[]'::json)
  from winnow.webhook_attempt a where a.delivery_id = p_delivery
$$;

-- Null when there is no such account, an empty object when it may have no more. Under the account's lock,
-- so that the limit holds when several are registered at once, and so that decisions see it or do not.
create function winnow.register_webhook_endpoint(
  p_account text, p_id text, p_url text, p_secret text, p_created_at_ms bigint, p_max integer
) returns json language plpgsql as $$
declare
  found_one winnow.webhook_endpoint;
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  select * into found_one from winnow.webhook_endpoint w where w.account_id = p_account and w.url = p_url;
  if not found then
    if (select count(*) from winnow.webhook_endpoint w where w.account_id = p_account) >= p_max then
      return '{}'::json;
    end if;
    insert into winnow.webhook_endpoint (id, account_id, url, secret, created_at_ms)
      values (p_id, p_account, p_url, p_secret, p_created_at_ms) returning * into found_one;
  end if;
  return winnow.webhook_endpoint_json(found_one);
end $$;

-- What is pending for the receiver fails.
create function winnow.call_off_webhooks(p_receiver text, p_note text) returns void language sql as $$
  with pending as (
    select d.id from winnow.webhook_delivery d where d.receiver = p_receiver and d.status = 'pending'
    order by d.id for update)
  update winnow.webhook_delivery d set status = 'failed', next_attempt_at_ms = null, failure_note = p_note
  from pending where d.id = pending.id
$$;

-- Under the account's lock: no decision writes a delivery to an endpoint that goes meanwhile.
create function winnow.remove_webhook_endpoint(p_account text, p_id text, p_note text)
returns boolean language plpgsql as $$
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  delete from winnow.webhook_endpoint w where w.id = p_id and w.account_id = p_account;
  if not found then return false; end if;
  perform winnow.call_off_webhooks(p_id, p_note);
  return true;
end $$;

-- Takes due deliveries for one claimer: never two at once for the same, at most p_receiver_max to a receiver
-- and p_account_max of an account, those counted that are in flight already. Receivers are served in the
-- order of their line and go to its end, accounts are dealt in turn. Costs what is taken, however many wait:
-- who is full is passed over, and so is a receiver's backlog. The settings make the plan the same on a table
-- that nobody has analyzed.
create function winnow.claim_webhook_deliveries(
  p_slow boolean, p_now_ms bigint, p_lease_ms bigint, p_limit integer,
  p_busy_receivers text[], p_receiver_max integer, p_busy_accounts text[], p_account_max integer
) returns setof json language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  wanted integer := p_limit;
  looked_at text[];
  full_receivers text[];
  full_accounts text[];
  taken text[];
  taken_receivers text[];
  taken_accounts text[];
begin
  -- As many rounds as a line may need whose receivers are all gone or full; what is left is for the next claim.
  for round in 1 .. 16 loop
    full_receivers := array(select b from unnest(p_busy_receivers) b group by b having count(*) >= p_receiver_max);
    full_accounts := array(select b from unnest(p_busy_accounts) b group by b having count(*) >= p_account_max);
    looked_at := array(
      select r.receiver from winnow.webhook_receiver r
      where r.slow = p_slow and r.turn_at_ms <= p_now_ms
        and r.receiver <> all (full_receivers) and r.account_id <> all (full_accounts)
      order by r.turn_at_ms limit 2 * wanted for update skip locked);
    exit when cardinality(looked_at) = 0;

    with busy_receivers as (
      select b.receiver, count(*)::integer as attempts from unnest(p_busy_receivers) b (receiver) group by 1
    ), busy_accounts as (
      select b.account_id, count(*)::integer as attempts from unnest(p_busy_accounts) b (account_id) group by 1
    ), of_receivers as (
      select next.id, next.account_id, l.receiver, next.due_at_ms, l.place,
        row_number() over (partition by l.receiver order by next.due_at_ms, next.id) as turn
      from unnest(looked_at) with ordinality l (receiver, place)
        left join busy_receivers b using (receiver) cross join lateral (
        select d.id, d.account_id, d.due_at_ms from winnow.webhook_delivery d
        where d.status = 'pending' and d.receiver = l.receiver and d.due_at_ms <= p_now_ms
        order by d.receiver, d.due_at_ms, d.id
        limit least(wanted, p_receiver_max - coalesce(b.attempts, 0)) for update of d skip locked) next
    ), of_accounts as (
      select o.id, o.receiver, o.account_id, o.place, o.turn as receiver_turn, coalesce(b.attempts, 0)
        + row_number() over (partition by o.account_id order by o.turn, o.place, o.due_at_ms, o.id) as turn
      from of_receivers o left join busy_accounts b using (account_id)
    ), chosen as (
      select o.id, o.receiver, o.account_id from of_accounts o where o.turn <= p_account_max
      order by o.turn, o.receiver_turn, o.place limit wanted
    )
    select array_agg(c.id), array_agg(c.receiver), array_agg(c.account_id)
      into taken, taken_receivers, taken_accounts from chosen c;
    taken := coalesce(taken, '{}');
    update winnow.webhook_delivery d set claim = d.claim + 1, due_at_ms = p_now_ms + p_lease_ms
      where d.id = any (taken);

    -- Those that were served go to the end of the line while something is due, and otherwise where the next is.
    -- Those that were not, because others of their account were, keep their place.
    with seen as (
      select l.receiver, (select d.due_at_ms from winnow.webhook_delivery d
        where d.status = 'pending' and d.receiver = l.receiver
        order by d.receiver, d.due_at_ms, d.id limit 1) as due_at_ms
      from unnest(looked_at) l (receiver)
    ), gone as (
      delete from winnow.webhook_receiver r using seen s
      where r.receiver = s.receiver and s.due_at_ms is null
    )
    update winnow.webhook_receiver r set turn_at_ms = greatest(s.due_at_ms, p_now_ms) from seen s
    where r.receiver = s.receiver and (s.due_at_ms > p_now_ms or s.receiver = any (taken_receivers));

    return query
    select json_build_object(
      'delivery', winnow.webhook_delivery_json(d, d.body),
      'claim', d.claim,
      'signer', case when d.endpoint_id is null
        then (select winnow.webhook_endpoint_json(w) from winnow.webhook_endpoint w
          where w.account_id = d.account_id order by w.position limit 1)
        else (select winnow.webhook_endpoint_json(w) from winnow.webhook_endpoint w
          where w.id = d.endpoint_id) end)
    from unnest(taken) with ordinality t (id, place) join winnow.webhook_delivery d using (id)
    order by t.place;
    exit when cardinality(looked_at) < 2 * wanted;
    wanted := wanted - cardinality(taken);
    exit when wanted = 0;
    p_busy_receivers := p_busy_receivers || taken_receivers;
    p_busy_accounts := p_busy_accounts || taken_accounts;
  end loop;
end $$;

-- Records attempts, several in one transaction, and answers 'id claim' of those that count: the others are no
-- longer pending under their claim. Fields of an attempt: id, claim, at_ms, answer, error, duration_ms,
-- snippet (both JSON as text), slow, status, attempts_left, next_attempt_at_ms, now_ms, give_up_before_ms.
-- What follows for the delivery was decided by the domain; what follows for the endpoint is here, because
-- several attempts at it may end at once.
create function winnow.record_webhook_attempts(p_attempts json, p_note text)
returns setof text language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  ids text[] := array(select a.value ->> 'id' from json_array_elements(p_attempts) a);
  made record;
  recorded winnow.webhook_delivery;
begin
  -- In the order of locks. A working endpoint that was reached has nothing to write.
  perform 1 from winnow.webhook_endpoint w where w.id in (
      select d.endpoint_id from json_to_recordset(p_attempts) as a (id text, status text)
        join winnow.webhook_delivery d using (id) join winnow.webhook_endpoint o on o.id = d.endpoint_id
      where a.status <> 'delivered' or o.failing_since_ms is not null)
    order by w.id for no key update;
  perform 1 from winnow.webhook_delivery d where d.id = any (ids) order by d.id for update;
  for made in select * from json_to_recordset(p_attempts) as a (
    id text, claim integer, at_ms bigint, answer integer, error text, duration_ms bigint, snippet text,
    slow boolean, status text, attempts_left integer, next_attempt_at_ms bigint, now_ms bigint,
    give_up_before_ms bigint) order by a.id
  loop
    update winnow.webhook_delivery d set
        status = made.status, attempt_count = d.attempt_count + 1, attempts_left = made.attempts_left,
        next_attempt_at_ms = made.next_attempt_at_ms, claim = d.claim + 1,
        due_at_ms = coalesce(made.next_attempt_at_ms, d.due_at_ms)
      where d.id = made.id and d.claim = made.claim and d.status = 'pending' returning * into recorded;
    continue when not found;
    return next made.id || ' ' || made.claim;
    insert into winnow.webhook_attempt (delivery_id, number, at_ms, status, error, duration_ms, response_snippet)
      values (made.id, recorded.attempt_count, made.at_ms, made.answer, made.error::json, made.duration_ms,
        made.snippet::json);
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
  -- Last, because receivers come last in the order of locks.
  for made in select d.receiver, bool_or(a.slow) as slow
    from json_to_recordset(p_attempts) as a (id text, slow boolean) join winnow.webhook_delivery d using (id)
    group by d.receiver order by d.receiver
  loop
    update winnow.webhook_receiver r set slow = made.slow where r.receiver = made.receiver and r.slow <> made.slow;
  end loop;
end $$;

-- Makes deliveries due again and answers them; those on their way right now are due when their claim ends.
-- The endpoint's lock comes first, so that none is made due for an endpoint that is given up meanwhile; the
-- account's before it, so that those who write to several receivers wait for each other.
create function winnow.redeliver_webhooks(
  p_account text, p_ids text[], p_now_ms bigint, p_attempts_left integer
) returns setof json language plpgsql as $$
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
  perform 1 from winnow.webhook_endpoint w where w.account_id = p_account order by w.id for no key update;
  perform 1 from winnow.webhook_delivery d where d.account_id = p_account and d.id = any (p_ids)
    order by d.id for update;
  return query
  with again as (
    update winnow.webhook_delivery d set
      status = 'pending', attempts_left = p_attempts_left, next_attempt_at_ms = p_now_ms, failure_note = null,
      due_at_ms = case when d.status = 'pending' and d.due_at_ms <> d.next_attempt_at_ms
        then d.due_at_ms else p_now_ms end
    where d.account_id = p_account and d.id = any (p_ids) and d.body is not null
      and (d.endpoint_id is null or exists (select 1 from winnow.webhook_endpoint w
        where w.id = d.endpoint_id and w.disabled_at_ms is null))
    returning d as delivery)
  select winnow.webhook_delivery_json(a.delivery, (a.delivery).body) from again a;
end $$;

-- As in 0005, and with the endpoints that events go to.
create or replace function winnow.lock_view(
  p_account text, p_extraction text, p_key text, p_waiting_max integer
) returns json language plpgsql as $$
declare
  locked winnow.account;
  known winnow.idempotency;
begin
  select * into locked from winnow.account a where a.id = p_account for no key update;
  if not found then return null; end if;
  if p_key is not null then
    select * into known from winnow.idempotency i where i.account_id = p_account and i.key = p_key;
  end if;
  return json_build_object(
    'account', winnow.account_json(locked),
    'waitingCount', locked.waiting_count,
    'waiting', (select coalesce(json_agg(winnow.extraction_json(w) order by w.position), '[]'::json) from (
      select * from winnow.extraction e where e.account_id = p_account and e.status = 'queued'
      order by e.position limit p_waiting_max) w),
    'extraction', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = p_extraction and e.account_id = p_account),
    'idempotency', case when known.key is not null then winnow.idempotency_json(known) end,
    'replayed', (select winnow.extraction_json(e) from winnow.extraction e
      where e.id = known.extraction_id and e.account_id = p_account),
    'webhookEndpoints', (select coalesce(json_agg(json_build_object('id', w.id, 'url', w.url)
      order by w.position), '[]'::json) from winnow.webhook_endpoint w
      where w.account_id = p_account and w.disabled_at_ms is null));
end $$;

-- As in 0004, and its events: bodies and what receivers answered go, and nothing more is sent of it.
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
