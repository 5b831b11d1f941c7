-- The team: where every member stands in the tree, and what each counts of the five layers below. docs/team.md explains it.
--
-- Nobody writes lode.team_place but the functions of modules/team/functions. A process may call lode.place_member
-- alone: a stolen process can place a member that has no place yet. It cannot choose the place, move anybody or touch a
-- count. What a promotion brings is counted by the function that settles it.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'lode_team') then
    begin
      create role lode_team nologin nosuperuser nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute format('grant lode_team to %I', current_user);
  end if;
end
$$;

-- Invitations are listed by sponsor, newest first.
create index member_by_sponsor on lode.member (sponsor_id, id);

grant usage, create on schema lode to lode_team;
grant select (id, sponsor_id), references (id) on lode.member to lode_team;

set local role lode_team;

-- Branches are 1 left, 2 center, 3 right. A list of five layers by three branches is one array, layer after layer: layer k of
-- branch b is element 3·(k−1) + b, at most 3^(k−1). No column that changes is in an index, and a page keeps room for the next
-- version of its rows, so that counting touches no index.
create table lode.team_place (
  member_id bigint primary key references lode.member,
  -- Null for the root alone.
  parent_id bigint references lode.team_place,
  branch smallint check (branch between 1 and 3),
  activated boolean not null default false,
  -- Activated members that this one invited, wherever they stand.
  effective_invites int not null default 0,
  -- By branch: how many layers down is the nearest open place. 1 is the branch's own place, as long as nobody stands there.
  open_depths smallint[] not null default '{1,1,1}',
  headcounts smallint[] not null default '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}',
  activated_counts smallint[] not null default '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}',
  -- Smallest units of USDT that the five layers paid for promotions.
  performance numeric not null default 0 check (performance >= 0),
  unique (parent_id, branch),
  check ((parent_id is null) = (branch is null))
) with (fillfactor = 70);

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.team_place to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_team;
