-- The operator's list of accounts, newest first. Expands only.

create index account_page on winnow.account (created_at_ms desc, id desc);
