-- How far the signer has looked up what brought money into the books or took it out, by account and its count of postings.
-- docs/money-out.md tells why. Whoever writes here decides what is believed, so nobody does but the signer, who is the one to believe.

create table lode.proof (
  account bigint primary key,
  version bigint not null check (version > 0)
) with (fillfactor = 60);

grant select on lode.proof to lode_api, lode_worker;
grant select, insert, update on lode.proof to lode_signer;
grant select on lode.pay_order, lode.order_seen to lode_signer;
