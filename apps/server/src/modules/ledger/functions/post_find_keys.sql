set local role lode_ledger;

-- A phase of lode.post: finds for each key of a batch the transaction that used it before (spent_by, spent_on), and the
-- previous transaction of this batch with the same key (earlier).
create or replace function lode.post_find_keys(
  members bigint[], keys text[], out earlier int[], out spent_by bigint[], out spent_on bytea[]
)
language plpgsql
as $keys$
begin
  select array_agg(before order by place), array_agg(id order by place), array_agg(input_hash order by place)
  into earlier, spent_by, spent_on
  from (
    select place, lag(place, 1, 0::bigint) over (partition by given.member, given.key collate "C" order by place)::int as before,
           spent.id, spent.input_hash
    from unnest(members, keys) with ordinality as given (member, key, place)
    left join lode.ledger_transaction spent on spent.member = given.member and spent.key = given.key
  ) in_batch;
end
$keys$;

revoke execute on function lode.post_find_keys from public;
