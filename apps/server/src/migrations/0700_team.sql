-- The team: where every member stands in the tree, and what each counts of the five layers below. docs/team.md explains it.
--
-- Nobody writes lode.team_place but the functions below, of which a process may call the first alone: a stolen one can place a member that
-- has no place yet, and can neither choose the place, nor move anybody, nor touch a count. What a promotion brings is counted by the
-- function that settles it.

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

-- ---- where the next member goes ----------------------------------------------------------------------------------------

-- A new member takes the first open place below its sponsor: layer by layer, and in a layer from left to right. Looking for it
-- by walking the layers would cost as much as there are members. So every member knows for each of its branches how many
-- layers down the nearest open place is:
--
--        S [2 3 2]                       left: the nearest open place is 2 layers down, center: 3, right: 2
--       /    |    \
--      A     B     C                     A [2 1 1]: nobody stands center or right of A
--     /     /|\    |                     B [2 2 2]: full, each of its three has an open place right below
--    D     E F G   H                     C [2 1 1]
--
-- Down: from the sponsor, always into the branch with the least number, the leftmost of equals, until that number is 1. Here
-- S goes left (2, and left before right) to A, whose center place is open: the new member N stands at A, center.
-- What is found is really the first. The least number is the depth of the shallowest open place, and of equally shallow ones
-- the leftmost is in the leftmost branch that reaches it, at every step.
--
-- Up: now A is [2 2 1]. Its least number is still 1, so S need not know. When A's right place is taken as well, A is [2 2 2], its
-- least number went from 1 to 2, and S's left becomes 3. The change stops at the first member whose least number stays.
--
-- What it costs. If the nearest open place below a member is d layers down, then all layers above it are full and at least
-- 1 + 3 + … + 3^(d−1) = (3^d − 1) / 2 members stand there. So d ≤ log₃(2n + 1) ≤ log₃ n + 1, for the way down as for the way up,
-- whatever shape the rest of the tree has: a chain of a million has d = 1 everywhere.
--
-- On the way up the new member is also counted by those who follow it: the five above.
--
-- Many at once. Registrations under one sponsor wait for each other at an advisory lock, and then come one after another.
-- Those under sponsors of which one stands below the other can want the same place. The way down is one statement and so sees
-- one moment: everything before the place that it finds was taken in that moment, and what is taken stays taken. Only the place
-- itself may be taken meanwhile, and for this the unique index on (parent, branch) is the lock: whoever comes second waits in the
-- insert until the first is done, and then either finds the place still open (the first was undone) and has it, or gets nothing
-- and goes down again. So each stands in the place that was the first open one below its sponsor when it was committed.
-- Locking the parent's row instead would do too, but a wait that was in vain would leave that lock behind, out of order.
--
-- Nobody waits in a circle. Everybody takes the advisory lock, then a place, then rows from the new member's parent strictly upward.
-- Whoever waits for the advisory lock or for a place holds no row. Whoever waits for a row holds only rows below it; so along
-- a chain of waiting the rows wanted lie higher and higher, and it ends. What counts activations and performance goes upward in
-- the same way, and so must whoever locks members of one tree for other reasons.
--
-- A number is right although others change the same row at the same time: an update gives its row one element, of the branch that
-- it came from, and keeps the others as it finds them when its turn has come. And nobody else can change that element, for that
-- needs the row below, which is locked on the way.
create function lode.open_depth(open_depths smallint[]) returns smallint
language sql immutable parallel safe
return least(open_depths[1], open_depths[2], open_depths[3]);

create function lode.open_branch(open_depths smallint[]) returns smallint
language sql immutable parallel safe
return case
  when open_depths[1] <= open_depths[2] and open_depths[1] <= open_depths[3] then 1
  when open_depths[2] <= open_depths[3] then 2
  else 3
end;

-- Answers where the member was put (nulls for the root) and how many rows were read on the way down and written on the way up.
create function lode.place_member(new_member bigint)
returns table (parent bigint, in_branch smallint, rows_down int, rows_up int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- The plans are the same for any size: every row is reached by a key. Without these a plan made while the table was small
-- would go on reading all of it.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $place$
declare
  sponsor bigint;
  above bigint;
  through smallint;
  depth_below smallint := 1;
  layer int := 1;
begin
  select sponsor_id into strict sponsor from lode.member where id = new_member;
  rows_up := 0;
  if sponsor is null then
    insert into lode.team_place (member_id) values (new_member);
    rows_down := 0;
    return next;
    return;
  end if;

  perform pg_advisory_xact_lock(hashtext('lode: team'), (sponsor % 2147483648)::int);
  loop
    with recursive way (member_id, branch, depth, step) as (
      select member_id, lode.open_branch(open_depths), lode.open_depth(open_depths), 1
      from lode.team_place where member_id = sponsor
      union all
      select below.member_id, lode.open_branch(below.open_depths), lode.open_depth(below.open_depths), way.step + 1
      from way join lode.team_place below on below.parent_id = way.member_id and below.branch = way.branch
      where way.depth > 1
    )
    select member_id, branch, step into parent, in_branch, rows_down from way where depth = 1;
    if parent is null then
      raise exception 'team: the sponsor of member % has no place', new_member using errcode = 'LT001';
    end if;
    insert into lode.team_place (member_id, parent_id, branch) values (new_member, parent, in_branch)
    on conflict (parent_id, branch) do nothing;
    exit when found;
  end loop;

  above := parent;
  through := in_branch;
  while above is not null loop
    if layer <= 5 then
      update lode.team_place set
        open_depths[through] = depth_below + 1,
        headcounts[3 * layer - 3 + through] = headcounts[3 * layer - 3 + through] + 1
      where member_id = above
      returning parent_id, branch, lode.open_depth(open_depths) into above, through, depth_below;
    else
      update lode.team_place set open_depths[through] = depth_below + 1
      where member_id = above and open_depths[through] <> depth_below + 1
      returning parent_id, branch, lode.open_depth(open_depths) into above, through, depth_below;
      exit when not found;
    end if;
    layer := layer + 1;
    rows_up := rows_up + 1;
  end loop;
  return next;
end
$place$;

-- ---- what is counted later ---------------------------------------------------------------------------------------------

-- Counts a member as activated, once: a second time answers false and changes nothing. The member first, then strictly upward: the
-- five above and, among them or above them all, the sponsor.
create function lode.add_activation(of_member bigint) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $activation$
declare
  sponsor bigint;
  above bigint;
  through smallint;
  was_sponsor boolean;
begin
  update lode.team_place set activated = true where member_id = of_member and not activated
  returning parent_id, branch into above, through;
  if not found then
    if not exists (select from lode.team_place where member_id = of_member) then
      raise exception 'team: member % has no place', of_member using errcode = 'LT001';
    end if;
    return false;
  end if;
  select sponsor_id into strict sponsor from lode.member where id = of_member;
  for layer in 1..5 loop
    exit when above is null;
    update lode.team_place set
      activated_counts[3 * layer - 3 + through] = activated_counts[3 * layer - 3 + through] + 1,
      effective_invites = effective_invites + case when member_id = sponsor then 1 else 0 end
    where member_id = above
    returning parent_id, branch, member_id = sponsor into above, through, was_sponsor;
    if was_sponsor then
      sponsor := null;
    end if;
  end loop;
  if sponsor is not null then
    update lode.team_place set effective_invites = effective_invites + 1 where member_id = sponsor;
  end if;
  return true;
end
$activation$;

-- Adds what a member paid for a promotion to the performance of the five above.
create function lode.add_performance(of_member bigint, amount numeric) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $performance$
declare
  above bigint;
begin
  if (amount > 0 and amount = trunc(amount)) is not true then
    raise exception 'team: % is no amount to be added', amount using errcode = 'LT001';
  end if;
  select parent_id into strict above from lode.team_place where member_id = of_member;
  for layer in 1..5 loop
    exit when above is null;
    update lode.team_place set performance = performance + amount where member_id = above
    returning parent_id into above;
  end loop;
end
$performance$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function lode.place_member, lode.add_activation, lode.add_performance from public;
grant execute on function lode.place_member to lode_api;
grant select on lode.team_place to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_team;

-- ---- those who are here already ----------------------------------------------------------------------------------------

-- In the order in which they came; a sponsor always came before.
do $$
declare
  member record;
begin
  for member in select id, level from lode.member order by id loop
    perform lode.place_member(member.id);
    if member.level > 0 then
      perform lode.add_activation(member.id);
    end if;
  end loop;
end
$$;
