import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/pledge'
const production = `${folder}/production.integration.test.ts`
const causes = `${folder}/causes.integration.test.ts`
const sharePayment = `${folder}/share-payment.integration.test.ts`

const home = `${folder}/home.integration.test.ts`

export const pledge: readonly Mutant[] = [
  ...mutantsOf(
    'apps/server/src/modules/home/rules.ts',
    [home],
    [
      ['day === today - 1', 'day === today'],
      ['else if (amounts[symbol] > 0n) without', 'else without'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/modules/home/commands.ts',
    [home],
    [
      ['collectors[part](`${key}:${part}`)', 'collectors[part](key)'],
      ['parts.push({ part, amount: null })', 'parts.push({ part, amount: 0n })'],
    ],
  ),
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ['const admitted = least(funding, most)', 'const admitted = funding'],
      ['changes.started - changes.ended > 0n', 'changes.started - changes.ended >= 0n'],
      ['hasWeight ? least(before.carry, admitted) : 0n', 'hasWeight ? before.carry : 0n'],
      ['hasWeight ? admitted + fromCarry : 0n', 'hasWeight ? admitted : 0n'],
      ['+ (hasWeight ? 0n : admitted)', ''],
      ['today - start + 1, 0', 'today - start, 0'],
      ['const MAX_WAIT_HOURS = 72', 'const MAX_WAIT_HOURS = 71'],
      ['if (lacksEvidence && now < until)', 'if (lacksEvidence && now <= until)'],
      ['startOfDay(addDays(day, 1))', 'startOfDay(day)'],
      ['if (now < at) return', 'if (now <= at) return'],
      ['postedAt === null || postedAt <= at', 'postedAt === null || postedAt < at'],
      ['approved !== null && approved > planMost ?', 'approved !== null ?'],
      ['if (funding > planMost && most', 'if (funding >= planMost && most'],
      ['most === planMost && now < until', 'most === planMost && now <= until'],
      ['lastClosed !== null && lastClosed >= next', 'lastClosed !== null && lastClosed > next'],
    ],
  ),
  ...mutantsOf(
    `${folder}/objections.ts`,
    [`${folder}/objections.test.ts`],
    [
      ['amount <= plan.pledgeAbove', 'amount < plan.pledgeAbove'],
      ['request.balancePart > amount', 'request.balancePart >= amount'],
      ['request.balancePart < amount && onlineRefusal', 'onlineRefusal'],
      ['request.balancePart > available', 'request.balancePart >= available'],
    ],
  ),
  ...mutantsOf(
    `${folder}/evidence.ts`,
    [`${folder}/evidence.integration.test.ts`],
    [
      ['>= funded * 10n ** BigInt(SATOSHI_DECIMALS)', '> funded * 10n ** BigInt(SATOSHI_DECIMALS)'],
      ['<= (${block_number}, ${log_index})', '= (${block_number}, ${log_index})'],
      [', ${Buffer.from(bitcoin_txid).reverse()}', ''],
      ['      and bitcoin_output = ${bitcoin_output}\n', ''],
      ['answer.value * 10n ** BigInt(btcDecimals)', 'answer.value * 10n ** BigInt(SATOSHI_DECIMALS)'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/platform/bitcoin/bitcoin-node.ts',
    [`${folder}/evidence.integration.test.ts`],
    [
      ['const CONFIRMATIONS_NEEDED = 6', 'const CONFIRMATIONS_NEEDED = 1'],
      ['!transaction.ok || transaction.value.id !== transactionId', '!transaction.ok'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/close_day.sql`,
    [production],
    [
      [
        't = case when s > 0 then least(inputs.carry, f) else 0 end',
        't <= inputs.carry',
        { tests: [`${folder}/roles.integration.test.ts`] },
      ],
      [
        "inputs.funding > plan_most and lode.now() < closes_at + interval '72 hours'",
        "inputs.funding > plan_most and lode.now() < closes_at + interval '71 hours'",
      ],
      [
        "where given.day <= of_day and looked.result <> 'found'",
        "where given.day < of_day and looked.result <> 'found'",
        { tests: [`${folder}/roles.integration.test.ts`] },
      ],
      [
        '          and posted_time > closes_at)) is not true then',
        '          and posted_time >= closes_at)) is not true then',
        { tests: [`${folder}/roles.integration.test.ts`] },
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/settle_pledge.sql`,
    [production],
    [
      ['(select max(day) from lode.production_day)) + 1;', '(select max(day) from lode.production_day));'],
      [
        'values (first_day + found_order.term_days, own_stripe',
        'values (first_day + found_order.term_days + 1, own_stripe',
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/lock_next_day.sql`,
    [production],
    [
      ['where given.day <= next_day;', 'where given.day < next_day;'],
      ['coalesce(sum(change.ended), 0), ', '0, '],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/pay_pledges.sql`,
    [sharePayment],
    [
      [
        "if for_good and session_user = 'lode_api' then",
        "if for_good and session_user = 'lode_signer' then",
        { reason: 'The api cannot post a last dividend, and one of zero is what the worker would record as well.' },
      ],
      [
        'else reckoned.amount <= div(reckoned.scaled, scale) end',
        'else reckoned.amount <= div(reckoned.scaled, scale) + 1 end',
      ],
      ['    where payment.amount = (\n', '    where payment.amount >= (\n'],
      ['set paid = kept.paid + excluded.paid', 'set paid = excluded.paid', { tests: [home] }],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/day_legs.sql`,
    [causes],
    [['select admitted + from_carry into given', 'select admitted into given']],
  ),
  ...mutantsOf(
    `${folder}/functions/pledge_legs.sql`,
    [causes],
    [
      [
        " and posted.key = 'pledge:' || id || ':return' and returned_at is not null",
        " and posted.key = 'pledge:' || id || ':return'",
      ],
    ],
  ),
]
