-- What the vault's administrator, guardians and role holders did, as the vault's final events tell. Rows are only added:
-- if blocks are read again after a rewind, each event is already there.
create table lode.vault_event (
  tx bytea not null check (octet_length(tx) = 32),
  log_index int not null check (log_index >= 0),
  block_number bigint not null,
  block_time timestamptz not null,
  vault bytea not null check (octet_length(vault) = 20),
  -- The event's name in the vault's ABI.
  name text not null,
  -- The hash of the announced call, for the events about one announcement.
  call_hash bytea check (octet_length(call_hash) = 32),
  -- The event's arguments by name, all as text.
  arguments jsonb not null,
  primary key (tx, log_index),
  check ((name in ('Announced', 'AnnouncementUsed', 'AnnouncementWithdrawn')) = (call_hash is not null))
);

-- For the list of announcements, newest first.
create index vault_event_of_announcements on lode.vault_event (block_number, log_index)
  where name in ('Announced', 'AnnouncementUsed', 'AnnouncementWithdrawn', 'AllAnnouncementsWithdrawn');

grant select on lode.vault_event to lode_api, lode_worker, lode_operator;
grant insert on lode.vault_event to lode_worker;
