-- What everybody may see of the pool, as facts that are kept rather than counted again.

-- The last posted block at which the vault was seen to hold what the books say.
alter table lode.chain_state add column checked_number bigint;
grant update (checked_number) on lode.chain_state to lode_worker;

-- Final burns, of which there are a few a day at the most: what was burned in all is their sum. The books have the same, but there it
-- would have to be picked out of all fees that were ever paid in BTN.
create table lode.chain_burn (
  tx bytea not null check (octet_length(tx) = 32),
  log_index int not null,
  amount numeric not null check (amount > 0),
  primary key (tx, log_index)
);

-- Those that were posted before there was this table.
insert into lode.chain_burn (tx, log_index, amount)
select decode(substr(split_part(made.key, ':', 3), 3), 'hex'), split_part(made.key, ':', 4)::int, -posting.amount
from lode.ledger_transaction made
join lode.posting on posting.transaction = made.id and posting.member = 0 and posting.account >> 8 = :kind.burn:due
where made.type = :type.burn;

grant select on lode.chain_burn to lode_api;
grant select, insert on lode.chain_burn to lode_worker;
