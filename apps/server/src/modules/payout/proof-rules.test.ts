import { getAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Movement } from '../custody/index.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import { findContradiction, type ProofFacts } from './proof-rules.ts'

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
const baseMovement = { log, asset: 'USDT', amount: 100n } as const
const depositMovement: Movement = { ...baseMovement, kind: 'deposit', from: SENDER, into: 'vault' }

const buildFacts = (also: Partial<ProofFacts> = {}): ProofFacts => ({
  addressOf: (owner) => (owner === MEMBER ? SENDER : undefined),
  payoutOf: () => undefined,
  payerOf: () => SENDER,
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

describe('a ledger transaction for a chain log', () => {
  const credit = posted('deposit', posting('custody:vault', -100n), posting('available', 100n, MEMBER))

  it('is accepted if it credits the sender', () => {
    expect(findContradiction(credit, depositMovement, buildFacts())).toBeNull()
  })

  it('is rejected if it credits another member', () => {
    expect(findContradiction(credit, depositMovement, buildFacts({ addressOf: () => OTHER }))).not.toBeNull()
    expect(findContradiction(credit, depositMovement, buildFacts({ addressOf: () => undefined }))).not.toBeNull()
  })

  it('is rejected if its amount, asset or custody account differs', () => {
    const wrong = (...postings: Posting[]) =>
      findContradiction(posted('deposit', ...postings), depositMovement, buildFacts())
    const available = posting('available', 100n, MEMBER)
    expect(wrong(posting('custody:vault', -101n), posting('available', 101n, MEMBER))).toBe(
      'the log moves another amount or asset',
    )
    expect(wrong(posting('custody:vault', -100n, 0n, 'BTN'), available)).toBe('the log moves another amount or asset')
    expect(wrong(posting('custody:vault', -100n), posting('custody:vault', -100n, 0n, 'BTN'), available)).not.toBeNull()
    expect(wrong(posting('custody:cold', -100n), available)).toBe('the log moves another amount or asset')
    expect(wrong(posting('custody:vault', 100n), available)).toBe('the log moves another amount or asset')
  })

  it('is rejected if its type does not fit the log', () => {
    for (const type of ['dividendFunding', 'reserveFunding', 'promotionPaid', 'coldReturn'] as const)
      expect(
        findContradiction(posted(type, posting('custody:vault', -100n)), depositMovement, buildFacts()),
      ).not.toBeNull()
  })

  it('may be a paid order or a deposit of the payer if the log is a payment', () => {
    const paid: Movement = { ...baseMovement, kind: 'payment', from: SENDER, orderId: zeroHash }
    const settled = posted('promotionPaid', posting('custody:vault', -100n), posting('pool:mining', 100n))
    expect(findContradiction(settled, paid, buildFacts())).toBeNull()
    expect(findContradiction(credit, paid, buildFacts())).toBeNull()
    expect(findContradiction(credit, paid, buildFacts({ addressOf: () => OTHER }))).not.toBeNull()
  })

  it('may be a pledge of the payer, with its frozen part, and of no other member', () => {
    const paid: Movement = { ...baseMovement, asset: 'BTN', kind: 'payment', from: SENDER, orderId: zeroHash }
    const pledged = posted(
      'pledgePaid',
      posting('custody:vault', -100n, 0n, 'BTN'),
      posting('frozenOrder', -20n, MEMBER, 'BTN'),
      posting('pledged', 120n, MEMBER, 'BTN'),
    )
    expect(findContradiction(pledged, paid, buildFacts())).toBeNull()
    expect(findContradiction(pledged, paid, buildFacts({ addressOf: () => OTHER }))).not.toBeNull()
    expect(findContradiction(pledged, { ...depositMovement, asset: 'BTN' }, buildFacts())).not.toBeNull()
    expect(findContradiction(pledged, { ...paid, amount: 120n }, buildFacts())).toBe(
      'the log moves another amount or asset',
    )
  })

  it('must be dividend funding, and not a deposit, if the funder paid it in as such', () => {
    const funded: Movement = {
      ...baseMovement,
      asset: 'BTC',
      kind: 'dividendFunding',
      from: SENDER,
      day: 20_000,
      evidence: { txid: zeroHash, output: 0 },
    }
    const inBooks = (type: PostedTransaction['type'], kind: Posting['kind'], owner = 0n) =>
      posted(type, posting('custody:vault', -100n, 0n, 'BTC'), posting(kind, 100n, owner, 'BTC'))
    expect(findContradiction(inBooks('dividendFunding', 'dividend:funded'), funded, buildFacts())).toBeNull()
    expect(findContradiction(inBooks('deposit', 'available', MEMBER), funded, buildFacts())).not.toBeNull()
  })

  it('must be the payout that the log names, for its member', () => {
    const released: Movement = { ...baseMovement, kind: 'payout', to: SENDER, payoutId: zeroHash }
    const paid = posted('transferPaid', posting('frozenOut', -100n, MEMBER), posting('custody:vault', 100n))
    const ofMember = (memberId: bigint) => buildFacts({ payoutOf: () => ({ kind: 'transfer', memberId }) })
    expect(findContradiction(paid, released, ofMember(MEMBER))).toBeNull()
    expect(findContradiction(paid, released, ofMember(8n))).not.toBeNull()
    expect(findContradiction(paid, released, buildFacts())).not.toBeNull()
    const treasury = posted('treasuryPaid', posting('pool:paying', -100n), posting('custody:vault', 100n))
    expect(findContradiction(treasury, released, ofMember(MEMBER))).not.toBeNull()
  })
})
