set local role lode_orders;

-- Records the total that these pledges are paid by now, and the ledger transactions that paid the new part. The caller
-- has posted them: one for each pledge, or one for several pledges of one member, or none if nothing is new. Each total
-- is computed again, and the new part must equal the posting to the pledge's member. `for_good` settles
-- the pledges: their last day must be closed, and the fraction of a unit goes to the other pledges. The new parts are
-- added to the members' tallies.
create or replace function lode.pay_pledges(ids uuid[], amounts numeric[], transactions bigint[], for_good boolean) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $pay$
declare
  scale constant numeric := 1e36::numeric;
  last_day int;
  changed int;
  due int;
  booked int;
begin
  -- Only the worker settles the end of a pledge.
  if for_good and session_user = 'lode_api' then raise exception 'these pledges are not entitled to that'; end if;
  -- A second caller waits here and then sees what the first has paid.
  perform from lode.pledge where pledge.id = any (ids) order by pledge.id for no key update;
  select max(day) into last_day from lode.production_day;
  with requested as (select * from unnest(ids, amounts, transactions) as given (id, amount, transaction)),
  reckoned as (
    select pledge.id, pledge.end_day, requested.amount, requested.amount - pledge.paid as fresh, requested.transaction,
           pledge.weight * (lode.per_weight_at(pledge.end_day - 1) - lode.per_weight_at(pledge.start_day - 1)) as scaled
    from requested join lode.pledge on pledge.id = requested.id
    where pledge.settled_at is null and pledge.paid <= requested.amount and scale(requested.amount) = 0
      and (not for_good or pledge.end_day <= last_day + 1)
  ),
  paid as (
    update lode.pledge
    set paid = reckoned.amount, settled_at = case when for_good then lode.now() end
    from reckoned
    -- A day may have closed since the caller computed the amount. Then more is due, and the next payment has the rest.
    where pledge.id = reckoned.id
      and case when for_good then reckoned.amount = div(reckoned.scaled, scale)
               else reckoned.amount <= div(reckoned.scaled, scale) end
    returning pledge.member_id, reckoned.end_day, reckoned.transaction, reckoned.fresh, mod(reckoned.scaled, scale) as freed
  ),
  freeing as (
    insert into lode.pledge_change (day, stripe, freed)
    select paid.end_day, 16, sum(paid.freed) from paid where for_good group by paid.end_day order by paid.end_day
    on conflict (day, stripe) do update set freed = pledge_change.freed + excluded.freed
  ),
  payment as (
    select paid.transaction, paid.member_id, sum(paid.fresh) as amount from paid where paid.fresh > 0
    group by paid.transaction, paid.member_id
  ),
  tallied as (
    insert into lode.dividend_tally as kept (member_id, paid)
    select payment.member_id, sum(payment.amount) from payment group by payment.member_id order by payment.member_id
    on conflict (member_id) do update set paid = kept.paid + excluded.paid
  ),
  noted as (
    insert into lode.share_payment (member_id, transaction, amount)
    select payment.member_id, payment.transaction, payment.amount
    from payment
    join lode.ledger_transaction posted on posted.id = payment.transaction and posted.type = case when for_good then :type.pledgeRest else :type.pointReward end
    -- Both types credit only one member's balance.
    where payment.amount = (
      select sum(posting.amount) from lode.posting
      where posting.member = payment.member_id and posting.transaction = payment.transaction)
    returning share_payment.transaction
  )
  select (select count(*) from paid), (select count(*) from payment), (select count(*) from noted) into changed, due, booked;
  if changed <> cardinality(ids) then raise exception 'these pledges are not entitled to that'; end if;
  if booked <> due then raise exception 'what these pledges are paid is not in the ledger'; end if;
end
$pay$;

revoke execute on function lode.pay_pledges from public;
grant execute on function lode.pay_pledges to lode_api, lode_worker;
