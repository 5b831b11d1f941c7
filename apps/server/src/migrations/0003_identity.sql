create table lode.member (
  id bigint generated always as identity primary key,
  account bytea not null unique check (octet_length(account) = 20),
  invite_code text not null unique check (invite_code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  -- Whoever invited, for ever. A sponsor was there first, so no circle can be written.
  sponsor_id bigint references lode.member check (sponsor_id < id),
  level smallint not null default 0 check (level >= 0),
  lang text not null check (lang in ('en', 'zh_tw', 'zh_cn')),
  disabled_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz not null default lode.now()
);

-- The root alone has no sponsor.
create unique index member_one_root on lode.member ((true)) where sponsor_id is null;

-- A session is deleted when it is revoked. last_action_at, the one column that changes, is in no index and finds room on
-- its own page, so sliding a session touches no index.
create table lode.session (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  member_id bigint not null references lode.member,
  mode text not null check (mode in ('full', 'exit')),
  previous_login_at timestamptz,
  last_action_at timestamptz not null default lode.now(),
  created_at timestamptz not null default lode.now()
) with (fillfactor = 80);

create index session_by_member on lode.session (member_id);
create index session_by_creation on lode.session (created_at);

-- Only consumed nonces are stored: a nonce that was never signed costs nothing.
create table lode.consumed_nonce (
  nonce bytea primary key check (octet_length(nonce) = 16),
  expires_at timestamptz not null
);

create index consumed_nonce_by_expiry on lode.consumed_nonce (expires_at);

-- The code with which a new member chooses the first fund password. 80 random bits need no slow hash.
create table lode.setup_code (
  member_id bigint primary key references lode.member,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default lode.now()
);

-- The api registers members and signs them in. It can give nobody a level, a new address or another sponsor, and can
-- neither disable nor enable: that is the operator's, who connects as the owner.
grant select, insert (account, invite_code, sponsor_id, lang, last_login_at), update (lang, last_login_at)
  on lode.member to lode_api;
grant select, insert (id, token_hash, member_id, mode, previous_login_at), update (last_action_at), delete
  on lode.session to lode_api;
grant insert on lode.consumed_nonce to lode_api;
grant insert (member_id, code_hash) on lode.setup_code to lode_api;

-- The worker sweeps, and sees no more of a session than how old it is.
grant select (id, created_at), delete on lode.session to lode_worker;
grant select, delete on lode.consumed_nonce to lode_worker;
