-- For the open announcements: the newest event about each call, of the last days.
create index vault_event_of_calls on lode.vault_event (block_time) where call_hash is not null;
create index vault_event_of_withdrawal on lode.vault_event (vault, block_time, block_number, log_index)
  where name = 'AllAnnouncementsWithdrawn';

-- For the announcements that have ended: newest first, and the next event about the same call.
drop index lode.vault_event_of_announcements;
create index vault_event_of_announcement on lode.vault_event (block_number, log_index) where name = 'Announced';
create index vault_event_of_call on lode.vault_event (vault, call_hash, block_number, log_index)
  where call_hash is not null;
