set local role lode_ledger;

-- A phase of lode.post. An account exists only if something was posted to it. So this removes the accounts and holders
-- that the batch inserted for transactions that it did not post.
create or replace function lode.post_remove_unused(new_accounts bigint[], new_holders bigint[]) returns void
language plpgsql
as $remove$
begin
  if new_accounts is not null then
    delete from lode.ledger_account where id = any (new_accounts) and version = 0;
  end if;
  if new_holders is not null then
    delete from lode.suspense_holder
    where owner = any (new_holders)
      and not exists (
        select from lode.ledger_account
        where id >= suspense_holder.owner << 14 and id < (suspense_holder.owner + 1) << 14);
  end if;
end
$remove$;

revoke execute on function lode.post_remove_unused from public;
