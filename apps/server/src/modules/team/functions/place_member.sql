set local role lode_team;

-- Puts a new member into the first open place below its inviter S: layer by layer, and in a layer from left to right.
-- Searching layer by layer would take time in proportion to the number of members. So every member stores for each of
-- its areas how many layers down the nearest open place is:
--
--        S [2 3 2]                       left: the nearest open place is 2 layers down, center: 3, right: 2
--       /    |    \
--      A     B     C                     A [2 1 1]: the center and right places below A are open
--     /     /|\   /                      B [2 2 2]: full, each of its three has an open place right below
--    D     E F G H                       C [2 1 1]
--
-- Down: start at the inviter and always go into the area with the smallest number, the leftmost of equals, until that
-- number is 1. Here S goes left (2, and left comes before right) to A, whose center place is open. So the new member N
-- is placed below A, center. This place really is the first: the smallest number is the depth of the shallowest open
-- place, and of equally shallow ones the leftmost is in the leftmost area that reaches it, at every step.
--
-- Up: now A is [2 2 1]. Its smallest number is still 1, so S does not change. When A's right place is taken as well, A
-- is [2 2 2], its smallest number goes from 1 to 2, and S's left becomes 3. The update stops at the first member whose
-- smallest number stays the same.
--
-- Cost. If the nearest open place below a member is d layers down, then all layers above it are full and have at least
-- 1 + 3 + … + 3^(d−1) = (3^d − 1) / 2 members. So d ≤ log₃(2n + 1) ≤ log₃ n + 1, on the way down and on the way up,
-- whatever shape the rest of the tree has: a chain of a million has d = 1 everywhere.
--
-- On the way up the five members above also count the new member, so up to five rows are written in any case.
--
-- Concurrency. Registrations under one inviter wait for each other at an advisory lock. Two inviters, one below the
-- other, can want the same place. The way down is one statement and so has one snapshot: every place before the found
-- one was taken in that snapshot, and a taken place stays taken. Only the found place itself may be taken meanwhile,
-- and the unique index on (parent, branch) is its lock. The second registration waits in its insert until the first
-- transaction ends. If that one was rolled back, the second gets the place; otherwise it inserts nothing and goes down
-- again. So each member gets the place that was the first open one below its inviter when it was committed. Locking
-- the parent's row instead would work too, but a wait without success would leave that lock behind, out of order.
--
-- No deadlocks. Every registration takes the advisory lock, then a place, then rows from the new member's parent
-- strictly upward. A transaction that waits for the advisory lock or for a place holds no row. One that waits for a row
-- holds only rows below it. So along a chain of waiting transactions the wanted rows are higher and higher, and the
-- chain ends. Counting activations and performance goes upward in the same way, and so must all code that locks
-- members of one tree for other reasons.
--
-- Concurrent updates of one row keep the numbers right: an update sets one element, that of the area it came from, and
-- keeps the others as they are once it has the lock. No other transaction can change that element, because that needs
-- the row below, which this one has locked on its way.
--
-- Returns where the member was placed (nulls for the first member), and how many rows were read on the way down and
-- written on the way up.
create or replace function lode.place_member(new_member bigint)
returns table (parent bigint, in_branch smallint, rows_down int, rows_up int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- The plans are the same for any size: every row is reached by a key. Without these settings, a plan made while the
-- table was small would go on reading all of it.
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
