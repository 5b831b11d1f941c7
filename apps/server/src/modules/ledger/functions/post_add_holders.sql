set local role lode_ledger;

-- A phase of lode.post: inserts the addresses that hold no suspense yet, ordered by address. Returns the new holders.
create or replace function lode.post_add_holders(addresses bytea[]) returns bigint[]
language plpgsql
as $add$
declare
  new_holders bigint[];
begin
  with made as (
    insert into lode.suspense_holder (address)
    select wanted.address
    from (select distinct a as address from unnest(addresses) a where a is not null) wanted
    where not exists (select from lode.suspense_holder existing where existing.address = wanted.address)
    order by wanted.address
    on conflict do nothing
    returning owner
  )
  select array_agg(owner) into new_holders from made;
  return new_holders;
end
$add$;

revoke execute on function lode.post_add_holders from public;
