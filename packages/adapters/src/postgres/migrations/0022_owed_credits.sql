-- What an account owes after its payments were returned, the model's tokens of its refunded runs, and payments that
-- belong to one account only. Expands only.

alter table winnow.account
  add column owed_credits bigint not null default 0 check (owed_credits >= 0),
  add column refunded_model_use json;

create or replace function winnow.account_json(a winnow.account) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'balance', a.balance, 'owedCredits', a.owed_credits, 'slotsUsed', a.slots_used,
    'bonusGranted', a.bonus_granted, 'createdAtMs', a.created_at_ms,
    'plan', nullif(a.plan, 'default'), 'limits', a.limits, 'planBefore', a.plan_before,
    'refundedModelUse', a.refunded_model_use)
$$;

-- What of a payment was credited to a second account stays there and in its ledger; only the first knows the payment.
delete from winnow.payment later using winnow.payment earlier
  where later.id = earlier.id and later.account_id > earlier.account_id;
create unique index payment_id on winnow.payment (id);

-- Documents of the release before do not say whose they are.
update winnow.payment set document = jsonb_set(document::jsonb, '{accountId}', to_jsonb(account_id))::json;
