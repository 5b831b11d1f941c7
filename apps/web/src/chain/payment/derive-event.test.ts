import { describe, expect, it } from 'vitest'
import {
  type ChainSnapshot,
  deriveEvent,
  NOT_SEEN_MS,
  REPORTED_FAILED_READS,
  type TransactionSnapshot,
} from './derive-event.ts'
import { mayAskAgain } from './payment.ts'
import { askedToPay, hashOf, minedAs, payment, play, sentAs } from './testing/example.ts'

const sent = play(payment, askedToPay, sentAs('1'))
const mined = play(sent, minedAs('1'))
const confirming = play(mined, { type: 'pool-saw', hash: hashOf('1'), now: 5_000 })
const lost = play(payment, askedToPay, { type: 'answer-lost', now: 3_000 })

const transaction = (digit: string, known: Partial<TransactionSnapshot> = {}): TransactionSnapshot => ({
  hash: hashOf(digit),
  receipt: null,
  waiting: null,
  ...known,
})
const inBlock = (success: boolean) => ({ receipt: { success, block: { number: 51, hash: hashOf('b') } } })
const snapshotOf = (...traces: TransactionSnapshot[]): ChainSnapshot => ({ traces, found: null, overtaken: null })
const observation = { snapshot: snapshotOf(transaction('1')), failedReads: 0, credit: null, now: 3_500 }

describe('a read of the chain', () => {
  it('that shows a receipt with success means mined', () => {
    expect(deriveEvent(sent, { ...observation, snapshot: snapshotOf(transaction('1', inBlock(true))) })).toMatchObject({
      type: 'mined',
    })
  })

  it('that shows a failed receipt means reverted, unless another transaction made the payment', () => {
    const reverted = snapshotOf(transaction('1', inBlock(false)))
    expect(deriveEvent(sent, { ...observation, snapshot: reverted })).toMatchObject({
      type: 'reverted',
      hash: hashOf('1'),
    })
    expect(deriveEvent(sent, { ...observation, snapshot: { ...reverted, found: hashOf('2') } })).toMatchObject({
      type: 'found',
      hash: hashOf('2'),
    })
  })

  it('that shows an earlier transaction reverted does not affect the later one', () => {
    const again = play(sent, { type: 'lost-sight', why: 'not-seen', now: 1 }, { type: 'go' }, askedToPay, sentAs('2'))
    const both = snapshotOf(transaction('1', inBlock(false)), transaction('2'))
    expect(deriveEvent(again, { ...observation, snapshot: both })).toBeNull()
  })

  it('that shows no transaction is not a failure: the payment becomes “not seen” after 15 seconds', () => {
    expect(deriveEvent(sent, observation)).toBeNull()
    expect(deriveEvent(sent, { ...observation, now: 3_000 + NOT_SEEN_MS })).toMatchObject({
      type: 'lost-sight',
      why: 'not-seen',
    })
  })

  it('that shows the transaction pending keeps the payment sent, without a time limit', () => {
    const waiting = snapshotOf(transaction('1', { waiting: { nonce: 7 } }))
    expect(deriveEvent(sent, { ...observation, snapshot: waiting, now: 10 ** 9 })).toMatchObject({
      type: 'pending',
      nonce: 7,
    })
  })

  it('that shows another transaction with its nonce means replaced, or unknown if that transaction is not found', () => {
    const overtaken = (by: `0x${string}` | null) => ({
      ...snapshotOf(transaction('1')),
      overtaken: { hash: hashOf('1'), by },
    })
    expect(deriveEvent(sent, { ...observation, snapshot: overtaken(hashOf('9')) })).toMatchObject({
      type: 'replaced',
      by: hashOf('9'),
    })
    expect(deriveEvent(sent, { ...observation, snapshot: overtaken(null) })).toMatchObject({
      type: 'lost-sight',
      why: 'overtaken',
    })
  })

  it('that fails is not a failed payment, and one failed read is not reported', () => {
    expect(deriveEvent(sent, { ...observation, snapshot: null, failedReads: 1 })).toBeNull()
    expect(deriveEvent(sent, { ...observation, snapshot: null, failedReads: REPORTED_FAILED_READS })).toMatchObject({
      type: 'lost-sight',
      why: 'no-node',
    })
    expect(deriveEvent(mined, { ...observation, snapshot: null, failedReads: 9 })).toBeNull()
  })

  it('that works again after the node was away shows the payment as not seen', () => {
    const away = play(sent, { type: 'lost-sight', why: 'no-node', now: 3_100 })
    expect(deriveEvent(away, observation)).toEqual({ type: 'lost-sight', why: 'not-seen', now: 3_500 })
    expect(deriveEvent(play(away, { type: 'lost-sight', why: 'not-seen', now: 3_200 }), observation)).toBeNull()
  })

  it('that no longer shows a mined payment means a reorganization, unless the pool still sees it', () => {
    const confirmed = { hash: hashOf('1'), state: 'confirming' as const, toBalance: true }
    expect(deriveEvent(mined, observation)).toMatchObject({ type: 'unmined' })
    expect(deriveEvent(confirming, { ...observation, credit: confirmed })).toBeNull()
    expect(deriveEvent(confirming, { ...observation, credit: { ...confirmed, state: 'none' } })).toMatchObject({
      type: 'unmined',
    })
  })
})

describe('a payment whose answer was lost', () => {
  const unread = { ...observation, snapshot: null, failedReads: 2 }

  it('is unsearched, and is not asked for again, while no node can be searched', () => {
    const event = deriveEvent(lost, unread)
    expect(event).toEqual({ type: 'lost-sight', why: 'unsearched', now: 3_500 })
    const unsearched = event && play(lost, event)
    expect(unsearched && mayAskAgain(unsearched)).toBe(false)
    expect(unsearched && deriveEvent(unsearched, observation)).toEqual({
      type: 'lost-sight',
      why: 'answer-lost',
      now: 3_500,
    })
  })

  it('stays as it is after one failed read', () => {
    expect(deriveEvent(lost, { ...unread, failedReads: 1 })).toBeNull()
  })
})

describe('the pool', () => {
  it('alone reports a payment as credited, even if the chain cannot be read', () => {
    const credit = { hash: hashOf('1'), state: 'credited' as const, toBalance: false }
    expect(deriveEvent(confirming, { ...observation, snapshot: null, failedReads: 5, credit })).toMatchObject({
      type: 'pool-credited',
      toBalance: false,
    })
    expect(
      deriveEvent(confirming, { ...observation, snapshot: snapshotOf(transaction('1', inBlock(true))) })?.type,
    ).not.toBe('pool-credited')
  })
})
