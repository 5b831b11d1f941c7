import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/orders'
const deadline = 'apps/server/src/modules/promotion/order-deadline.integration.test.ts'
const oneBlock = 'apps/server/src/modules/promotion/one-block.integration.test.ts'
const promotionCauses = 'apps/server/src/modules/promotion/causes.integration.test.ts'

export const orders: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ["if (seen) return 'confirming'", "if (seen && !cancelledAt) return 'confirming'"],
      ['now > deadline ?', 'now >= deadline ?'],
      ['cancelledAt || deadline === null', 'deadline === null'],
      ['if (balancePart === 0n) return', 'if (balancePart === amount) return'],
      ['(paid ?? seen ?? submitted)?.tx', '(submitted ?? seen ?? paid)?.tx'],
      ['submitted && deadline && ended === null', 'submitted && ended === null'],
      ["if (ended === 'success') return", 'if (ended) return'],
    ],
  ),
  ...mutantsOf(
    `${folder}/close-orders.ts`,
    [deadline],
    [
      [
        'deadline < (select posted_time from lode.chain_state)',
        'deadline <= (select posted_time from lode.chain_state)',
        { reason: 'close_order() compares the times again and leaves the order open.' },
      ],
      ['if (order.balancePart > 0n) {', 'if (order.balancePart < 0n) {'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/close_order.sql`,
    [deadline],
    [
      ['and deadline < (select posted_time', 'and deadline <= (select posted_time'],
      ['posted_number >= booked_number and ', ''],
      [' and stopped_reason is null', ''],
      ['when cancelled_at <= deadline then', 'when cancelled_at < deadline then'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/chain_now.sql`,
    [deadline],
    [
      ['      (select posted_time from lode.chain_state),\n', ''],
      ["interval '15 minutes'", "interval '60 minutes'"],
      ['    greatest(\n', '    least(\n'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/make_order.sql`,
    [deadline, oneBlock],
    [['make_interval(mins => quote_minutes)', 'make_interval(mins => quote_minutes + 1)']],
  ),
  ...mutantsOf(
    `${folder}/functions/fail_order.sql`,
    [oneBlock],
    [['member.level + 1 <> pay_order.level', 'member.level + 1 < pay_order.level']],
  ),
  ...mutantsOf(
    `${folder}/functions/order_legs.sql`,
    [promotionCauses],
    [
      [' and member_id = posted.member;', ';'],
      ['part := cause.balance_part;', 'part := cause.balance_part + 1;'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/settled_order.sql`,
    [promotionCauses],
    [
      ['paid_tx = log.tx and paid_log_index = log.log_index and', 'paid_tx = log.tx and'],
      ["and posted.key = 'order:' || id || ':settle' ", ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/settlement.ts`,
    [oneBlock],
    [['payment.amount === amount - balancePart', 'payment.amount === amount']],
  ),
]
