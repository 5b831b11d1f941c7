-- When blocks are read again after a rewind, the worker replaces their events by those that the nodes return. So it removes
-- a false event, for example a withdrawal that hides an announcement. The reason why the worker may delete here is in
-- docs/decisions/chain-in.md.
grant delete on lode.vault_event to lode_worker;
create index vault_event_of_block on lode.vault_event (block_number);
