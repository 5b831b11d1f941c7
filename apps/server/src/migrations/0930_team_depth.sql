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

-- Locks everybody whom promotions of these buyers concern: each buyer, the five above it, its sponsor. Answers who they are; the
-- sponsor, who stands somewhere above, has no layer where that is beyond the fifth.
--
-- Everybody takes these rows upward. Where there are several buyers they are taken by depth, the deepest first, and of one depth by id:
-- that is upward too, for whoever counts along one path, and one order for all who come with several.
create or replace function lode.lock_places(buyers bigint[]) returns table (buyer bigint, above bigint, layer int, is_sponsor boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $lock$
declare
  sponsor bigint;
  place bigint;
  concerned bigint[];
begin
  if cardinality(buyers) = 1 then
    place := buyers[1];
    select sponsor_id into sponsor from lode.member where id = place;
    for step in 0..5 loop
      exit when place is null;
      concerned := concerned || place;
      select parent_id into strict place from lode.team_place where member_id = place for no key update;
    end loop;
    if sponsor <> all (concerned) then
      perform from lode.team_place where member_id = sponsor for no key update;
    end if;
  else
    for place in
      with recursive up (id, step) as (
        select given.id, 0 from unnest(buyers) as given (id)
        union
        select team_place.parent_id, up.step + 1
        from up join lode.team_place on team_place.member_id = up.id
        where up.step < 5 and team_place.parent_id is not null
      )
      select team_place.member_id
      from (select up.id from up union select sponsor_id from lode.member where member.id = any (buyers)) wanted
      join lode.team_place on team_place.member_id = wanted.id
      order by team_place.depth desc, team_place.member_id
    loop
      perform from lode.team_place where member_id = place for no key update;
    end loop;
  end if;

  return query
    with recursive up (buyer, id, step) as (
      select given.id, team_place.parent_id, 1
      from unnest(buyers) as given (id) join lode.team_place on team_place.member_id = given.id
      union all
      select up.buyer, team_place.parent_id, up.step + 1
      from up join lode.team_place on team_place.member_id = up.id
      where up.step < 5
    )
    select up.buyer, up.id, up.step, up.id is not distinct from member.sponsor_id
    from up join lode.member on member.id = up.buyer
    where up.id is not null
    union all
    select member.id, member.sponsor_id, null, true
    from lode.member
    where member.id = any (buyers) and member.sponsor_id is not null
      and not exists (select from up where up.buyer = member.id and up.id = member.sponsor_id);
end
$lock$;

reset role;
revoke create on schema lode from lode_team;
