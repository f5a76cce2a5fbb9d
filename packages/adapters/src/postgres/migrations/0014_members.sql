-- The people of an account, who sign in by a way that tells who they are, and whose sessions are theirs.
-- Expands only.

create table winnow.account_member (
  id text collate "C" primary key,
  account_id text collate "C" not null references winnow.account (id),
  email text collate "C",
  issuer text collate "C",
  subject text collate "C",
  created_at_ms bigint not null,
  check ((issuer is null) = (subject is null)),
  check (email is not null or subject is not null)
);
create index account_member_account on winnow.account_member (account_id, created_at_ms, id);
create unique index account_member_identity on winnow.account_member (issuer, subject);
-- An address waits in one account; once its owner has come it may wait anywhere again.
create unique index account_member_waiting on winnow.account_member (email) where subject is null;

create function winnow.account_member_json(m winnow.account_member) returns json language sql stable as $$
  select json_build_object(
    'id', m.id, 'accountId', m.account_id, 'email', m.email, 'issuer', m.issuer, 'subject', m.subject,
    'createdAtMs', m.created_at_ms)
$$;

alter table winnow.web_session
  add column member_id text collate "C" references winnow.account_member (id) on delete cascade,
  add column issuer text collate "C",
  add column subject text collate "C";
create index web_session_member on winnow.web_session (member_id) where member_id is not null;

create or replace function winnow.web_session_json(s winnow.web_session) returns json language sql stable as $$
  select json_build_object(
    'id', s.id, 'accountId', s.account_id, 'hash', s.hash, 'userAgent', s.user_agent,
    'member', case when s.member_id is null then null else
      json_build_object('id', s.member_id, 'issuer', s.issuer, 'subject', s.subject) end,
    'createdAtMs', s.created_at_ms, 'expiresAtMs', s.expires_at_ms)
$$;
