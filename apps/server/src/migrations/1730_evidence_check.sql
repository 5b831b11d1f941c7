-- What a Bitcoin node said of the output that a funding names. A pool without such a node has no rows here. `less`: the output is
-- worth less than the funding. `unanswered`: the node could not be asked. The value is in satoshis.
create table lode.evidence_check (
  tx bytea not null,
  log_index int not null,
  result text not null check (result in ('found', 'less', 'unconfirmed', 'missing', 'unanswered')),
  bitcoin_value numeric check (bitcoin_value >= 0 and bitcoin_value = trunc(bitcoin_value)),
  at timestamptz not null default lode.now(),
  primary key (tx, log_index),
  foreign key (tx, log_index) references lode.dividend_funding,
  check ((bitcoin_value is not null) = (result in ('found', 'less')))
);

grant select on lode.evidence_check to lode_api, lode_worker, lode_operator, lode_orders;
grant insert, update (result, bitcoin_value, at) on lode.evidence_check to lode_worker;
