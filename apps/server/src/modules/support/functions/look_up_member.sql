-- Everything that answers a member's question, as one document. Amounts are in smallest units. It answers only for a
-- line of the trail that another transaction has committed, and for ten minutes. Each list has the newest hundred, and
-- how many there are.
create or replace function lode.look_up_member(of_look bigint) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $look$
declare
  look lode.member_look;
  person lode.member;
begin
  select * into look from lode.member_look where id = of_look;
  if not found or pg_xact_status(look.made_by) is distinct from 'committed'
    or look.at < lode.now() - interval '10 minutes'
  then
    raise exception 'there is no line of the trail %, or it is not committed or too old', of_look using errcode = 'LL003';
  end if;
  select * into person from lode.member where account = look.account;
  return jsonb_build_object(
    'incoming', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'asset', asset, 'amount', amount::text, 'tx', encode(tx, 'hex'), 'seenAt', seen_at, 'block', block_number)
        order by block_number desc), '[]')
      from lode.chain_incoming where account = look.account),
    'suspense', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'asset', case (account.id >> 6) & 3 when :asset.USDT then 'USDT' when :asset.BTN then 'BTN' else 'BTC' end,
        'amount', account.balance::text)), '[]')
      from lode.suspense_holder as holder
      join lode.ledger_account as account on account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14
      where holder.address = look.account and account.balance > 0),
    'member', case when person.id is not null then lode.describe_member(person.id) end);
end
$look$;

revoke execute on function lode.look_up_member from public;
grant execute on function lode.look_up_member to lode_operator;
