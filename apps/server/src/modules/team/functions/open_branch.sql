set local role lode_team;

-- The area of the nearest open place, the leftmost of equals. No search_path is set, so that PostgreSQL can inline it.
create or replace function lode.open_branch(open_depths smallint[]) returns smallint
language sql immutable parallel safe
as $branch$
  select case
    when open_depths[1] <= open_depths[2] and open_depths[1] <= open_depths[3] then 1
    when open_depths[2] <= open_depths[3] then 2
    else 3
  end::smallint
$branch$;
