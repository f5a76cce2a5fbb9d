-- Invitations: several accounts may invite one address, and an invitation expires. Who made an API key, a webhook
-- endpoint or an invitation, so that it can be revoked when that member is removed. Expands only.

alter table winnow.account_member
  add column expires_at_ms bigint,
  add column invited_by text collate "C";

-- Two weeks, as for new ones, for those who were added before invitations expired.
update winnow.account_member
  set expires_at_ms = (extract(epoch from now()) * 1000)::bigint + 1209600000
  where subject is null;

drop index winnow.account_member_waiting;
create unique index account_member_invited on winnow.account_member (account_id, email) where subject is null;
create index account_member_invitation on winnow.account_member (email) where subject is null;

-- The version before this one adds members without an expiry.
create or replace function winnow.account_member_json(m winnow.account_member) returns json language sql stable as $$
  select json_build_object(
    'id', m.id, 'accountId', m.account_id, 'email', m.email, 'issuer', m.issuer, 'subject', m.subject,
    'createdAtMs', m.created_at_ms, 'invitedBy', m.invited_by,
    'expiresAtMs', case when m.subject is null then coalesce(m.expires_at_ms, m.created_at_ms + 1209600000) end)
$$;

create function winnow.is_invitation(m winnow.account_member, p_now_ms bigint) returns boolean
  language sql immutable as $$
  select m.subject is null and coalesce(m.expires_at_ms, m.created_at_ms + 1209600000) > p_now_ms
$$;

alter table winnow.api_key add column created_by text collate "C";

create or replace function winnow.api_key_json(k winnow.api_key) returns json language sql stable as $$
  select json_build_object(
    'id', k.id, 'accountId', k.account_id, 'name', k.name, 'hash', k.hash, 'start', k.start,
    'dailyCredits', k.daily_credits, 'lastUsedAtMs', k.last_used_at_ms, 'createdBy', k.created_by,
    'createdAtMs', k.created_at_ms)
$$;

alter table winnow.webhook_endpoint add column created_by text collate "C";

create or replace function winnow.webhook_endpoint_json(w winnow.webhook_endpoint)
returns json language sql stable as $$
  select case when w.id is not null then json_build_object(
    'id', w.id, 'accountId', w.account_id, 'url', w.url, 'secret', w.secret,
    'previousSecret', case when w.previous_secret is not null then
      json_build_object('secret', w.previous_secret, 'expiresAtMs', w.previous_expires_at_ms) end,
    'createdAtMs', w.created_at_ms, 'createdBy', w.created_by, 'failingSinceMs', w.failing_since_ms,
    'disabledAtMs', w.disabled_at_ms)
  end
$$;
