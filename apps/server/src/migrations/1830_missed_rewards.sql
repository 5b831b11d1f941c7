-- What a member missed within a period, by reason. The index by id would read all that was ever missed.

grant create on schema lode to lode_orders;
set local role lode_orders;

create index reward_missed on lode.reward (member_id, at) include (failed, amount) where failed is not null;

reset role;
revoke create on schema lode from lode_orders;
