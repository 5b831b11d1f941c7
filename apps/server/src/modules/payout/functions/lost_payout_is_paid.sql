set local role lode_payout;

-- At commit, a restored payout must be paid. So nobody can make a lost payout again in order to have it paid once more.
create or replace function lode.lost_payout_is_paid() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $paid$
begin
  perform from lode.payout where id = new.id and ended = 'final';
  if not found then
    raise exception 'payout % was restored and is not paid', new.id using errcode = 'LL003';
  end if;
  return null;
end
$paid$;

revoke execute on function lode.lost_payout_is_paid from public;

create constraint trigger lost_payout_is_paid after update of restored_at on lode.lost_payout
  deferrable initially deferred
  for each row execute function lode.lost_payout_is_paid();
alter table lode.lost_payout enable always trigger lost_payout_is_paid;
