import { poolVaultAbi } from '@lode/contracts'
import type { OrderFailure, PaidOrderState } from '@lode/wire'
import { decodeEventLog, decodeFunctionData, encodeAbiParameters, type Hex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { paidLogFilter } from './contracts.ts'
import { orderRules, readPoolAnswer } from './order-rules.ts'
import { isEquivalent, isStale } from './payment.ts'
import { askedToPay, hashOf, orderIntent, payment, play } from './testing/example.ts'

const { purpose } = orderIntent
const rules = orderRules(orderIntent, purpose)
const quote = {
  orderId: purpose.orderId,
  payer: orderIntent.account,
  token: orderIntent.token,
  amount: orderIntent.units,
  deadline: BigInt(purpose.deadline),
}
const permit = { deadline: 9n, v: 27, r: pad('0x1'), s: pad('0x2') }
const asSent = (data: Hex, to = orderIntent.vault) => ({ from: '', to: to.toLowerCase(), data, nonce: 1 })

describe('the call that pays an order', () => {
  it('has the quote, the pool’s signature and the permit if one was signed', () => {
    const { to, data } = rules.payCall(null)
    expect(to).toBe(orderIntent.vault)
    expect(decodeFunctionData({ abi: poolVaultAbi, data })).toEqual({
      functionName: 'pay',
      args: [quote, purpose.signature],
    })
    expect(decodeFunctionData({ abi: poolVaultAbi, data: rules.payCall(permit).data })).toEqual({
      functionName: 'payWithPermit',
      args: [quote, purpose.signature, permit],
    })
  })

  it('is recognized with and without a permit, but not for another order or contract', () => {
    expect(rules.isPayment(asSent(rules.payCall(null).data))).toBe(true)
    expect(rules.isPayment(asSent(rules.payCall(permit).data))).toBe(true)
    const other = orderRules(orderIntent, { ...purpose, orderId: hashOf('f') })
    expect(rules.isPayment(asSent(other.payCall(null).data))).toBe(false)
    expect(rules.isPayment(asSent(rules.payCall(null).data, orderIntent.token))).toBe(false)
  })

  it('leaves the log by which it is found, with any digest', () => {
    const { topics, data } = paidLogFilter(orderIntent)
    const whole = encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes32' }], [orderIntent.units, hashOf('9')])
    expect(whole.startsWith(data)).toBe(true)
    const log = decodeEventLog({ abi: poolVaultAbi, topics: topics as [Hex, ...Hex[]], data: whole })
    expect(log).toEqual({
      eventName: 'Paid',
      args: { ...quote, deadline: undefined, digest: hashOf('9') },
    })
  })
})

describe('the pool’s answer about an order', () => {
  const tx = hashOf('1')

  const answerOf = (state: PaidOrderState, failure: OrderFailure | null, named: Hex | null = tx) =>
    readPoolAnswer({ state, failure, tx: named }, tx)

  it('applies only to the transaction that it names', () => {
    expect(answerOf('confirming', null).credit).toBe('confirming')
    expect(answerOf('success', null)).toMatchObject({ credit: 'credited', toBalance: false })
    expect(answerOf('success', null, hashOf('2')).credit).toBe('none')
    expect(answerOf('paying', null).credit).toBe('none')
    expect(answerOf('paying', null, null).credit).toBe('none')
  })

  it('names the transaction that paid, once the pool has seen it on the chain', () => {
    const seen = (state: PaidOrderState) => readPoolAnswer({ state, failure: null, tx }, undefined).seen
    expect(seen('confirming')).toEqual([tx])
    expect(seen('success')).toEqual([tx])
    expect(seen('paying'), 'a browser has only reported it').toEqual([])
    expect(seen('closing')).toEqual([])
  })

  it('means credited to the balance if the level was already held, and lapsed if nothing was paid', () => {
    expect(answerOf('failed', 'level-already-held')).toMatchObject({
      credit: 'credited',
      toBalance: true,
      lapsed: false,
    })
    for (const failure of ['expired', 'cancelled'] as const)
      expect(answerOf('failed', failure, null)).toMatchObject({ credit: 'none', lapsed: true, seen: [] })
    expect(answerOf('closing', null, null).lapsed).toBe(false)
  })
})

describe('the payment of an order', () => {
  it('is equivalent for the same order only, not for another order of the same amount', () => {
    expect(isEquivalent(orderIntent, { ...orderIntent, id: 'another try' })).toBe(true)
    expect(isEquivalent(orderIntent, { ...orderIntent, purpose: { ...purpose, orderId: hashOf('f') } })).toBe(false)
    expect(isEquivalent(orderIntent, { ...orderIntent, purpose: { kind: 'deposit' } })).toBe(false)
  })

  it('is stale after the deadline, unless a transaction may be out', () => {
    const paused = play({ ...payment, intent: orderIntent }, { type: 'stopped', problem: null, now: 2_000 })
    const after = purpose.deadline * 1_000 + 1
    expect(isStale(paused, purpose.deadline * 1_000)).toBe(false)
    expect(isStale(paused, after)).toBe(true)
    expect(isStale({ ...paused, mayBeOut: true }, after)).toBe(false)
    expect(isStale({ ...paused, intent: { ...orderIntent, purpose: { kind: 'deposit' } } }, after)).toBe(false)
  })

  it('is stale an hour after its credit', () => {
    const credited = { ...payment, stage: { at: 'credited', hash: hashOf('1'), toBalance: true, since: 0 } } as const
    expect(isStale(credited, 3_600_000)).toBe(false)
    expect(isStale(credited, 3_600_001)).toBe(true)
  })

  it('ends when the pool reports that the order lapsed, unless the payment is in a block', () => {
    const lost = play({ ...payment, intent: orderIntent }, askedToPay, { type: 'resumed', now: 3_000 })
    expect(play(lost, { type: 'lapsed', now: 4_000 }).stage).toEqual({ at: 'lapsed', since: 4_000 })
    const mined = play(
      lost,
      { type: 'found', hash: hashOf('1'), now: 4_000 },
      { type: 'mined', hash: hashOf('1'), block: { number: 51, hash: hashOf('b') }, now: 5_000 },
    )
    expect(play(mined, { type: 'lapsed', now: 6_000 })).toBe(mined)
  })
})
