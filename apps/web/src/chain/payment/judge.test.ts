import { describe, expect, it } from 'vitest'
import { BLIND_LOOKS, judge, NOT_SEEN_MS, type Sight, type Trace } from './judge.ts'
import { askedToPay, hashOf, minedAs, payment, play, sentAs } from './testing/example.ts'

const sent = play(payment, askedToPay, sentAs('1'))
const mined = play(sent, minedAs('1'))
const confirming = play(mined, { type: 'pool-saw', hash: hashOf('1'), now: 5_000 })
const lost = play(payment, askedToPay, { type: 'answer-lost', now: 3_000 })

const trace = (digit: string, known: Partial<Trace> = {}): Trace => ({
  hash: hashOf(digit),
  receipt: null,
  waiting: null,
  ...known,
})
const inBlock = (success: boolean) => ({ receipt: { success, block: { number: 51, hash: hashOf('b') } } })
const sight = (...traces: Trace[]): Sight => ({ traces, found: null, overtaken: null })
const glance = { sight: sight(trace('1')), blind: 0, credit: null, now: 3_500 }

describe('a look at the chain', () => {
  it('that shows a receipt with success means mined', () => {
    expect(judge(sent, { ...glance, sight: sight(trace('1', inBlock(true))) })).toMatchObject({ type: 'mined' })
  })

  it('that shows a receipt without success means reverted, unless the payment is there by another transaction', () => {
    const reverted = sight(trace('1', inBlock(false)))
    expect(judge(sent, { ...glance, sight: reverted })).toMatchObject({ type: 'reverted', hash: hashOf('1') })
    expect(judge(sent, { ...glance, sight: { ...reverted, found: hashOf('2') } })).toMatchObject({
      type: 'found',
      hash: hashOf('2'),
    })
  })

  it('that shows an earlier one reverted says nothing of the later one', () => {
    const again = play(sent, { type: 'lost-sight', why: 'not-seen', now: 1 }, { type: 'go' }, askedToPay, sentAs('2'))
    const both = sight(trace('1', inBlock(false)), trace('2'))
    expect(judge(again, { ...glance, sight: both })).toBeNull()
  })

  it('that shows nothing is no failure: first nothing, then “not seen”', () => {
    expect(judge(sent, glance)).toBeNull()
    expect(judge(sent, { ...glance, now: 3_000 + NOT_SEEN_MS })).toMatchObject({ type: 'lost-sight', why: 'not-seen' })
  })

  it('that shows it waiting leaves it as sent, for however long', () => {
    const waiting = sight(trace('1', { waiting: { nonce: 7 } }))
    expect(judge(sent, { ...glance, sight: waiting, now: 10 ** 9 })).toMatchObject({ type: 'pending', nonce: 7 })
  })

  it('that shows another in its place means replaced; where that one cannot be found, only that it is not known', () => {
    const overtaken = (by: `0x${string}` | null) => ({ ...sight(trace('1')), overtaken: { hash: hashOf('1'), by } })
    expect(judge(sent, { ...glance, sight: overtaken(hashOf('9')) })).toMatchObject({
      type: 'replaced',
      by: hashOf('9'),
    })
    expect(judge(sent, { ...glance, sight: overtaken(null) })).toMatchObject({ type: 'lost-sight', why: 'overtaken' })
  })

  it('that cannot be had is no failure either, and not said after one hiccup', () => {
    expect(judge(sent, { ...glance, sight: null, blind: 1 })).toBeNull()
    expect(judge(sent, { ...glance, sight: null, blind: BLIND_LOOKS })).toMatchObject({
      type: 'lost-sight',
      why: 'no-node',
    })
    expect(judge(mined, { ...glance, sight: null, blind: 9 })).toBeNull()
    expect(judge(lost, { ...glance, sight: null, blind: 9 })).toBeNull()
  })

  it('that no longer shows what was mined means a reorganisation, unless the pool still sees it', () => {
    const confirmed = { hash: hashOf('1'), says: 'confirming' as const }
    expect(judge(mined, glance)).toMatchObject({ type: 'unmined' })
    expect(judge(confirming, { ...glance, credit: confirmed })).toBeNull()
    expect(judge(confirming, { ...glance, credit: { hash: hashOf('1'), says: 'none' } })).toMatchObject({
      type: 'unmined',
    })
  })
})

describe('the pool', () => {
  it('alone says that something is credited, also when the chain cannot be asked', () => {
    const credit = { hash: hashOf('1'), says: 'credited' as const }
    expect(judge(confirming, { ...glance, sight: null, blind: 5, credit })).toMatchObject({ type: 'pool-credited' })
    expect(judge(confirming, { ...glance, sight: sight(trace('1', inBlock(true))) })?.type).not.toBe('pool-credited')
  })
})
