-- Which version of the explanation of risks a member has accepted, and when. docs/sign-in.md explains it.
--
-- It is what the member said, so nobody changes it afterwards: no process can, and the time is the database's.
create table lode.risk_acceptance (
  member_id bigint not null references lode.member,
  version int not null check (version > 0),
  at timestamptz not null default lode.now(),
  primary key (member_id, version)
);

grant select, insert (member_id, version) on lode.risk_acceptance to lode_api;
