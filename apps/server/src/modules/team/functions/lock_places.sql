set local role lode_team;

-- Locks the places of all members whom these buyers' promotions concern: each buyer, the five above it, and its
-- inviter. Returns them. An inviter who stands above the fifth layer has no layer.
--
-- All code locks these rows upward. Several buyers are locked by depth, the deepest first, and at one depth by id. That
-- is upward along every path, and the same order for all callers with several buyers.
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

revoke execute on function lode.lock_places from public;
grant execute on function lode.lock_places to lode_api, lode_worker, lode_orders;
