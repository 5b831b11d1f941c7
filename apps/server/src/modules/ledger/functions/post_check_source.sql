set local role lode_ledger;

-- A phase of lode.post, for the few types whose chart row asks for it. A transaction with "same_address" may move money
-- only from the address that its member registered. One with "undoes" must undo another transaction exactly.
create or replace function lode.post_check_source(
  members bigint[], keys text[], types smallint[], outcomes text[],
  leg_transactions int[], leg_accounts int[], leg_amounts numeric[], account_id bigint[]
) returns void
language plpgsql
as $source$
declare
  rule lode.ledger_type;
begin
  for t in 1 .. cardinality(keys) loop
    select * into rule from lode.ledger_type where code = types[t] and outcomes[t] = 'posted';
    if rule.same_address and (
      select bool_and(holder.address = member.account)
      from generate_subscripts(leg_transactions, 1) as given (leg)
      join lode.suspense_holder holder on holder.owner = account_id[leg_accounts[given.leg]] >> 14
      join lode.member on member.id = members[t]
      where leg_transactions[given.leg] = t and leg_amounts[given.leg] < 0
    ) is not true then
      raise exception 'ledger: % may credit only the member who registered the address', rule.name using errcode = 'LL001';
    end if;
    if rule.undoes is not null and not exists (
      select from lode.ledger_transaction undone
      where undone.member = members[t] and undone.key = left(keys[t], -length(':undone')) and undone.type = rule.undoes
        and keys[t] like '%:undone'
        and not exists (
          select from (
            select posting.account & -64, posting.amount from lode.posting where posting.transaction = undone.id
            union all
            select account_id[leg_accounts[given.leg]] & -64, leg_amounts[given.leg]
            from generate_subscripts(leg_transactions, 1) as given (leg) where leg_transactions[given.leg] = t
          ) as both_ways (account, amount)
          group by both_ways.account having sum(both_ways.amount) <> 0
        )
    ) then
      raise exception 'ledger: % does not undo a transaction exactly', rule.name using errcode = 'LL001';
    end if;
  end loop;
end
$source$;

revoke execute on function lode.post_check_source from public;
