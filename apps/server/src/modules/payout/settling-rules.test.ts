import { numberToHex, pad, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import type { NotPaid } from '../custody/index.ts'
import type { PayoutRow } from './row.ts'
import { decide, type Known } from './settling-rules.ts'
import { payoutRow } from './testing/rows.ts'

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
  ...({ what: 'paid', kind: 'payout', payoutId: idOnChain(id), asset, amount, to, log: logAt(place) } as const),
})
const notPaid = (place: number, { id }: PayoutRow, reason: NotPaid['reason']) => ({
  ...({ what: 'not paid', payoutId: idOnChain(id), reason, log: logAt(place) } as const),
})
/** A log that was never read before, of release 3. */
const fresh: Known = { isCounted: () => false, releaseOf: () => 3n }

describe('what final blocks say of payouts', () => {
  const row = payoutRow(1, { releaseNumber: 3n })

  it('ends what the vault paid', () => {
    expect(decide([row], [paid(5, row)], fresh)).toMatchObject({ paid: [{ payout: row }], skipped: [], reverted: [] })
  })

  it('is the same when it is read again', () => {
    const final = { ...row, ended: 'final', paidTx: logAt(5).tx, paidLogIndex: 5 } as const
    expect(decide([final], [paid(5, row)], fresh)).toMatchObject({ paid: [{ payout: final }] })
    expect(decide([row], [notPaid(5, row, 'cap')], { ...fresh, isCounted: () => true })).toMatchObject({
      skipped: [],
      reverted: [],
    })
  })

  it.each(['cap', 'balance', 'token'] as const)('takes what was skipped for its %s out of its release', (reason) => {
    expect(decide([row], [notPaid(5, row, reason)], fresh)).toMatchObject({
      skipped: [{ reason, stepsBack: true }],
      reverted: [],
    })
  })

  it('reverts what its token would not make twice, and not for a cap in between', () => {
    const once = { ...row, tokenFailures: 1 }
    expect(decide([once], [notPaid(5, row, 'cap')], fresh)).toMatchObject({ reverted: [] })
    expect(decide([once], [notPaid(5, row, 'token')], fresh)).toMatchObject({ reverted: [{ id: row.id }] })
  })

  it('leaves a payout in its release where another transaction skipped it', () => {
    for (const release of [null, 2n])
      expect(
        decide([{ ...row, tokenFailures: 1 }], [notPaid(5, row, 'token')], { ...fresh, releaseOf: () => release }),
      ).toMatchObject({
        skipped: [{ stepsBack: false }],
        reverted: [],
      })
  })

  it.each<[string, PayoutRow[], ReturnType<typeof paid>]>([
    ['that nobody asked for', [], paid(5, row)],
    ['to somebody else', [row], { ...paid(5, row), to: payoutRow(2).address }],
    ['of another amount', [row], { ...paid(5, row), amount: 11n }],
    ['of another token', [row], { ...paid(5, row), asset: 'BTC' }],
    ['that was cancelled', [{ ...row, ended: 'cancelled' }], paid(5, row)],
    ['a second time', [{ ...row, ended: 'final', paidTx: zeroHash, paidLogIndex: 5 }], paid(5, row)],
  ])('is a reason to stop where the vault made a payout %s', (_what, rows, told) => {
    expect(decide(rows, [told], fresh)).toHaveProperty('impossible')
  })

  it('is a reason to stop where the vault says that it paid before, unless it did', () => {
    expect(decide([row], [notPaid(5, row, 'repeated')], fresh)).toHaveProperty('impossible')
    const news = [notPaid(6, row, 'repeated'), paid(5, row)]
    expect(decide([row], news, fresh)).toMatchObject({ paid: [{ payout: row }] })
  })

  it('knows ids that are not ours', () => {
    expect(decide([], [notPaid(5, row, 'token')], fresh)).toMatchObject({ unknown: [idOnChain(row.id)] })
  })
})
