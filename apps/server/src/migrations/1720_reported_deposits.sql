-- Deposits that a member's browser says it has sent, so that the member's other devices can show them before the pool
-- sees them on the chain. It is only what a browser has said: nothing is credited because of it.
create table lode.reported_deposit (
  member_id bigint not null references lode.member,
  tx bytea not null check (octet_length(tx) = 32),
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  at timestamptz not null default lode.now(),
  primary key (member_id, tx)
);

grant select, delete, insert (member_id, tx, asset, amount) on lode.reported_deposit to lode_api;
