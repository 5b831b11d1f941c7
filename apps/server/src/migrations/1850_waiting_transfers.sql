-- For the operators' list of transfers that are not signed yet, and for its counts: in the order of the requests.
grant create on schema lode to lode_payout;
set local role lode_payout;
create index payout_unsigned on lode.payout (number)
  where kind = 'transfer' and ended is null and release_number is null;
create index payout_unsigned_by_plan on lode.payout (plan_version)
  where kind = 'transfer' and ended is null and release_number is null;
reset role;
revoke create on schema lode from lode_payout;

-- Few members are disabled. Their transfers are under review.
create index member_disabled on lode.member (id) where disabled_at is not null;

-- The decisions about transfers that still count.
create index decision_about_transfers on lode.decision (expires_at) where verb in ('approve', 'reject');
