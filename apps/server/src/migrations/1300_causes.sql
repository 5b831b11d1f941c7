-- Every ledger transaction has a cause: a chain log, or a row that says who gets what and why. docs/ledger.md lists the
-- causes by type. modules/ledger/functions/is_caused.sql checks each transaction when it commits, and `lode audit`
-- checks all of them again.

grant create on schema lode to lode_ledger, lode_orders, lode_payout;
grant select (chain_id) on lode.chain_state to lode_ledger;

set local role lode_ledger;

-- An account without its stripe, and by how much a transaction changes it.
create type lode.leg as (account bigint, amount numeric);

grant select on lode.ledger_asset, lode.ledger_kind, lode.suspense_holder to lode_payout;
grant select (member, key, type) on lode.ledger_transaction to lode_payout;
grant select (posted_at) on lode.ledger_transaction to lode_orders;

reset role;
set local role lode_payout;

-- A log of the vault pays one payout.
create unique index payout_by_log on lode.payout (paid_tx, paid_log_index) where paid_tx is not null;

reset role;
set local role lode_orders;

-- Claims of waiting Thanksgiving rewards. Each is the cause of the ledger transaction that pays it.
create table lode.reward_claim (
  member_id bigint not null references lode.member,
  operation uuid not null,
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  claimed_at timestamptz not null default lode.now(),
  primary key (member_id, operation)
);

insert into lode.reward_claim (member_id, operation, amount, claimed_at)
select claim.member, split_part(claim.key, ':', 2)::uuid, sum(posting.amount), min(claim.posted_at)
from lode.ledger_transaction claim
join lode.posting on posting.member = claim.member and posting.transaction = claim.id and posting.amount > 0
where claim.type = :type.agentReward
  and claim.key ~ '^claim:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
group by claim.member, claim.key;

select lode.keep_as_written('lode.reward_claim');

-- A payment of shared money is recorded with its member and its amount.
alter table lode.share_payment disable trigger refuse_change;
alter table lode.share_payment add column member_id bigint references lode.member, add column amount numeric check (amount > 0);
update lode.share_payment
set member_id = posting.member, amount = posting.amount
from lode.posting
where posting.transaction = share_payment.transaction and posting.member > 0;
alter table lode.share_payment
  alter column member_id set not null,
  alter column amount set not null,
  drop constraint share_payment_pkey,
  add primary key (member_id, transaction);
alter table lode.share_payment enable always trigger refuse_change;

grant select on lode.reward_claim, lode.share_payment to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_ledger, lode_orders, lode_payout;
