set local role lode_team;

-- Counts a member as activated, once: a second call returns false and changes nothing. With it, adds the price of the
-- member's first promotion to the performance of the five above, so that each of their rows changes once. Locks the member
-- first and then goes strictly upward: the five above and the inviter, who is one of them or further up.
create or replace function lode.add_activation(of_member bigint, amount numeric default 0) returns boolean
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
  if (amount >= 0 and amount = trunc(amount)) is not true then
    raise exception 'team: the amount % must be a whole number', amount using errcode = 'LT001';
  end if;
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
      effective_invites = effective_invites + case when member_id = sponsor then 1 else 0 end,
      performance = performance + amount
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

revoke execute on function lode.add_activation from public;
grant execute on function lode.add_activation to lode_orders;
