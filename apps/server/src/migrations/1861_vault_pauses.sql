-- For the vault's last pause. The administrator can announce thousands of calls, which must not make it slow to find.
create index vault_event_of_pause on lode.vault_event (vault, block_number, log_index)
  where name in ('Paused', 'Unpaused');
