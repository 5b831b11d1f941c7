set local role lode_ledger;

-- A phase of lode.post: locks the accounts in the order of their numbers and reads them. An account that does not exist
-- is inserted at its position in this order.
create or replace function lode.post_lock_accounts(
  locked bigint[],
  out balances numeric[], out versions bigint[], out floors numeric[], out new_accounts bigint[]
)
language plpgsql
as $lock$
declare
  base bigint;
  affected bigint;
begin
  select count(*) into affected from lode.ledger_account where id = any (locked);
  if affected < cardinality(locked) then
    foreach base in array locked loop
      perform from lode.ledger_account where id = base for no key update;
      if not found then
        if base >> 14 > 0 and not exists (select from lode.member where id = base >> 14) then
          raise exception 'ledger: member % does not exist', base >> 14 using errcode = 'LL001';
        end if;
        insert into lode.ledger_account (id, floor)
        select base, case when floored then 0 end from lode.ledger_kind where code = (base >> 8) & 63
        on conflict do nothing;
        if found then
          new_accounts := new_accounts || base;
        else
          perform from lode.ledger_account where id = base for no key update;
        end if;
      end if;
    end loop;
  end if;

  select array_agg(balance), array_agg(version), array_agg(floor) into balances, versions, floors
  from (
    select balance, version, floor from lode.ledger_account where id = any (locked) order by id for no key update
  ) in_order;
  if coalesce(cardinality(balances), 0) <> cardinality(locked) then
    raise exception 'ledger: an account was deleted before it could be locked' using errcode = 'serialization_failure';
  end if;
end
$lock$;

revoke execute on function lode.post_lock_accounts from public;
