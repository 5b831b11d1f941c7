-- A member's transfer out: asked for, cancelled, rejected, reverted, and the quota that it takes. docs/money-out.md draws it.
--
-- Whoever calls says how much of what. To which address, at which level, from which browser and when is not the caller's to
-- say: the functions read it from the member's own rows and stamp it. So a stolen process can ask for a member's money to be sent
-- to where that member wanted it, and nowhere else.

grant create on schema lode to lode_payout;
grant select (id, member_id, device_hash, created_at) on lode.session to lode_payout;
-- The signer checks for itself to whom it pays, and what holds it; the worker looks before it rejects. Neither sees a hash.
grant select (id, account, level, disabled_at) on lode.member to lode_signer;

set local role lode_protection;
grant select on lode.device to lode_payout;
grant select (member_id, changed_at, reset_ends_at, reset_done_at, transfers_locked_until) on lode.protection
  to lode_worker, lode_signer;
reset role;

set local role lode_payout;

-- What the operators said when they rejected it.
alter table lode.payout add column rejection_note text check (length(rejection_note) <= 500);

-- What was asked for, against what may be in any 24 hours: a line a request, at the time of the request. What is cancelled,
-- rejected or reverted never leaves, so its line counts no more from then on.
create table lode.quota_use (
  payout_id uuid primary key references lode.payout,
  member_id bigint not null references lode.member,
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  at timestamptz not null,
  amount numeric not null check (amount > 0),
  given_back_at timestamptz
);

create index quota_use_that_counts on lode.quota_use (member_id, asset, at) include (amount) where given_back_at is null;

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.quota_use to lode_api, lode_worker, lode_signer;

reset role;
revoke create on schema lode from lode_payout;
