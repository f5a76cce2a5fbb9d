-- Ledger, payments and usage per day. Tests: PgStore.test.ts; of its checks: PgStoreFaults.test.ts.

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

-- Use per day (UTC), account, API key and schema of the library ('' for none). It outlives the extractions.
create table winnow.usage_day (
  account_id text collate "C" not null references winnow.account (id),
  day date not null,
  api_key_id text collate "C" not null,
  schema_id text collate "C" not null,
  runs bigint not null check (runs >= 0),
  debited bigint not null check (debited >= 0),
  refunded bigint not null check (refunded >= 0),
  -- The same credits by part of the price, each at its place in domain/money/PriceParts.
  debited_by_part bigint[] not null,
  refunded_by_part bigint[] not null,
  primary key (account_id, day, api_key_id, schema_id)
) with (fillfactor = 70);
