-- An output address is bound only once the signer has verified the wallet's signature. If its 48 hours are over before
-- that, it goes on waiting, and can still be canceled.

grant create on schema lode to lode_protection;
set local role lode_protection;

-- What was bound is never canceled afterwards.
alter table lode.output_address drop constraint output_address_check1;
alter table lode.output_address add constraint canceled_before_bound
  check (cancelled_at < binds_at or signature_valid is not true and message is not null);

drop index lode.output_address_to_check;
create index output_address_to_check on lode.output_address (member_id)
  where message is not null and signature_valid is null and cancelled_at is null;

reset role;
revoke create on schema lode from lode_protection;
