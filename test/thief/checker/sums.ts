import type pg from 'pg'

/**
 * Sums that must hold whatever happened, as one statement that returns what is wrong. Each is written again from the
 * documents; none calls a function of the product except lode.now().
 */
const SUMS = `
with account as (
  select id >> 14 as owner, (id >> 8) & 63 as kind, (id >> 6) & 3 as asset, sum(balance) as balance
  from lode.ledger_account group by 1, 2, 3
),
named as (
  select account.owner, kind.name as kind, asset.name as asset, account.balance
  from account join lode.ledger_kind kind on kind.code = account.kind join lode.ledger_asset asset on asset.code = account.asset
),
-- Money that is set aside, by the rows for which it is.
aside (owner, kind, asset, amount) as (
  select member_id, 'frozenOut', asset, sum(amount + fee) from lode.payout where kind = 'transfer' and ended is null group by 1, 3
  union all select 0, 'pool:paying', asset, sum(amount) from lode.payout where kind = 'treasury' and ended is null group by 3
  union all select 0, 'suspense:returning', asset, sum(amount) from lode.payout where kind = 'suspense' and ended is null group by 3
  union all select member_id, 'frozenOrder', asset, sum(balance_part) from lode.pay_order where ended is null group by 1, 3
  union all select member_id, 'pledged', 'BTN', sum(amount) from lode.pledge where returned_at is null group by 1
  union all select member_id, 'agentUnclaimed', 'USDT', sum(amount) from lode.reward
    where type = 'agentReward' and failed is null and claimed_at is null group by 1
),
per_weight as (select day, per_weight from lode.production_day),
pledge_due as (
  select pledge.member_id, pledge.id, pledge.paid,
         div(pledge.weight * (coalesce((select per_weight from per_weight where day < pledge.end_day order by day desc limit 1), 0)
                              - coalesce((select per_weight from per_weight where day < pledge.start_day order by day desc limit 1), 0)), 1e36::numeric) as due
  from lode.pledge
),
partner_due as (
  select partner.member_id, coalesce(partner_paid.paid, 0) as paid,
         div(coalesce((select per_partner from lode.partner_day order by day desc limit 1), 0)
             - coalesce((select per_partner from lode.partner_day where day <= partner.approved_day order by day desc limit 1), 0), 1e36::numeric) as due
  from lode.partner left join lode.partner_paid on partner_paid.member_id = partner.member_id
),
-- What members got of the shared money, by the ledger.
got as (
  select posting.member, type.name = 'partnerReward' as of_partner, sum(posting.amount) as amount
  from lode.ledger_transaction posted
  join lode.ledger_type type on type.code = posted.type and type.name in ('pointReward', 'pledgeRest', 'partnerReward')
  join lode.posting on posting.transaction = posted.id and posting.member > 0
  group by 1, 2
),
day as (
  select production_day.*, lag(day) over (order by day) as day_before, lag(per_weight, 1, 0) over (order by day) as per_weight_before,
         lag(remainder, 1, 0) over (order by day) as remainder_before, lag(carry, 1, 0) over (order by day) as carry_before
  from lode.production_day
),
partner_day as (
  select day.*, lag(per_partner, 1, 0) over (order by day) as per_partner_before, lag(remainder, 1, 0) over (order by day) as remainder_before,
         coalesce((select sum(posting.amount) from lode.ledger_transaction posted join lode.posting on posting.transaction = posted.id and posting.amount > 0
                   where posted.member = 0 and posted.key = 'day:' || day.day || ':partner'), 0) as posted
  from lode.partner_day day
),
terms as (select version, body::jsonb as body from lode.plan)
select 'the accounts of ' || asset || ' add up to ' || sum(balance) as finding from named group by asset having sum(balance) <> 0
union all select kind || ' of ' || owner || ' holds ' || balance || ' ' || asset from named where balance < 0 and kind not like 'custody:%'
union all select 'account ' || account.id || ' holds ' || account.balance || ' and its postings add up to ' || sums.amount
  from lode.ledger_account account
  join (select account, sum(amount) as amount from lode.posting group by 1) sums on sums.account = account.id where sums.amount <> account.balance
union all select kind || ' of ' || coalesce(named.owner, aside.owner) || ' holds ' || coalesce(balance, 0) || ' ' || asset || ', and ' || coalesce(amount, 0) || ' are set aside'
  from (select * from named where kind in ('frozenOut', 'pool:paying', 'suspense:returning', 'frozenOrder', 'pledged', 'agentUnclaimed')) named
  full join aside using (owner, kind, asset) where coalesce(balance, 0) <> coalesce(amount, 0)
union all select 'pledge ' || id || ' was paid ' || paid || ' of ' || due from pledge_due where paid > due
union all select 'partner ' || member_id || ' was paid ' || paid || ' of ' || due from partner_due where paid > due
union all select 'member ' || coalesce(got.member, owed.member_id) || ' got ' || coalesce(got.amount, 0) || ' of the dividends, and its pledges were paid ' || coalesce(owed.paid, 0)
  from (select * from got where not of_partner) got
  full join (select member_id, sum(paid) as paid from pledge_due group by 1) owed on owed.member_id = got.member
  where coalesce(got.amount, 0) <> coalesce(owed.paid, 0)
union all select 'member ' || coalesce(got.member, owed.member_id) || ' got ' || coalesce(got.amount, 0) || ' as a partner, and was paid ' || coalesce(owed.paid, 0)
  from (select * from got where of_partner) got full join partner_due owed on owed.member_id = got.member
  where coalesce(got.amount, 0) <> coalesce(owed.paid, 0)
union all select kind || ' holds ' || balance || ', less than the ' || due.left || ' that are due'
  from named join (
    select 'dividend:payable' as kind, coalesce(sum(due - paid), 0) as left from pledge_due
    union all select 'partner:payable', coalesce(sum(due - paid), 0) from partner_due) due using (kind)
  where balance < due.left
union all select 'day ' || day || ' follows on day ' || day_before from day where day <> day_before + 1
union all select 'day ' || day || ' is shared by a weight of ' || weight || ', and the pledges weigh ' || pledged.sum
  from day cross join lateral (select coalesce(sum(pledge.weight), 0) as sum from lode.pledge where start_day <= day and day < end_day) pledged
  where weight <> pledged.sum
union all select 'day ' || day || ' gives more than it has' from day
  where per_weight <> per_weight_before + quotient
    or quotient * weight > (admitted + from_carry) * 1e36::numeric + remainder_before + freed
    or carry > carry_before + above - from_carry + case when weight > 0 then 0 else admitted end
union all select 'day ' || day || ' admits ' || admitted || ', more than the plan lets in' from day join terms on version = plan_version
  where admitted > (body ->> 'dayFundingMax')::numeric * 1e8 and decision_id is null
union all select 'day ' || day || ' was closed before its hour' from day join terms on version = plan_version
  where to_timestamp((day + 1) * 86400.0) + make_interval(hours => (body -> 'closeHour')::int) > lode.now()
union all select 'the days have admitted more than was funded'
  where (select coalesce(sum(admitted + above), 0) from day) > (select coalesce(sum(amount), 0) from lode.dividend_funding)
union all select 'partner day ' || partner_day.day || ' shares out ' || partner_day.amount || ' among ' || partners || ', who are ' || counted.count
  from lode.partner_day cross join lateral (select count(*) from lode.partner where approved_day < partner_day.day) counted
  where partners <> counted.count
union all select 'partner day ' || day || ' shares out ' || amount || ', and the ledger has ' || posted from partner_day where amount <> posted
union all select 'partner day ' || day || ' has other figures than ' || amount || ' among ' || partners || ' gives' from partner_day
  where per_partner <> per_partner_before + quotient
    or case when partners > 0 then quotient * partners + remainder <> amount * 1e36::numeric + remainder_before or remainder >= partners
            else quotient <> 0 or remainder <> remainder_before end
union all select 'member ' || member.id || ' holds level ' || level || ', and has bought ' || bought.count
  from lode.member cross join lateral (select count(*) from lode.pay_order where member_id = member.id and type = 1 and ended = 'success') bought
  where level <> bought.count
union all select 'member ' || member.id || ' was disabled, and two operators have not signed it' from lode.member
  where disabled_at is not null and (select count(*) from lode.decision_signature where decision_id = disabled_by) < 2
union all select 'notice ' || notice.id || ' was published, and two operators have not signed it' from lode.notice
  where words is not null and (select count(*) from lode.decision_signature where decision_id = notice.decision_id) < 2
union all select 'help article ' || slug || ' was published, and two operators have not signed it' from lode.help_article
  where decision_id is not null and (select count(*) from lode.decision_signature where decision_id = help_article.decision_id) < 2
union all select 'version ' || version || ' of the plan was published, and two operators have not signed it' from lode.plan
  where (select count(*) from lode.decision_signature where decision_id = plan.decision_id) < 2`

export async function findWrongSums(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ finding: string }>(SUMS)
  return rows.map(({ finding }) => finding)
}

/**
 * Keys, ids and names that the product will need. If one of them is used already, the worker cannot post what it must,
 * and stops.
 */
const SPENT = `
with needed (member, key) as (
  select member_id, 'order:' || id || step from lode.pay_order, unnest(array[':settle', ':release', ':airdrop']) step where ended is null
  union all select member_id, 'transfer:' || id || ':release' from lode.payout where ended is null and kind = 'transfer'
  union all select 0, kind || ':' || id || ':undone' from lode.payout where ended is null and kind <> 'transfer'
  union all select 0, 'pledge:' || id || ':return' from lode.pledge where returned_at is null
  union all select 0, 'pledge:' || id || ':rest' from lode.pledge where settled_at is null
  union all select 0, 'day:' || day || ':dividend' from generate_series((select max(day) + 1 from lode.production_day), (select max(day) + 40 from lode.production_day)) day
  union all select 0, 'day:' || day || ':partner' from generate_series((select max(day) + 1 from lode.production_day), (select max(day) + 40 from lode.production_day)) day
  union all select id, 'appointed:expert' from lode.member where not exists (select from lode.sharing_expert where member_id = id)
  union all select id, 'appointed:partner' from lode.member where not exists (select from lode.partner where member_id = id)
  union all select member.id, 'suspense:' || asset.name || ':' || account.version
    from lode.suspense_holder holder
    join lode.member on member.account = holder.address
    join lode.ledger_account account on account.id >> 14 = holder.owner and account.balance > 0
    join lode.ledger_asset asset on asset.code = (account.id >> 6) & 3
)
select 'the key ' || key || ' of member ' || member || ' is spent' as finding from needed join lode.ledger_transaction using (member, key)
union all select 'the log line ' || line.operation || ' of member ' || line.member || ' has not the name of ' || posted.key
  from lode.log_line line join lode.ledger_transaction posted on posted.id = line.transaction
  where not (line.operation = posted.key or starts_with(posted.key, 'chain:')
             or line.operation = substring(posted.key from '^[a-z]+:([0-9a-f-]{36})'))
union all select 'the payment of decision ' || decision.id || ' needs the id of ' || payout.kind || ' ' || payout.id
  from lode.decision join lode.payout on payout.id::text = decision.body::jsonb ->> 'nonce'
  where decision.verb in ('pay', 'return') and payout.decision_id is distinct from decision.id`

/**
 * Each open transfer, and each open order that is paid from the balance in part, needs its own log line with just that
 * amount, which is not over yet. Otherwise it can be neither paid nor given back, and the block of its payment cannot be
 * posted. What has ended has ended its line.
 */
const LINES = `
with frozen (member, asset, what, type, operation, amount, is_open) as (
  select member_id, asset, 'transfer', 'transferOut', id::text, amount + fee, ended is null from lode.payout where kind = 'transfer'
  union all select member_id, asset, 'order', case type when 1 then 'upLevelByBalance' else 'createPledge' end, id::text, balance_part, ended is null
  from lode.pay_order where balance_part > 0 and (ended is null or deadline is not null)
),
line as (
  select line.member, asset.name as asset, log.name as type, line.operation, line.fee - line.amount as amount,
         line.phase = 'confirming' and not exists (
           select from lode.log_closing closing
           where closing.member = line.member and closing.asset = line.asset and closing.line = line.id) as is_open
  from lode.log_line line
  join lode.ledger_asset asset on asset.code = line.asset join lode.ledger_log_type log on log.code = line.type
)
select what || ' ' || operation || ' of member ' || frozen.member ||
       case when line.member is null then ' has no log line' when frozen.is_open then ' can never end' else ' goes on in the log' end as finding
from frozen left join line using (member, asset, type, operation, amount)
where line.member is null or line.is_open <> frozen.is_open`

export async function findWrongLines(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ finding: string }>(LINES)
  return rows.map(({ finding }) => finding)
}

export async function findSpentKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ finding: string }>(SPENT)
  return rows.map(({ finding }) => finding)
}
