-- How deep everybody stands in the tree. It never changes, and it says in what order places are locked by whoever locks many:
-- without it the way up to the root would have to be walked for each.

grant create on schema lode to lode_team;
set local role lode_team;

alter table lode.team_place add column depth int;

with recursive down (id, depth) as (
  select member_id, 0 from lode.team_place where parent_id is null
  union all
  select team_place.member_id, down.depth + 1 from down join lode.team_place on team_place.parent_id = down.id
)
update lode.team_place set depth = down.depth from down where down.id = member_id;

alter table lode.team_place
  alter column depth set not null,
  add check (depth >= 0 and (depth = 0) = (parent_id is null));

-- Answers where the member was put (nulls for the root) and how many rows were read on the way down and written on the way up.
create or replace function lode.place_member(new_member bigint)
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
  parent_depth int;
  depth_below smallint := 1;
  layer int := 1;
begin
  select sponsor_id into strict sponsor from lode.member where id = new_member;
  rows_up := 0;
  if sponsor is null then
    insert into lode.team_place (member_id, depth) values (new_member, 0);
    rows_down := 0;
    return next;
    return;
  end if;

  perform pg_advisory_xact_lock(hashtext('lode: team'), (sponsor % 2147483648)::int);
  loop
    with recursive way (member_id, depth, branch, open_depth, step) as (
      select member_id, depth, lode.open_branch(open_depths), lode.open_depth(open_depths), 1
      from lode.team_place where member_id = sponsor
      union all
      select below.member_id, below.depth, lode.open_branch(below.open_depths), lode.open_depth(below.open_depths), way.step + 1
      from way join lode.team_place below on below.parent_id = way.member_id and below.branch = way.branch
      where way.open_depth > 1
    )
    select member_id, depth, branch, step into parent, parent_depth, in_branch, rows_down from way where open_depth = 1;
    if parent is null then
      raise exception 'team: the sponsor of member % has no place', new_member using errcode = 'LT001';
    end if;
    insert into lode.team_place (member_id, parent_id, branch, depth) values (new_member, parent, in_branch, parent_depth + 1)
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

reset role;
revoke create on schema lode from lode_team;
