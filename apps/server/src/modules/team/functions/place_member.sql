set local role lode_team;

-- A new member takes the first open place below its sponsor: layer by layer, and in a layer from left to right. Looking
-- for it by walking the layers would cost as much as there are members. So every member knows for each of its branches
-- how many layers down the nearest open place is:
--
--        S [2 3 2]                       left: the nearest open place is 2 layers down, center: 3, right: 2
--       /    |    \
--      A     B     C                     A [2 1 1]: nobody stands center or right of A
--     /     /|\    |                     B [2 2 2]: full, each of its three has an open place right below
--    D     E F G   H                     C [2 1 1]
--
-- Down: from the sponsor, always into the branch with the least number, the leftmost of equals, until that number is 1.
-- Here S goes left (2, and left before right) to A, whose center place is open: the new member N stands at A, center.
-- What is found is really the first. The least number is the depth of the shallowest open place, and of equally shallow
-- ones the leftmost is in the leftmost branch that reaches it, at every step.
--
-- Up: now A is [2 2 1]. Its least number is still 1, so S need not know. When A's right place is taken as well, A is [2
-- 2 2], its least number went from 1 to 2, and S's left becomes 3. The change stops at the first member whose least
-- number stays.
--
-- What it costs. If the nearest open place below a member is d layers down, then all layers above it are full and at
-- least 1 + 3 + … + 3^(d−1) = (3^d − 1) / 2 members stand there. So d ≤ log₃(2n + 1) ≤ log₃ n + 1, for the way down as
-- for the way up, whatever shape the rest of the tree has: a chain of a million has d = 1 everywhere.
--
-- On the way up the new member is also counted by those who follow it: the five above.
--
-- Many at once. Registrations under one sponsor wait for each other at an advisory lock, and then come one after
-- another. Those under sponsors of which one stands below the other can want the same place. The way down is one
-- statement and so sees one moment: everything before the place that it finds was taken in that moment, and what is
-- taken stays taken. Only the place itself may be taken meanwhile, and for this the unique index on (parent, branch) is
-- the lock: whoever comes second waits in the insert until the first is done, and then either finds the place still
-- open (the first was undone) and has it, or gets nothing and goes down again. So each stands in the place that was the
-- first open one below its sponsor when it was committed. Locking the parent's row instead would do too, but a wait
-- that was in vain would leave that lock behind, out of order.
--
-- Nobody waits in a circle. Everybody takes the advisory lock, then a place, then rows from the new member's parent
-- strictly upward. Whoever waits for the advisory lock or for a place holds no row. Whoever waits for a row holds only
-- rows below it; so along a chain of waiting the rows wanted lie higher and higher, and it ends. What counts
-- activations and performance goes upward in the same way, and so must whoever locks members of one tree for other
-- reasons.
--
-- A number is right although others change the same row at the same time: an update gives its row one element, of the
-- branch that it came from, and keeps the others as it finds them when its turn has come. And nobody else can change
-- that element, for that needs the row below, which is locked on the way.
--
-- Answers where the member was put (nulls for the root) and how many rows were read on the way down and written on the
-- way up.
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

revoke execute on function lode.place_member from public;
grant execute on function lode.place_member to lode_api;
