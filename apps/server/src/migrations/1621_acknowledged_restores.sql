-- Two operators acknowledge a restore. Their decision must have a second signature, by another key.

grant create on schema lode to lode_payout;
set local role lode_payout;

alter table lode.restore_acknowledged
  add column decision_id bigint not null unique references lode.decision,
  add column decision_place smallint not null default 2 check (decision_place = 2),
  add foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place);

reset role;
revoke create on schema lode from lode_payout;
