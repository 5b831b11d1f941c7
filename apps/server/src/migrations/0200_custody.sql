-- What the worker knows of the chain. docs/money-in.md draws it. The books themselves are the ledger's.

-- One row: the chain that this pool is on, and how far it is in the books.
create table lode.chain_state (
  one boolean primary key default true check (one),
  chain_id bigint not null,
  vault bytea not null check (octet_length(vault) = 20),
  genesis_hash bytea not null check (octet_length(genesis_hash) = 32),
  -- The last finalized block all of whose logs are posted. It is looked at again only where an operator sets it back.
  posted_number bigint not null check (posted_number >= 0),
  -- Null where an operator has set the number back: the worker asks the chain which block that is.
  posted_hash bytea check (octet_length(posted_hash) = 32),
  posted_time timestamptz not null,
  -- The last block that was ever posted: above the posted one while blocks are read again that it was set back over.
  booked_number bigint not null default 0,
  -- Why nothing is credited any more, until an operator has looked at it. The reason says it in words.
  stopped_reason text,
  stopped_at timestamptz,
  check ((stopped_reason is null) = (stopped_at is null))
);

-- The blocks after the posted one, as they were last seen, each the child of the one before it.
create table lode.chain_block (
  number bigint primary key,
  hash bytea not null unique check (octet_length(hash) = 32),
  time timestamptz not null
);

-- Deposits in those blocks. A block that is taken back takes them with it; one that is posted leaves them to the ledger.
create table lode.chain_incoming (
  block_number bigint not null references lode.chain_block on delete cascade,
  log_index int not null,
  tx bytea not null check (octet_length(tx) = 32),
  account bytea not null check (octet_length(account) = 20),
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  amount numeric not null check (amount > 0),
  seen_at timestamptz not null default lode.now(),
  primary key (block_number, log_index)
);

create index chain_incoming_by_account on lode.chain_incoming (account, asset, block_number, log_index);

-- Addresses that are the pool's own by what the vault said: whoever is or was its cold storage or its funder.
create table lode.pool_address (
  address bytea not null check (octet_length(address) = 20),
  role text not null check (role in ('cold', 'funder')),
  since_block bigint not null,
  primary key (address, role)
);

-- What was credited on the word of one node alone, by node and hour. Above a sum a second node is asked.
create table lode.chain_single_source (
  node text not null,
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  hour timestamptz not null,
  amount numeric not null check (amount > 0),
  primary key (node, asset, hour)
);

-- Final dividend funding, with the day that it is for and the Bitcoin output that it passes on.
create table lode.dividend_funding (
  tx bytea not null check (octet_length(tx) = 32),
  log_index int not null,
  block_number bigint not null,
  block_time timestamptz not null,
  day int not null,
  funder bytea not null check (octet_length(funder) = 20),
  amount numeric not null check (amount > 0),
  bitcoin_txid bytea not null check (octet_length(bitcoin_txid) = 32),
  bitcoin_output bigint not null,
  primary key (tx, log_index),
  unique (bitcoin_txid, bitcoin_output)
);

-- The last complete round of each price feed.
create table lode.price (
  asset text primary key check (asset in ('BTC', 'BTN')),
  price numeric not null check (price > 0),
  at timestamptz not null,
  source bytea not null check (octet_length(source) = 20)
);

-- The api reads what it shows; the worker alone writes, and neither can forget a stop once it is made: that is the
-- operator's, who connects as the owner.
grant select on lode.chain_state, lode.chain_incoming, lode.chain_block, lode.pool_address, lode.dividend_funding, lode.price
  to lode_api, lode_worker, lode_signer;
grant insert, update (posted_number, posted_hash, posted_time, booked_number) on lode.chain_state to lode_worker;
grant insert, delete on lode.chain_block, lode.chain_incoming to lode_worker;
grant insert on lode.pool_address, lode.dividend_funding to lode_worker;
grant select, insert, update (amount), delete on lode.chain_single_source to lode_worker;
grant insert, update on lode.price to lode_worker;
grant select (id, account) on lode.member to lode_worker;
