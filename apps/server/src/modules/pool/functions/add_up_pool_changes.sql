-- Moves the changes of the pool's totals into their sum. If two workers do it at once, each change is moved once.
create or replace function lode.add_up_pool_changes() returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $add$
  with moved as (delete from lode.pool_change returning *),
  change as (
    select sum(members) as members, sum(units) as units, sum(power) as power, sum(investment) as investment,
           sum(pledges) as pledges, sum(pledged) as pledged
    from moved having count(*) > 0
  )
  update lode.pool_total as kept
  set members = kept.members + change.members, units = kept.units + change.units, power = kept.power + change.power,
      investment = kept.investment + change.investment, pledges = kept.pledges + change.pledges,
      pledged = kept.pledged + change.pledged
  from change;
$add$;

revoke execute on function lode.add_up_pool_changes from public;
grant execute on function lode.add_up_pool_changes to lode_worker;
