import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Event, next } from './next.ts'
import { isEnded, type Payment, type Stage } from './payment.ts'
import { readPayment, written } from './stored.ts'
import { askedToPay, hashOf, minedAs, payment, play, sentAs } from './testing/example.ts'

const now = 9_000
const askedToApprove: Event = { type: 'asked', left: ['approve', 'pay'], nonce: 6, block: 49, now }
const sent = play(payment, askedToPay, sentAs('1'))
const mined = play(sent, minedAs('1'))

describe('a payment', () => {
  it('goes from approval to credit, each step after the one before', () => {
    const stages: Stage['at'][] = []
    const events: Event[] = [
      askedToApprove,
      { type: 'approval-sent', hash: hashOf('a'), now },
      { type: 'approved' },
      askedToPay,
      sentAs('1'),
      minedAs('1'),
      { type: 'pool-saw', hash: hashOf('1'), now },
      { type: 'pool-credited', hash: hashOf('1'), now },
    ]
    let state = payment
    for (const event of events) {
      state = next(state, event)
      stages.push(state.stage.at)
    }
    expect(stages).toEqual(['asking', 'approving', 'checking', 'asking', 'sent', 'mined', 'confirming', 'credited'])
    expect(state).toMatchObject({ done: ['approve'], fromBlock: 50, sent: [{ hash: hashOf('1') }] })
  })

  it('is as if it had never been where the member says no in the wallet', () => {
    expect(play(payment, askedToApprove, { type: 'refused', now }).stage.at).toBe('refused')
    expect(play(payment, askedToPay, { type: 'refused', now }).stage.at).toBe('refused')
  })

  it('is not as if it had never been where an earlier one was sent', () => {
    const again = play(sent, { type: 'lost-sight', why: 'not-seen', now }, { type: 'go' }, askedToPay)
    expect(play(again, { type: 'refused', now })).toMatchObject({
      stage: { at: 'unknown' },
      sent: [{ hash: hashOf('1') }],
    })
  })

  it('goes back to sent when a reorganisation takes it out of its block, and into the next one', () => {
    const back = play(mined, { type: 'unmined', now })
    expect(back.stage).toMatchObject({ at: 'sent', hash: hashOf('1') })
    expect(play(back, minedAs('1', 'c')).stage).toMatchObject({ at: 'mined', block: { hash: hashOf('c') } })
  })

  it('follows its successor when it was sped up', () => {
    const sped = play(sent, { type: 'found', hash: hashOf('2'), now })
    expect(sped).toMatchObject({
      stage: { at: 'sent', hash: hashOf('2') },
      sent: [{ hash: hashOf('1') }, { hash: hashOf('2') }],
    })
  })

  it('that stands in a block has not failed, whatever is heard of it', () => {
    expect(play(mined, { type: 'reverted', hash: hashOf('1'), now })).toBe(mined)
    expect(play(mined, { type: 'replaced', hash: hashOf('1'), by: hashOf('2'), now })).toBe(mined)
    expect(play(mined, { type: 'lost-sight', why: 'no-node', now })).toBe(mined)
  })
})

describe('a page that is opened anew', () => {
  it.each<[string, Payment, Stage['at']]>([
    ['before the wallet opened', payment, 'paused'],
    ['while the wallet asked for an approval', play(payment, askedToApprove), 'paused'],
    [
      'while an approval was on its way',
      play(payment, askedToApprove, { type: 'approval-sent', hash: hashOf('a'), now }),
      'approving',
    ],
    ['while the wallet asked to pay', play(payment, askedToPay), 'unknown'],
    ['after it was sent', sent, 'sent'],
    ['after it was mined', mined, 'mined'],
  ])('%s finds it again', (_when, before, at) => {
    const found = readPayment(written(before))
    expect(found).toEqual(before)
    expect(found && play(found, { type: 'resumed', now }).stage.at).toBe(at)
  })
})

const hashes = ['1', '2', '3'].map(hashOf)
const hash = fc.constantFrom(...hashes)
const block = fc.record({ number: fc.nat(99), hash: fc.constantFrom(hashOf('b'), hashOf('c')) })
const at = fc.constant({ now })
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.constantFrom<Event>(
    { type: 'resumed', now },
    { type: 'go' },
    askedToApprove,
    askedToPay,
    { type: 'asked', left: ['permit', 'pay'], nonce: 7, block: 50, now },
    { type: 'permit-signed' },
    { type: 'permit-unsupported' },
    { type: 'approval-sent', hash: hashOf('a'), now },
    { type: 'approved' },
    { type: 'refused', now },
    { type: 'stopped', problem: null, now },
    { type: 'stopped', problem: { kind: 'would-fail', why: 'balance' }, now },
    { type: 'answer-lost', now },
    { type: 'unmined', now },
  ),
  fc.constantFrom('no-node' as const, 'not-seen' as const, 'overtaken' as const).map((why) => ({
    type: 'lost-sight' as const,
    why,
    now,
  })),
  fc.tuple(hash, at).map(([one, when]) => ({ type: 'pay-sent' as const, hash: one, ...when })),
  fc.tuple(hash, fc.nat(9)).map(([one, nonce]) => ({ type: 'pending' as const, hash: one, nonce, now })),
  fc.tuple(hash, block).map(([one, place]) => ({ type: 'mined' as const, hash: one, block: place, now })),
  fc.tuple(hash, hash).map(([one, by]) => ({ type: 'replaced' as const, hash: one, by, now })),
  fc
    .tuple(fc.constantFrom('reverted' as const, 'found' as const, 'pool-saw' as const, 'pool-credited' as const), hash)
    .map(([type, one]) => ({ type, hash: one, now })),
)

describe('whatever happens, in whatever order', () => {
  it('a payment stays one that can be stored and read again, forgets no transaction, and ends once', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let state = payment
        for (const event of events) {
          const after = next(state, event)
          expect(readPayment(written(after))).toEqual(after)
          expect(after.intent).toBe(payment.intent)
          for (const [place, known] of state.sent.entries()) expect(after.sent[place]?.hash).toBe(known.hash)
          expect(new Set(after.sent.map((one) => one.hash)).size).toBe(after.sent.length)
          if ('hash' in after.stage && after.stage.at !== 'approving')
            expect(after.sent.map((one) => one.hash)).toContain(after.stage.hash)
          if (isEnded(state)) expect(after).toBe(state)
          state = after
        }
      }),
    )
  })

  it('the wallet is asked to pay a second time only after the member’s own press, and never for what stands in a block', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let state = payment
        let pressed = true
        for (const event of events) {
          const before = state
          state = next(state, event)
          if (state === before) continue
          const isAskedToPay = state.stage.at === 'asking' && state.stage.request === 'pay'
          if (event.type === 'go') {
            pressed = true
            expect(['paused', 'unknown']).toContain(before.stage.at)
          }
          if (isAskedToPay) {
            expect(before.stage.at).toBe('checking')
            expect(pressed).toBe(true)
            pressed = false
          }
        }
      }),
    )
  })
})
