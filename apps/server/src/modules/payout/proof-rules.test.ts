import { getAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Movement } from '../custody/index.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import { contradiction, type Known } from './proof-rules.ts'

const SENDER = getAddress(`0x${'b0'.repeat(20)}`)
const OTHER = getAddress(`0x${'b1'.repeat(20)}`)
const MEMBER = 7n

const log = {
  address: zeroHash,
  topics: [],
  data: '0x',
  blockNumber: 1n,
  blockHash: zeroHash,
  tx: zeroHash,
  logIndex: 0,
} as const
const moved = { log, asset: 'USDT', amount: 100n } as const
const deposited: Movement = { ...moved, kind: 'deposit', from: SENDER, into: 'vault' }

const known = (also: Partial<Known> = {}): Known => ({
  addressOf: (owner) => (owner === MEMBER ? SENDER : undefined),
  payoutOf: () => undefined,
  ...also,
})

type Posting = PostedTransaction['postings'][number]
const posting = (kind: Posting['kind'], amount: bigint, owner = 0n, asset: Posting['asset'] = 'USDT'): Posting => ({
  kind,
  amount,
  owner,
  asset,
})
const posted = (type: PostedTransaction['type'], ...postings: Posting[]): PostedTransaction => ({
  type,
  member: 0n,
  key: 'chain:1:0x:0',
  postings,
})

describe('what the books say of a log', () => {
  const credit = posted('deposit', posting('custody:vault', -100n), posting('available', 100n, MEMBER))

  it('is right where its sender has it', () => {
    expect(contradiction(credit, deposited, known())).toBeNull()
  })

  it('is wrong where somebody else has it', () => {
    expect(contradiction(credit, deposited, known({ addressOf: () => OTHER }))).not.toBeNull()
    expect(contradiction(credit, deposited, known({ addressOf: () => undefined }))).not.toBeNull()
  })

  it('is wrong by one unit, by the asset, or by where it is held', () => {
    const wrong = (...postings: Posting[]) => contradiction(posted('deposit', ...postings), deposited, known())
    const available = posting('available', 100n, MEMBER)
    expect(wrong(posting('custody:vault', -101n), posting('available', 101n, MEMBER))).toBe('it moves something else')
    expect(wrong(posting('custody:vault', -100n, 0n, 'BTN'), available)).toBe('it moves something else')
    expect(wrong(posting('custody:vault', -100n), posting('custody:vault', -100n, 0n, 'BTN'), available)).not.toBeNull()
    expect(wrong(posting('custody:cold', -100n), available)).toBe('it moves something else')
    expect(wrong(posting('custody:vault', 100n), available)).toBe('it moves something else')
  })

  it('is wrong where it is something else that moves as much', () => {
    for (const type of ['dividendFunding', 'reserveFunding', 'promotionPaid', 'coldReturn'] as const)
      expect(contradiction(posted(type, posting('custody:vault', -100n)), deposited, known())).not.toBeNull()
  })

  it('is an order’s, or its payer’s deposit, where it is a payment', () => {
    const paid: Movement = { ...moved, kind: 'payment', from: SENDER, orderId: zeroHash }
    const settled = posted('promotionPaid', posting('custody:vault', -100n), posting('pool:mining', 100n))
    expect(contradiction(settled, paid, known())).toBeNull()
    expect(contradiction(credit, paid, known())).toBeNull()
    expect(contradiction(credit, paid, known({ addressOf: () => OTHER }))).not.toBeNull()
  })

  it('is a pledge of its payer, with what was put aside for it, and of nobody else', () => {
    const paid: Movement = { ...moved, asset: 'BTN', kind: 'payment', from: SENDER, orderId: zeroHash }
    const pledged = posted(
      'pledgePaid',
      posting('custody:vault', -100n, 0n, 'BTN'),
      posting('frozenOrder', -20n, MEMBER, 'BTN'),
      posting('pledged', 120n, MEMBER, 'BTN'),
    )
    expect(contradiction(pledged, paid, known())).toBeNull()
    expect(contradiction(pledged, paid, known({ addressOf: () => OTHER }))).not.toBeNull()
    expect(contradiction(pledged, { ...deposited, asset: 'BTN' }, known())).not.toBeNull()
    expect(contradiction(pledged, { ...paid, amount: 120n }, known())).toBe('it moves something else')
  })

  it('is funding for the dividend where the funder paid it in as such, and no deposit then', () => {
    const funded: Movement = {
      ...moved,
      asset: 'BTC',
      kind: 'dividendFunding',
      from: SENDER,
      day: 20_000,
      evidence: { txid: zeroHash, output: 0 },
    }
    const inBooks = (type: PostedTransaction['type'], kind: Posting['kind'], owner = 0n) =>
      posted(type, posting('custody:vault', -100n, 0n, 'BTC'), posting(kind, 100n, owner, 'BTC'))
    expect(contradiction(inBooks('dividendFunding', 'dividend:funded'), funded, known())).toBeNull()
    expect(contradiction(inBooks('deposit', 'available', MEMBER), funded, known())).not.toBeNull()
  })

  it('is the payout that the log names, of that member, and no other', () => {
    const released: Movement = { ...moved, kind: 'payout', to: SENDER, payoutId: zeroHash }
    const paid = posted('transferPaid', posting('frozenOut', -100n, MEMBER), posting('custody:vault', 100n))
    const ofMember = (memberId: bigint) => known({ payoutOf: () => ({ kind: 'transfer', memberId }) })
    expect(contradiction(paid, released, ofMember(MEMBER))).toBeNull()
    expect(contradiction(paid, released, ofMember(8n))).not.toBeNull()
    expect(contradiction(paid, released, known())).not.toBeNull()
    const treasury = posted('treasuryPaid', posting('pool:paying', -100n), posting('custody:vault', 100n))
    expect(contradiction(treasury, released, ofMember(MEMBER))).not.toBeNull()
  })
})
