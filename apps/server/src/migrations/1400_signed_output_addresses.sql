-- A member's wallet signs every output address other than itself. The signer verifies the signature before it pays
-- there, so that a stolen connection of the api cannot send members' money to anybody else. An address that was
-- requested before this migration has no signature and is not bound any more: transfers go to the member's own wallet
-- until the member changes the address again.

grant create on schema lode to lode_protection;
set local role lode_protection;

alter table lode.output_address
  -- The text that the wallet signed. Null if the address is the member's own wallet.
  add column message text check (length(message) <= 2000),
  add column signature bytea check (octet_length(signature) between 1 and 8192),
  -- What the signer found. Null until it has looked.
  add column signature_valid boolean,
  add constraint signed_message check (num_nulls(message, signature) in (0, 2)),
  add constraint checked_only_if_signed check (signature_valid is null or signature is not null);

-- A signed message asks for an address once, so that a change that was canceled does not come back.
create unique index output_address_by_message on lode.output_address (member_id, md5(message)) where message is not null;

create index output_address_to_check on lode.output_address (member_id)
  where message is not null and signature_valid is null;

grant select on lode.output_address to lode_signer;

reset role;
revoke create on schema lode from lode_protection;
