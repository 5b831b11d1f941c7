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

reset role;
revoke create on schema lode from lode_team;
