import { describe, expect, it } from 'vitest'
import { isAirdrop, type PostedTransaction } from './posted-transactions.ts'

type Posting = PostedTransaction['postings'][number]

const MEMBER = 7n
const debit: Posting = { kind: 'reserve:airdrop', owner: 0n, asset: 'BTN', amount: -100n }
const credit: Posting = { kind: 'available', owner: MEMBER, asset: 'BTN', amount: 100n }
const isRight = (...postings: Posting[]): boolean =>
  isAirdrop(
    { type: 'airdropForAgent', member: MEMBER, key: 'appointed:expert', postedAt: new Date(0), postings },
    'reserve:airdrop',
    100n,
  )

describe('an airdrop', () => {
  it('moves exactly its amount of BTN from its reserve to its member', () => {
    expect(isRight(debit, credit)).toBe(true)
    expect(isRight(credit, debit)).toBe(true)
    expect(isRight(debit, { ...credit, owner: 8n })).toBe(false)
    expect(isRight(debit, { ...credit, amount: 101n })).toBe(false)
    expect(isRight(debit, { ...credit, kind: 'pledged' })).toBe(false)
    expect(isRight(debit, { ...credit, asset: 'BTC' })).toBe(false)
    expect(isRight({ ...debit, amount: -101n }, credit)).toBe(false)
    expect(isRight({ ...debit, kind: 'reserve:promotion' }, credit)).toBe(false)
    expect(isRight(debit, credit, debit, { ...credit, owner: 8n })).toBe(false)
    expect(isRight(credit)).toBe(false)
  })
})
