set local role lode_protection;

-- Counts a try and returns the hash to compare with, so that no caller sees a hash without using up a try. Counting the
-- fifth try locks the password, so only five of any number of parallel tries get the hash. A correct try resets the
-- count.
create or replace function lode.begin_fund_password_try(of_member bigint)
returns table (verdict text, hash text)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $try$
declare
  found_row lode.protection;
begin
  found_row := lode.settle_reset(of_member);
  if found_row.hash is null then
    return query select 'unset', null::text;
    return;
  end if;
  update lode.protection as counted set
    tries = case when counted.locked_until is null then counted.tries + 1 else 1 end,
    locked_until = case when counted.locked_until is null and counted.tries = 4
                        then lode.now() + interval '15 minutes' end
  where counted.member_id = of_member and (counted.locked_until is null or counted.locked_until <= lode.now())
  returning counted.* into found_row;
  if not found then
    return query select 'locked', null::text;
    return;
  end if;
  return query select case when found_row.locked_until is null then 'try' else 'last-try' end, found_row.hash;
end
$try$;

revoke execute on function lode.begin_fund_password_try from public;
grant execute on function lode.begin_fund_password_try to lode_api;
