-- The parts of look_up_member about a registered member. Only that function calls it.
create or replace function lode.describe_member(of_member bigint) returns jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $describe$
  select jsonb_build_object(
    'id', member.id, 'registeredAt', member.created_at, 'level', member.level, 'lastLoginAt', member.last_login_at,
    'disabledAt', member.disabled_at, 'disabledBy', member.disabled_by,
    'disabledBecause', (select body::jsonb ->> 'note' from lode.decision where id = member.disabled_by),
    'balances', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'asset', case held.asset when :asset.USDT then 'USDT' when :asset.BTN then 'BTN' else 'BTC' end,
        'available', held.available::text, 'frozen', held.frozen::text)), '[]')
      from (
        select (account.id >> 6) & 3 as asset,
               coalesce(sum(account.balance) filter (where (account.id >> 8) & 63 = :kind.available), 0) as available,
               coalesce(sum(account.balance) filter (where (account.id >> 8) & 63 in
                 (:kind.frozenOut, :kind.frozenOrder, :kind.pledged)), 0) as frozen
        from lode.ledger_account as account
        where account.id >= member.id << 14 and account.id < (member.id + 1) << 14
        group by (account.id >> 6) & 3) as held),
    'protection', (
      select jsonb_build_object(
        'passwordChosenAt', chosen_at, 'passwordChangedAt', changed_at, 'passwordLockedUntil', locked_until,
        'resetEndsAt', reset_ends_at, 'resetDoneAt', reset_done_at, 'transfersLockedUntil', transfers_locked_until)
      from lode.protection where member_id = member.id),
    'outputAddresses', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'address', encode(address, 'hex'), 'askedAt', asked_at, 'bindsAt', binds_at, 'canceledAt', cancelled_at)
        order by number desc), '[]')
      from lode.output_address where member_id = member.id),
    'reported', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'asset', asset, 'amount', amount::text, 'tx', encode(tx, 'hex'), 'at', at) order by at desc), '[]')
      from lode.reported_deposit where member_id = member.id),
    'credited', (
      select jsonb_build_object('count', (
          select count(*) from lode.log_line where log_line.member = member.id and type in (:log.transferIn, :log.suspenseCredit)),
        'newest', coalesce(jsonb_agg(jsonb_build_object(
          'asset', case line.asset when :asset.USDT then 'USDT' when :asset.BTN then 'BTN' else 'BTC' end,
           'amount', line.amount::text, 'log', line.operation, 'at', line.at,
           'isFromSuspense', line.type = :log.suspenseCredit) order by line.at desc), '[]'))
      from (select * from lode.log_line where log_line.member = member.id and type in (:log.transferIn, :log.suspenseCredit)
            order by at desc limit 100) as line),
    'orders', (
      select jsonb_build_object('count', (select count(*) from lode.pay_order where member_id = member.id),
        'newest', coalesce(jsonb_agg(jsonb_build_object(
          'id', made.id, 'type', made.type, 'asset', made.asset, 'amount', made.amount::text,
          'fromBalance', made.balance_part::text, 'madeAt', made.made_at, 'deadline', made.deadline,
          'submittedTx', encode(made.submitted_tx, 'hex'), 'ended', made.ended, 'endedAt', made.ended_at,
          'failure', made.failure, 'paidTx', encode(made.paid_tx, 'hex')) order by made.number desc), '[]'))
      from (select * from lode.pay_order where member_id = member.id order by number desc limit 100) as made),
    'rewards', (
      select jsonb_build_object('count', (select count(*) from lode.reward where member_id = member.id),
        'newest', coalesce(jsonb_agg(jsonb_build_object(
          'type', given.type, 'amount', given.amount::text, 'failed', given.failed, 'layer', given.layer, 'at', given.at,
          'claimedAt', given.claimed_at, 'order', given.order_id) order by given.id desc), '[]'))
      from (select * from lode.reward where member_id = member.id order by id desc limit 100) as given),
    'pledges', (
      select jsonb_build_object('count', (select count(*) from lode.pledge where member_id = member.id),
        'newest', coalesce(jsonb_agg(jsonb_build_object(
          'id', locked.id, 'amount', locked.amount::text, 'startDay', locked.start_day, 'endDay', locked.end_day,
          'received', locked.paid::text, 'returnedAt', locked.returned_at) order by locked.end_day desc), '[]'))
      from (select * from lode.pledge where member_id = member.id order by end_day desc limit 100) as locked),
    'transfers', (
      select jsonb_build_object('count', (select count(*) from lode.payout where member_id = member.id),
        'newest', coalesce(jsonb_agg(asked.id order by asked.number desc), '[]'))
      from (select id, number from lode.payout where member_id = member.id order by number desc limit 100) as asked))
  from lode.member where member.id = of_member
$describe$;

revoke execute on function lode.describe_member from public;
