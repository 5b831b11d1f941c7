-- A release of a payer whose role was taken away can never be paid: the vault refuses its transaction. If it is in no
-- block by then, it ends, and its payouts are queued again for the present payer.

grant create on schema lode to lode_payout;
set local role lode_payout;

-- It ended although its nonce is not spent. So this nonce does not count as mined, and its payer is never used again.
alter table lode.release add column given_up boolean not null default false,
  add check (not given_up or ended_at is not null);
create index release_given_up on lode.release (payer) where given_up;

reset role;
revoke create on schema lode from lode_payout;
