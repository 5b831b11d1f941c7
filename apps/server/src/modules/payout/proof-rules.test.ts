import { getAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Movement } from '../custody/index.ts'
import type { PostedTransaction } from '../ledger/index.ts'
import { findContradiction, isReversalOf, type ProofFacts } from './proof-rules.ts'

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
  mayFundLoss: () => false,
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
  postedAt: new Date(0),
  postings,
})

const OTHER_AMOUNT = 'the log moves another amount or asset'
const otherOwner = (kind: Movement['kind']) => `the log is a ${kind}, or belongs to another owner`

describe('a ledger transaction for a chain log', () => {
  const credit = posted('deposit', posting('custody:vault', -100n), posting('available', 100n, MEMBER))

  it('is accepted if it credits the sender', () => {
    expect(findContradiction(credit, depositMovement, buildFacts())).toBeNull()
  })

  it('is rejected if it credits another member', () => {
    expect(findContradiction(credit, depositMovement, buildFacts({ addressOf: () => OTHER }))).toBe(
      otherOwner('deposit'),
    )
    expect(findContradiction(credit, depositMovement, buildFacts({ addressOf: () => undefined }))).toBe(
      otherOwner('deposit'),
    )
  })

  it('is rejected if its amount, asset or custody account differs', () => {
    const wrong = (...postings: Posting[]) =>
      findContradiction(posted('deposit', ...postings), depositMovement, buildFacts())
    const available = posting('available', 100n, MEMBER)
    expect(wrong(posting('custody:vault', -101n), posting('available', 101n, MEMBER))).toBe(OTHER_AMOUNT)
    expect(wrong(posting('custody:vault', -100n, 0n, 'BTN'), available)).toBe(OTHER_AMOUNT)
    expect(wrong(posting('custody:vault', -100n), posting('custody:vault', 0n, 0n, 'BTN'), available)).toBe(
      OTHER_AMOUNT,
    )
    expect(wrong(posting('custody:cold', -100n), available)).toBe(OTHER_AMOUNT)
    expect(wrong(posting('custody:vault', 100n), available)).toBe(OTHER_AMOUNT)
  })

  it('is rejected if its type does not fit the log', () => {
    for (const type of ['dividendFunding', 'reserveFunding', 'promotionPaid', 'coldReturn'] as const)
      expect(findContradiction(posted(type, posting('custody:vault', -100n)), depositMovement, buildFacts())).toBe(
        otherOwner('deposit'),
      )
  })

  it('may replace what is missing only if the sender may fund a loss; the rest waits for the sender', () => {
    const funding = posted(
      'lossFunding',
      posting('custody:vault', -100n),
      posting('pool:loss', 60n),
      posting('suspense:address', 40n, MEMBER),
    )
    expect(findContradiction(funding, depositMovement, buildFacts({ mayFundLoss: () => true }))).toBeNull()
    expect(findContradiction(funding, depositMovement, buildFacts())).toBe(otherOwner('deposit'))
    const ofAnother = buildFacts({ mayFundLoss: () => true, addressOf: () => OTHER })
    expect(findContradiction(funding, depositMovement, ofAnother)).toBe(otherOwner('deposit'))
  })

  it('may be a paid order or a deposit of the payer if the log is a payment', () => {
    const paid: Movement = { ...baseMovement, kind: 'payment', from: SENDER, orderId: zeroHash }
    const settled = posted('promotionPaid', posting('custody:vault', -100n), posting('pool:mining', 100n))
    expect(findContradiction(settled, paid, buildFacts())).toBeNull()
    expect(findContradiction(credit, paid, buildFacts())).toBeNull()
    expect(findContradiction(credit, paid, buildFacts({ addressOf: () => OTHER }))).toBe(otherOwner('payment'))
    for (const payerOf of [() => OTHER, () => undefined])
      expect(findContradiction(settled, paid, buildFacts({ payerOf }))).toBe(otherOwner('payment'))
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
    expect(findContradiction(pledged, paid, buildFacts({ addressOf: () => OTHER }))).toBe(otherOwner('payment'))
    expect(findContradiction(pledged, { ...depositMovement, asset: 'BTN' }, buildFacts())).toBe(otherOwner('deposit'))
    expect(findContradiction(pledged, { ...paid, amount: 120n }, buildFacts())).toBe(OTHER_AMOUNT)
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
    expect(findContradiction(inBooks('deposit', 'available', MEMBER), funded, buildFacts())).toBe(
      otherOwner('dividendFunding'),
    )
  })

  it('must fund the reserve that the log names, and no other', () => {
    const funded: Movement = { ...baseMovement, asset: 'BTN', kind: 'reserveFunding', from: SENDER, reserve: 'airdrop' }
    const into = (kind: Posting['kind']) =>
      posted('reserveFunding', posting('custody:vault', -100n, 0n, 'BTN'), posting(kind, 100n, 0n, 'BTN'))
    expect(findContradiction(into('reserve:airdrop'), funded, buildFacts())).toBeNull()
    expect(findContradiction(into('reserve:promotion'), funded, buildFacts())).toBe(otherOwner('reserveFunding'))
    const deposit = posted('deposit', ...into('reserve:airdrop').postings)
    expect(findContradiction(deposit, funded, buildFacts())).toBe(otherOwner('reserveFunding'))
  })

  it('must move the money between vault and cold storage in the direction of the log', () => {
    const between = (type: 'coldMove' | 'coldReturn', vault: bigint) =>
      posted(type, posting('custody:vault', vault), posting('custody:cold', -vault))
    const moved: Movement = { ...baseMovement, kind: 'coldMove' } as Movement
    const returned: Movement = { ...baseMovement, kind: 'coldReturn' } as Movement
    expect(findContradiction(between('coldMove', 100n), moved, buildFacts())).toBeNull()
    expect(findContradiction(between('coldReturn', -100n), returned, buildFacts())).toBeNull()
    expect(findContradiction(between('coldMove', -100n), moved, buildFacts())).toBe(OTHER_AMOUNT)
    expect(findContradiction(between('coldReturn', 100n), returned, buildFacts())).toBe(OTHER_AMOUNT)
    expect(findContradiction(between('coldReturn', 100n), moved, buildFacts())).toBe(otherOwner('coldMove'))
    const onlyVault = posted('coldMove', posting('custody:vault', 100n), posting('custody:cold', -99n))
    expect(findContradiction(onlyVault, moved, buildFacts())).toBe(OTHER_AMOUNT)
  })

  it('may be a deposit into suspense, and takes money out of cold storage if it was sent there', () => {
    const toCold: Movement = { ...depositMovement, into: 'cold' }
    const suspended = (custody: Posting['kind']) =>
      posted('suspenseDeposit', posting(custody, -100n), posting('suspense:address', 100n, MEMBER))
    expect(findContradiction(suspended('custody:vault'), depositMovement, buildFacts())).toBeNull()
    expect(findContradiction(suspended('custody:cold'), toCold, buildFacts())).toBeNull()
    expect(findContradiction(suspended('custody:vault'), toCold, buildFacts())).toBe(OTHER_AMOUNT)
  })

  it('must be the payout that the log names, for its member', () => {
    const released: Movement = { ...baseMovement, kind: 'payout', to: SENDER, payoutId: zeroHash }
    const paid = posted('transferPaid', posting('frozenOut', -100n, MEMBER), posting('custody:vault', 100n))
    const ofMember = (memberId: bigint) => buildFacts({ payoutOf: () => ({ kind: 'transfer', memberId }) })
    expect(findContradiction(paid, released, ofMember(MEMBER))).toBeNull()
    expect(findContradiction(paid, released, ofMember(8n))).toBe(otherOwner('payout'))
    expect(findContradiction(paid, released, buildFacts())).toBe(otherOwner('payout'))
    const treasury = posted('treasuryPaid', posting('pool:paying', -100n), posting('custody:vault', 100n))
    expect(findContradiction(treasury, released, ofMember(MEMBER))).toBe(otherOwner('payout'))
  })
})

describe('a reversal', () => {
  const undone = posted('deposit', posting('custody:vault', -100n), posting('available', 100n, MEMBER))
  const reversal = (...postings: Posting[]) => isReversalOf(posted('reverse', ...postings), undone)

  it('is the opposite of what it undoes, or takes less from the member and misses the rest', () => {
    expect(reversal(posting('custody:vault', 100n), posting('available', -100n, MEMBER))).toBe(true)
    expect(
      reversal(posting('custody:vault', 100n), posting('available', -40n, MEMBER), posting('pool:loss', -60n)),
    ).toBe(true)
    expect(reversal(posting('custody:vault', 100n), posting('pool:loss', -100n))).toBe(true)
  })

  it('takes no more, from nobody else, and leaves custody right', () => {
    expect(
      reversal(posting('custody:vault', 100n), posting('available', -110n, MEMBER), posting('pool:loss', 10n)),
    ).toBe(false)
    expect(reversal(posting('custody:vault', 100n), posting('available', -100n, 8n))).toBe(false)
    expect(reversal(posting('custody:vault', 90n), posting('available', -90n, MEMBER))).toBe(false)
    expect(
      reversal(posting('custody:vault', 100n), posting('available', 10n, MEMBER), posting('pool:loss', -110n)),
    ).toBe(false)
  })

  it('takes back all of what a false move credited to custody', () => {
    const move = posted('coldMove', posting('custody:cold', -100n), posting('custody:vault', 100n))
    const undoing = (...postings: Posting[]) => isReversalOf(posted('reverse', ...postings), move)
    expect(undoing(posting('custody:cold', 100n), posting('custody:vault', -100n))).toBe(true)
    expect(undoing(posting('custody:cold', 100n), posting('custody:vault', -40n), posting('pool:loss', -60n))).toBe(
      false,
    )
  })
})
