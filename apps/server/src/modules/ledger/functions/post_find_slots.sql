set local role lode_ledger;

-- A phase of lode.post: finds the rows to lock, ordered by number. A drained account may take from any of its existing
-- stripes, so all of them are locked. A credit that is divided needs all stripes, also those that do not exist yet.
-- Returns for each account its position in "locked", and those of its stripes.
create or replace function lode.post_find_slots(
  account_id bigint[], drained boolean[], credited boolean[], divided boolean[],
  out locked bigint[], out account_slot int[], out first_stripe int[], out last_stripe int[]
)
language plpgsql
as $slots$
begin
  select coalesce(array_agg(distinct id order by id), '{}') into locked
  from (
    select given.id
    from unnest(account_id) with ordinality as given (id, place)
    where divided[given.place] is not true and (drained[given.place] is not true or credited[given.place])
    union all
    select (given.id & -64) + stripe
    from unnest(account_id) with ordinality as given (id, place), generate_series(0, 63) stripe
    where divided[given.place]
    union all
    select stripe.id
    from unnest(account_id) with ordinality as given (id, place)
    join lode.ledger_account stripe on stripe.id between (given.id & -64) and (given.id | 63)
    where drained[given.place]
  ) both_ways;
  select array_agg(width_bucket(id, locked) order by place),
         array_agg(width_bucket((id & -64) - 1, locked) + 1 order by place),
         array_agg(width_bucket(id | 63, locked) order by place)
  into account_slot, first_stripe, last_stripe
  from unnest(account_id) with ordinality as given (id, place);
end
$slots$;

revoke execute on function lode.post_find_slots from public;
