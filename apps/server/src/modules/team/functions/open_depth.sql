set local role lode_team;

-- How many layers below a member the nearest open place is. No search_path is set, so that PostgreSQL can inline it.
create or replace function lode.open_depth(open_depths smallint[]) returns smallint
language sql immutable parallel safe
as $depth$ select least(open_depths[1], open_depths[2], open_depths[3]) $depth$;
