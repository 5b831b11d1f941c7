import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isAtRest,
  isEnded,
  isEquivalent,
  mayAskAgain,
  mayGiveUp,
  mayHide,
  type Payment,
  type Stage,
} from './payment.ts'
import { advancePayment, type PaymentEvent } from './payment-machine.ts'
import { parsePayment, serializePayment } from './payment-store.ts'
import { askedToPay, hashOf, minedAs, payment, play, sentAs } from './testing/example.ts'

const now = 9_000
const askedToApprove: PaymentEvent = { type: 'asked', left: ['approve', 'pay'], nonce: 6, block: 49, now }
const sent = play(payment, askedToPay, sentAs('1'))
const mined = play(sent, minedAs('1'))

describe('a payment', () => {
  it('goes from approval to credit, step by step', () => {
    const stages: Stage['at'][] = []
    const events: PaymentEvent[] = [
      askedToApprove,
      { type: 'approval-sent', hash: hashOf('a'), now },
      { type: 'approved' },
      askedToPay,
      sentAs('1'),
      minedAs('1'),
      { type: 'pool-saw', hash: hashOf('1'), now },
      { type: 'pool-credited', hash: hashOf('1'), toBalance: true, now },
    ]
    let state = payment
    for (const event of events) {
      state = advancePayment(state, event)
      stages.push(state.stage.at)
    }
    expect(stages).toEqual(['asking', 'approving', 'checking', 'asking', 'sent', 'mined', 'confirming', 'credited'])
    expect(state).toMatchObject({ done: ['approve'], fromBlock: 50, sent: [{ hash: hashOf('1') }] })
  })

  it('that is continued after an approval counts the completed requests from this press on', () => {
    const approved = play(
      payment,
      askedToApprove,
      { type: 'approval-sent', hash: hashOf('a'), now },
      { type: 'approved' },
    )
    const paused = play(approved, { type: 'stopped', problem: { kind: 'no-node' }, now })
    expect(paused).toMatchObject({
      done: ['approve'],
      left: ['pay'],
      stage: { at: 'paused', problem: { kind: 'no-node' } },
    })
    expect(play(paused, { type: 'go' })).toMatchObject({ done: [], left: ['pay'], stage: { at: 'checking' } })
  })

  it('is refused if the member says no in the wallet', () => {
    expect(play(payment, askedToApprove, { type: 'refused', now }).stage.at).toBe('refused')
    expect(play(payment, askedToPay, { type: 'refused', now }).stage.at).toBe('refused')
  })

  it('is not refused, but unknown, if an earlier transaction was sent', () => {
    const again = play(sent, { type: 'lost-sight', why: 'not-seen', now }, { type: 'go' }, askedToPay)
    expect(play(again, { type: 'refused', now })).toMatchObject({
      stage: { at: 'unknown' },
      sent: [{ hash: hashOf('1') }],
    })
  })

  it('goes back to sent when a reorganization removes it from its block, and can be mined again', () => {
    const back = play(mined, { type: 'unmined', now })
    expect(back.stage).toMatchObject({ at: 'sent', hash: hashOf('1') })
    expect(play(back, minedAs('1', 'c')).stage).toMatchObject({ at: 'mined', block: { hash: hashOf('c') } })
  })

  it('follows the replacing transaction when it was sped up', () => {
    const sped = play(sent, { type: 'found', hash: hashOf('2'), now })
    expect(sped).toMatchObject({
      stage: { at: 'sent', hash: hashOf('2') },
      sent: [{ hash: hashOf('1') }, { hash: hashOf('2') }],
    })
  })

  it('is searched for from the block of the first request to pay, also after a second one', () => {
    const lost = play(payment, askedToPay, { type: 'answer-lost', now })
    expect(lost).toMatchObject({ mayBeOut: true, stage: { at: 'unknown', why: 'answer-lost', since: now } })
    const later: PaymentEvent = { type: 'asked', left: ['pay'], nonce: 8, block: 90, now }
    expect(play(lost, { type: 'go' }, later)).toMatchObject({ fromBlock: 50, stage: { at: 'asking', nonce: 8 } })
  })

  it('that the pool sees keeps its block, and news that is already known changes nothing', () => {
    const confirming = play(mined, { type: 'pool-saw', hash: hashOf('1'), now })
    expect(confirming.stage).toEqual({
      at: 'confirming',
      hash: hashOf('1'),
      block: { number: 51, hash: hashOf('b') },
      since: now,
    })
    expect(play(confirming, { type: 'pool-saw', hash: hashOf('1'), now: now + 1 })).toBe(confirming)
    expect(play(confirming, minedAs('1'))).toBe(confirming)
    expect(play(mined, minedAs('1'))).toBe(mined)
    expect(play(sent, { type: 'found', hash: hashOf('1'), now })).toBe(sent)
    expect(play(confirming, { type: 'unmined', now }).stage).toEqual({ at: 'sent', hash: hashOf('1'), since: now })
    // A second transaction of the wallet does not replace the one that is followed.
    expect(play(sent, sentAs('2'))).toMatchObject({ stage: { hash: hashOf('1') }, sent: [{}, { hash: hashOf('2') }] })
  })

  it('ignores a signed permit that it did not wait for', () => {
    for (const state of [payment, sent, play(payment, askedToApprove)])
      expect(play(state, { type: 'permit-signed' })).toBe(state)
  })

  it('that was sent and is restored from an old entry is looked for, not paused', () => {
    const old: Payment = { ...sent, stage: { at: 'paused', problem: null } }
    expect(play(old, { type: 'resumed', now }).stage).toEqual({ at: 'unknown', why: 'not-seen', since: now })
  })

  it('may be asked for again unless no node answers, and hidden only if nothing was sent', () => {
    const lostSight = (why: 'no-node' | 'not-seen' | 'overtaken') => play(sent, { type: 'lost-sight', why, now })
    expect((['no-node', 'not-seen', 'overtaken'] as const).map((why) => mayAskAgain(lostSight(why)))).toEqual([
      false,
      true,
      true,
    ])
    expect(mayHide(lostSight('not-seen'))).toBe(false)
    expect(mayHide(play(payment, askedToPay, { type: 'answer-lost', now }))).toBe(true)
  })

  it('is equivalent only to one of the same account, network, token and amount', () => {
    const { intent } = payment
    expect(isEquivalent(intent, { ...intent, id: 'another', createdAt: 5 })).toBe(true)
    for (const change of [
      { account: intent.vault },
      { chainId: 1 },
      { token: intent.vault },
      { units: intent.units + 1n },
      { units: intent.units - 1n },
    ])
      expect(isEquivalent(intent, { ...intent, ...change })).toBe(false)
  })

  it('that is in a block cannot fail or become unknown', () => {
    expect(play(mined, { type: 'reverted', hash: hashOf('1'), now })).toBe(mined)
    expect(play(mined, { type: 'replaced', hash: hashOf('1'), by: hashOf('2'), now })).toBe(mined)
    expect(play(mined, { type: 'lost-sight', why: 'no-node', now })).toBe(mined)
  })
})

describe('a payment for which the wallet’s answer was lost', () => {
  const lost = play(payment, askedToPay, { type: 'resumed', now })
  const again = play(lost, { type: 'go' }, askedToPay)

  it('is still searched for after the member refuses a second request: the first can still arrive', () => {
    expect(play(again, { type: 'refused', now })).toMatchObject({ stage: { at: 'unknown', why: 'answer-lost' } })
    const approving = play(lost, { type: 'go' }, askedToApprove)
    expect(play(approving, { type: 'refused', now }).stage.at).toBe('unknown')
  })

  it.each<[string, PaymentEvent]>([
    ['the wallet has an open request already', { type: 'stopped', problem: { kind: 'wallet', what: 'pending' }, now }],
    [
      'the balance is too low, perhaps because of that payment',
      { type: 'stopped', problem: { kind: 'would-fail', why: 'balance' }, now },
    ],
    ['the page is reloaded', { type: 'resumed', now }],
    ['the wallet cannot sign permits', { type: 'permit-unsupported', now }],
  ])('is still followed and cannot be given up when %s', (_what, event) => {
    const checking = play(lost, { type: 'go' })
    const asking = play(checking, { type: 'asked', left: ['permit', 'pay'], nonce: 7, block: 50, now })
    for (const state of [play(checking, event), play(asking, event)]) {
      expect(state.stage.at === 'checking' || state.stage.at === 'asking' || state.stage.at === 'unknown').toBe(true)
      expect(isAtRest(state, now)).toBe(false)
      expect(mayGiveUp(state)).toBe(false)
    }
    expect(play(asking, event).stage.at).toBe('unknown')
  })

  it('cannot be given up, not even while an approval for another attempt is pending', () => {
    const approval: PaymentEvent = { type: 'approval-sent', hash: hashOf('a'), now }
    expect(mayGiveUp(lost)).toBe(false)
    expect(mayGiveUp(play(lost, { type: 'go' }, askedToApprove, approval))).toBe(false)
    expect(mayGiveUp(play(payment, askedToApprove, approval))).toBe(true)
  })

  it('can be hidden, is still searched for, and is shown again when there is news', () => {
    const aside = play(lost, { type: 'put-aside' })
    expect(aside).toMatchObject({ aside: true, mayBeOut: true, stage: { at: 'unknown' } })
    expect(isAtRest(aside, now)).toBe(false)
    expect(play(aside, { type: 'lost-sight', why: 'no-node', now }).aside).toBe(true)
    expect(play(aside, { type: 'found', hash: hashOf('1'), now })).toMatchObject({
      aside: false,
      stage: { at: 'sent' },
    })
    expect(play(aside, { type: 'go' }).aside).toBe(false)
    expect(play(sent, { type: 'put-aside' })).toBe(sent)
  })

  it('is followed if it arrives while another attempt is prepared', () => {
    const checking = play(lost, { type: 'go' })
    expect(play(checking, { type: 'found', hash: hashOf('1'), now }).stage.at).toBe('sent')
    const resent = play(sent, { type: 'lost-sight', why: 'not-seen', now }, { type: 'go' })
    expect(play(resent, { type: 'pending', hash: hashOf('1'), nonce: 7, now })).toMatchObject({
      stage: { at: 'sent', hash: hashOf('1') },
      sent: [{ hash: hashOf('1'), nonce: 7 }],
    })
  })
})

describe('a late answer of the wallet', () => {
  const givenUp = play(payment, askedToPay, { type: 'resumed', now })

  it('is accepted', () => {
    expect(givenUp.stage.at).toBe('unknown')
    expect(play(givenUp, sentAs('1')).stage).toMatchObject({ at: 'sent', hash: hashOf('1') })
  })

  it('is recorded beside the transaction of the later request', () => {
    const again = play(givenUp, { type: 'go' }, askedToPay, sentAs('2'), minedAs('2'))
    const both = play(again, sentAs('1'))
    expect(both).toMatchObject({
      stage: { at: 'mined', hash: hashOf('2') },
      sent: [{ hash: hashOf('2') }, { hash: hashOf('1') }],
    })
  })

  it('may name a known transaction: a wallet that is asked again can send the same one', () => {
    const lost = play(sent, { type: 'lost-sight', why: 'not-seen', now })
    const again = play(lost, { type: 'go' }, askedToPay, sentAs('1'))
    expect(again).toMatchObject({ stage: { at: 'sent', hash: hashOf('1') }, sent: [{ hash: hashOf('1') }] })
  })

  it('is ignored if the wallet was never asked to pay', () => {
    expect(play(payment, sentAs('1'))).toBe(payment)
  })
})

describe('a page that is reloaded', () => {
  it.each<[string, Payment, Stage['at']]>([
    ['before the wallet opened', payment, 'paused'],
    ['while the wallet asked for an approval', play(payment, askedToApprove), 'paused'],
    [
      'while an approval was pending',
      play(payment, askedToApprove, { type: 'approval-sent', hash: hashOf('a'), now }),
      'approving',
    ],
    ['while the wallet asked to pay', play(payment, askedToPay), 'unknown'],
    ['after it was sent', sent, 'sent'],
    ['after it was mined', mined, 'mined'],
  ])('%s restores the payment', (_when, before, at) => {
    const found = parsePayment(serializePayment(before))
    expect(found).toEqual(before)
    expect(found && play(found, { type: 'resumed', now }).stage.at).toBe(at)
  })
})

describe('a payment that failed', () => {
  const failed = play(sent, { type: 'reverted', hash: hashOf('1'), now })
  const minutes = payment.intent.finalityMinutes * 60_000

  it('is followed until the failure is final', () => {
    expect(isEnded(failed)).toBe(true)
    expect(isAtRest(failed, now + minutes - 1)).toBe(false)
    expect(isAtRest(failed, now + minutes)).toBe(true)
  })

  it('succeeds after all if a reorganization puts its transaction into another block', () => {
    expect(play(failed, minedAs('1')).stage.at).toBe('mined')
    expect(play(failed, { type: 'pool-credited', hash: hashOf('1'), toBalance: true, now }).stage.at).toBe('credited')
  })
})

const hashes = ['1', '2', '3'].map(hashOf)
const hash = fc.constantFrom(...hashes)
const block = fc.record({ number: fc.nat(99), hash: fc.constantFrom(hashOf('b'), hashOf('c')) })
const at = fc.constant({ now })
const anyEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { type: 'resumed', now },
    { type: 'go' },
    askedToApprove,
    askedToPay,
    { type: 'asked', left: ['permit', 'pay'], nonce: 7, block: 50, now },
    { type: 'permit-signed' },
    { type: 'permit-unsupported', now },
    { type: 'approval-sent', hash: hashOf('a'), now },
    { type: 'approved' },
    { type: 'refused', now },
    { type: 'stopped', problem: null, now },
    { type: 'stopped', problem: { kind: 'would-fail', why: 'balance' }, now },
    { type: 'answer-lost', now },
    { type: 'unmined', now },
    { type: 'put-aside' },
  ),
  fc.constantFrom('no-node' as const, 'unsearched' as const, 'not-seen' as const, 'overtaken' as const).map((why) => ({
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
    .map(([type, one]) => ({ type, hash: one, toBalance: true, now })),
)

describe('any sequence of events', () => {
  it('leaves a payment that can be stored and read back, keeps its transactions and ends once', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let state = payment
        for (const event of events) {
          const after = advancePayment(state, event)
          expect(parsePayment(serializePayment(after))).toEqual(after)
          expect(after.intent).toBe(payment.intent)
          for (const [place, known] of state.sent.entries()) expect(after.sent[place]?.hash).toBe(known.hash)
          expect(new Set(after.sent.map((one) => one.hash)).size).toBe(after.sent.length)
          if ('hash' in after.stage && after.stage.at !== 'approving')
            expect(after.sent.map((one) => one.hash)).toContain(after.stage.hash)
          // Only a failure can be undone, by a reorganization of the chain.
          if (isEnded(state) && state.stage.at !== 'failed') expect(after).toBe(state)
          if (state.stage.at === 'failed' && after !== state)
            expect(['sent', 'mined', 'credited']).toContain(after.stage.at)
          if (state.mayBeOut) {
            expect(after.mayBeOut).toBe(true)
            expect(['paused', 'refused']).not.toContain(after.stage.at)
            expect(mayGiveUp(after)).toBe(false)
          }
          if (after.sent.length > 0) expect(after.mayBeOut).toBe(true)
          state = after
        }
      }),
    )
  })

  it('asks the wallet to pay a second time only after the member’s press, and never for a mined payment', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let state = payment
        let pressed = true
        for (const event of events) {
          const before = state
          state = advancePayment(state, event)
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
