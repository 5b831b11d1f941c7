-- A signature that an account made with its own key. It proves that this account is no contract wallet. From then on
-- only its key counts, and no chain node is asked about its signatures: a node that lies could otherwise sign in as the
-- member. The proof is verified whenever it is used, so a row that somebody invents has no effect.

grant create on schema lode to lode_protection;
set local role lode_protection;

create table lode.key_proof (
  member_id bigint primary key references lode.member,
  message text not null check (length(message) <= 2000),
  signature bytea not null check (octet_length(signature) = 65)
);

grant select on lode.key_proof to lode_api, lode_signer;

reset role;
revoke create on schema lode from lode_protection;
