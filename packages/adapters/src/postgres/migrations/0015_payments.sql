-- What is known of each payment (domain/Payment): bought, refunded, disputed. Expands only.

create table winnow.payment (
  account_id text collate "C" not null references winnow.account (id),
  id text collate "C" not null,
  document json not null,
  primary key (account_id, id)
);
