-- Two functions of 0006 anew: what an attempt says of its receiver waits for nobody, a redelivery counts for an
-- attempt that is on its way, and many redeliveries need not carry their bodies.

-- As in 0006, with three fields more in `p_attempts`: renewed_status, renewed_attempts_left and
-- renewed_next_attempt_at_ms are what follows when the delivery was made due again since it was claimed. Answers
-- of each attempt that counts whether it was.
drop function winnow.record_webhook_attempts(json, text);
create function winnow.record_webhook_attempts(p_attempts json, p_note text)
returns table (id text, claim integer, renewed boolean) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
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
  for made in select a.*, a.attempts_left + 1 <> (
      select d.attempts_left from winnow.webhook_delivery d where d.id = a.id) as renewed
    from json_to_recordset(p_attempts) as a (
      id text, claim integer, at_ms bigint, answer integer, error text, duration_ms bigint, snippet text,
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
  -- A receiver that is held goes without: the next attempt tells as well. Decisions lock receivers in an order of
  -- their own, so whoever waited here could make one of them fail.
  with told as (
    select d.receiver, bool_or(a.slow) as slow
    from json_to_recordset(p_attempts) as a (id text, slow boolean) join winnow.webhook_delivery d using (id)
    group by d.receiver
  ), free as materialized (
    select r.receiver, t.slow from winnow.webhook_receiver r join told t using (receiver)
    where r.slow <> t.slow for update of r skip locked
  )
  update winnow.webhook_receiver r set slow = free.slow from free where r.receiver = free.receiver;
end $$;

-- As in 0006, but answers the rows.
drop function winnow.redeliver_webhooks(text, text[], bigint, integer);
create function winnow.redeliver_webhooks(
  p_account text, p_ids text[], p_now_ms bigint, p_attempts_left integer
) returns setof winnow.webhook_delivery language plpgsql as $$
begin
  perform 1 from winnow.account a where a.id = p_account for no key update;
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
