import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/transfer'
const order = `${folder}/order.integration.test.ts`
const quota = `${folder}/quota.integration.test.ts`
const causes = `${folder}/causes.integration.test.ts`

export const transfer: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ['export const REVIEW_HOURS = 72', 'export const REVIEW_HOURS = 71'],
      ['endsAt === null || endsAt > now\n', 'endsAt === null || endsAt >= now\n'],
      ['row.amount > reviewSizes.reviewAbove', 'row.amount >= reviewSizes.reviewAbove'],
      ['amount <= reviewSizes.decisionAbove ? 1 : 2', 'amount < reviewSizes.decisionAbove ? 1 : 2'],
      ['decision.signers.length >= needed && matchesTransfer', 'matchesTransfer'],
      ["decision.verb === 'reject' && isBefore(decision, endsByItselfAt)", "decision.verb === 'reject'"],
      ['end === null || signedAt < end', 'end === null || signedAt <= end'],
      ['body.amount === String(row.amount) &&', ''],
      ['body.symbol === row.asset &&', ''],
      ['isAddressEqual(body.address, row.address)', 'body.address.length === row.address.length'],
      ['row.heldCheck !== null || reviewSizes === null ?', 'row.heldCheck !== null ?'],
      ['> LATE_AFTER_MINUTES * MINUTE_MS', '>= LATE_AFTER_MINUTES * MINUTE_MS'],
      ['> SIGNER_AWAY_AFTER_MINUTES * MINUTE_MS', '>= SIGNER_AWAY_AFTER_MINUTES * MINUTE_MS'],
      ['>= REVIEW_HOURS * HOUR_MS && isUnderReview', '> REVIEW_HOURS * HOUR_MS && isUnderReview'],
      ['Math.max(requestedAt.getTime(), Math.min(...begins))', 'Math.min(...begins)'],
      [
        'TOTAL_HOURS_BY_HOLD: Partial<Record<TransferHoldReason, number>> = HOLD_TOTAL_HOURS',
        'TOTAL_HOURS_BY_HOLD: Partial<Record<TransferHoldReason, number>> = { ...HOLD_TOTAL_HOURS, reset: 24 }',
      ],
      ['.filter((end) => end <= until)', ''],
      ['row.ended === null && row.releaseNumber === null', 'row.ended === null'],
      ["if (seen) return 'mined'", ''],
      ['pausedUntil !== null && holds.length === 0 ?', 'pausedUntil !== null ?'],
      ['endless || ends.length === 0 ?', 'ends.length === 0 ?'],
      ["if (pausedUntil) return 'paused'", ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/objections.ts`,
    [`${folder}/objections.test.ts`],
    [
      ['confirmed.amount < plan.min', 'confirmed.amount <= plan.min'],
      ['confirmed.amount > plan.max', 'confirmed.amount >= plan.max'],
      ['confirmed.amount + plan.fee > available', 'confirmed.amount > available'],
      ['confirmed.amount > quotaLeft', 'confirmed.amount >= quotaLeft'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/quota_used.sql`,
    [quota],
    [
      ["at > lode.now() - interval '24 hours'", "at >= lode.now() - interval '24 hours'", { only: 'exactly 24 hours' }],
      [' and given_back_at is null', '', { only: 'exactly 24 hours' }],
      [' and asset = of_asset', '', { only: 'separately for each asset' }],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/request_transfer.sql`,
    [order],
    [
      [
        'case when device.of_registration then null else',
        'case when device.of_registration then device.first_seen_at else',
      ],
      ['+ of_amount <= quota_total)', '+ of_amount < quota_total)', { tests: [quota], only: 'exactly 24 hours' }],
      [
        'case when bound.address <> member.account then bound.bound_at end',
        'null',
        { tests: [`${folder}/judge.integration.test.ts`] },
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/cancel_transfer.sql`,
    [order],
    [
      [' and member_id = of_member for no key update', ' for no key update'],
      [' or found_payout.release_number is not null then', ' then'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/end_unpaid_transfer.sql`,
    [order, quota],
    [['  update lode.quota_use set given_back_at = lode.now() where payout_id = of_id;\n', '']],
  ),
  ...mutantsOf(
    'apps/server/src/modules/payout/functions/payout_legs.sql',
    [causes],
    [
      ['total := cause.amount + cause.fee;', 'total := cause.amount;'],
      [
        'cause.fee - cause.fee_burned where is_paid',
        'cause.fee where is_paid',
        { tests: ['apps/server/src/modules/payout/paying.integration.test.ts'], only: 'is burned once a day' },
      ],
      [' and coalesce(member_id, 0) = posted.member;', ';'],
    ],
  ),
]
