import { numberToHex, pad, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { testContracts } from '../../testing/contracts.ts'
import type { UnpaidPayout } from '../custody/index.ts'
import type { PayoutRow } from './payout-row.ts'
import { decideOutcomes, type SkipFacts } from './settling-rules.ts'
import { buildPayoutRow } from './testing/payout-row.ts'

const logAt = (place: number) => ({
  ...({
    address: '0x01',
    topics: [],
    data: '0x',
    blockHash: zeroHash,
    blockNumber: BigInt(place),
    logIndex: place,
  } as const),
  tx: pad(numberToHex(place), { size: 32 }),
})
const paid = (place: number, { id, asset, amount, address: to }: PayoutRow) => ({
  ...({ outcome: 'paid', kind: 'payout', payoutId: idOnChain(id), asset, amount, to, log: logAt(place) } as const),
})
const notPaid = (place: number, { id }: PayoutRow, reason: UnpaidPayout['reason']) => ({
  ...({ outcome: 'not paid', payoutId: idOnChain(id), reason, log: logAt(place) } as const),
})
/** A log that was never read before, of release 3. */
const newSkip: SkipFacts = { isCounted: () => false, releaseOf: () => 3n }
const decide = (
  rows: Parameters<typeof decideOutcomes>[0],
  events: Parameters<typeof decideOutcomes>[1],
  facts: SkipFacts,
) => decideOutcomes(rows, events, facts, testContracts)

describe('a final vault event', () => {
  const row = buildPayoutRow(1, { releaseNumber: 3n })

  it('ends a payout that the vault paid', () => {
    expect(decide([row], [paid(5, row)], newSkip)).toMatchObject({
      paid: [{ payout: row }],
      skipped: [],
      reverted: [],
    })
  })

  it('has the same result when it is read again', () => {
    const final = { ...row, ended: 'final', paidTx: logAt(5).tx, paidLogIndex: 5 } as const
    expect(decide([final], [paid(5, row)], newSkip)).toMatchObject({ paid: [{ payout: final }] })
    expect(decide([row], [notPaid(5, row, 'cap')], { ...newSkip, isCounted: () => true })).toMatchObject({
      skipped: [],
      reverted: [],
    })
  })

  it.each(['cap', 'balance', 'token'] as const)(
    'takes a payout that was skipped because of its %s out of its release',
    (reason) => {
      expect(decide([row], [notPaid(5, row, reason)], newSkip)).toMatchObject({
        skipped: [{ reason, stepsBack: true }],
        reverted: [],
      })
    },
  )

  it('reverts a payout that its token refused twice, but not one that a cap skipped', () => {
    const once = { ...row, tokenFailures: 1 }
    expect(decide([once], [notPaid(5, row, 'cap')], newSkip)).toMatchObject({ reverted: [] })
    expect(decide([once], [notPaid(5, row, 'token')], newSkip)).toMatchObject({ reverted: [{ id: row.id }] })
  })

  it('leaves a payout in its release if a transaction of another release skipped it', () => {
    for (const release of [null, 2n])
      expect(
        decide([{ ...row, tokenFailures: 1 }], [notPaid(5, row, 'token')], {
          ...newSkip,
          releaseOf: () => release,
        }),
      ).toMatchObject({
        skipped: [{ stepsBack: false }],
        reverted: [],
      })
  })

  it.each<[string, PayoutRow[], ReturnType<typeof paid>]>([
    ['that was never requested', [], paid(5, row)],
    ['to another address', [row], { ...paid(5, row), to: buildPayoutRow(2).address }],
    ['of another amount', [row], { ...paid(5, row), amount: 11n }],
    ['of another token', [row], { ...paid(5, row), asset: 'BTC' }],
    ['that was canceled', [{ ...row, ended: 'cancelled' }], paid(5, row)],
    ['a second time', [{ ...row, ended: 'final', paidTx: zeroHash, paidLogIndex: 5 }], paid(5, row)],
  ])('stops the watcher if the vault made a payout %s', (_what, rows, told) => {
    expect(decide(rows, [told], newSkip)).toHaveProperty('impossible')
  })

  it('that nobody asked for is told with its amount in whole coins', () => {
    const impossible = expect.stringMatching(/^payout 0x\w+ of 1\.5 USDT to 0x\w+, which nobody asked for$/)
    const told = { ...paid(5, row), asset: 'USDT', amount: 1_500_000n } as const
    expect(decide([], [told], newSkip)).toMatchObject({ impossible })
  })

  it('is reported if it refuses a payout as paid before, unless the ledger has that payment', () => {
    const refused = { paid: [], skipped: [], reverted: [], unknown: [idOnChain(row.id)] }
    expect(decide([row], [notPaid(5, row, 'repeated')], newSkip)).toEqual(refused)
    expect(decide([], [notPaid(5, row, 'repeated')], newSkip)).toEqual(refused)
    const news = [notPaid(6, row, 'repeated'), paid(5, row)]
    expect(decide([row], news, newSkip)).toMatchObject({ paid: [{ payout: row }], unknown: [] })
  })

  it('is reported if it skips a payout id that the pool does not have', () => {
    expect(decide([], [notPaid(5, row, 'token')], newSkip)).toMatchObject({ unknown: [idOnChain(row.id)] })
  })
})
