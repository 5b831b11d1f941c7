import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDrive } from './drive.ts'
import type { Payment } from './payment.ts'
import { rulesOf } from './purposes.ts'
import { openShelf } from './stored.ts'
import { askedToPay, hashOf, intent, orderIntent, payment, play, sentAs } from './testing/example.ts'
import { scriptedWallet } from './testing/scripted-wallet.ts'

const now = 9_000
const lost = play(payment, askedToPay, { type: 'resumed', now })
const notSeen = play(payment, askedToPay, sentAs('1'), { type: 'lost-sight', why: 'not-seen', now })

function driven(from: Payment, ...besides: Payment[]) {
  const values = new Map<string, string>()
  const disk = { isFull: (_text: string): boolean => false }
  const shelf = openShelf(
    {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, text) => {
        if (disk.isFull(text)) throw new DOMException('full', 'QuotaExceededError')
        values.set(key, text)
      },
      removeItem: (key) => void values.delete(key),
      keys: () => Array.from(values.keys()),
      lasts: true,
    },
    intent.account,
  )
  for (const one of [from, ...besides]) shelf.put(one)
  const { chain, wallet } = scriptedWallet()
  const told: Payment[] = []
  const ports = { wallet: async () => wallet }
  const drive = createDrive(from.intent.id, {
    shelf,
    wallet: () => ports.wallet(),
    now: () => now,
    changed: (one) => void told.push(one),
  })
  return { drive, chain, shelf, disk, told, ports, get: () => shelf.get(from.intent.id) }
}

/** Lets the drive run for a while and then ends it, because a payment that may be out is followed forever. */
async function letWork(
  { drive, shelf }: ReturnType<typeof driven>,
  work: () => Promise<void>,
): Promise<Payment | null> {
  const done = work()
  await vi.advanceTimersByTimeAsync(2_000)
  const stood = shelf.get(intent.id)
  shelf.remove(intent.id)
  drive.leave()
  await vi.advanceTimersByTimeAsync(60_000)
  await done
  return stood
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('asking once more', () => {
  it('is done where the chain was looked through and holds no such payment; refused, it is looked for on', async () => {
    const one = driven(lost)
    const stood = await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toHaveLength(1)
    expect(one.chain.searched.length).toBeGreaterThan(0)
    expect(stood?.stage).toMatchObject({ at: 'unknown', why: 'answer-lost' })
  })

  it('names the chain that it is for, so that a wallet that was switched cannot send it elsewhere', async () => {
    const one = driven(payment)
    await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([
      expect.objectContaining({ from: intent.account, to: intent.vault, chainId: '0x7a69' }),
    ])
  })

  it('is not done where the node does not look for logs: that it found none proves nothing', async () => {
    const one = driven(lost)
    one.chain.refusesLogs = () => true
    const stood = await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood?.stage.at).toBe('unknown')
  })

  it('is not done where the first lies far beyond the first page of blocks', async () => {
    const one = driven(lost)
    one.chain.block = 40_000
    one.chain.deposits.set(hashOf('5'), 39_000)
    const stood = await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood?.stage).toMatchObject({ at: 'mined', hash: hashOf('5') })
  })

  it('is not done where the first is on its way after all', async () => {
    const one = driven(notSeen)
    one.chain.waiting.set(hashOf('1'), 7)
    const stood = await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood).toMatchObject({ stage: { at: 'sent', hash: hashOf('1') }, sent: [{ nonce: 7 }] })
  })
})

describe('a check before the wallet opens', () => {
  it('that the node never answers ends within seconds, and can be repeated', async () => {
    for (const silent of ['eth_chainId', 'eth_call', 'eth_blockNumber']) {
      const one = driven(payment)
      one.chain.instead = (method) => (method === silent ? new Promise(() => {}) : null)
      const done = one.drive.begin()
      await vi.advanceTimersByTimeAsync(8_000)
      expect(one.get()?.stage, silent).toEqual({ at: 'paused', problem: { kind: 'no-node' } })
      await done
      one.chain.instead = () => null
      await one.drive.begin()
      expect(one.chain.sent, 'the wallet is asked as soon as the node answers').toHaveLength(1)
    }
  })

  it('that breaks down waits for the member instead of going on for ever', async () => {
    const one = driven(payment)
    one.ports.wallet = () => Promise.reject(new Error('a bug'))
    await one.drive.begin().catch(() => {})
    expect(one.get()?.stage).toEqual({ at: 'paused', problem: null })
    expect(one.chain.sent).toEqual([])
  })
})

describe('what the browser does not keep', () => {
  it('is not asked of the wallet, and that is said', async () => {
    const one = driven(payment)
    one.disk.isFull = () => true
    await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(one.told.at(-1)?.stage).toEqual({ at: 'paused', problem: { kind: 'not-kept' } })
  })

  it('is still known and shown, where the wallet had been asked and has sent it', async () => {
    const one = driven(payment)
    one.disk.isFull = (text) => text.includes(hashOf('7'))
    one.chain.onSend = async () => hashOf('7')
    one.chain.waiting.set(hashOf('7'), 7)
    const work = one.drive.begin()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.told.at(-1)).toMatchObject({ stage: { at: 'sent' }, sent: [{ hash: hashOf('7') }] })
    one.disk.isFull = () => false
    await vi.advanceTimersByTimeAsync(15_000)
    expect(one.get()).toMatchObject({ stage: { at: 'sent' }, sent: [{ hash: hashOf('7') }] })
    await letWork(one, () => work)
  })
})

describe('a transaction that is found', () => {
  const other = (from: Payment): Payment => ({ ...from, intent: { ...intent, id: `${intent.id.slice(0, -1)}2` } })

  it('is not claimed where another payment has claimed it while this one was looking', async () => {
    const one = driven(lost)
    one.chain.deposits.set(hashOf('5'), 55)
    one.chain.refusesLogs = () => {
      one.shelf.put(other(play(payment, askedToPay, sentAs('5'))))
      return false
    }
    const stood = await letWork(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'unknown' }, sent: [] })
  })

  it('is not claimed where it was another’s that has been taken off the list', async () => {
    const credited = play(payment, askedToPay, sentAs('5'), { type: 'pool-credited', hash: hashOf('5'), now })
    const one = driven(lost, other(credited))
    one.chain.deposits.set(hashOf('5'), 55)
    one.shelf.remove(other(credited).intent.id)
    const stood = await letWork(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'unknown' }, sent: [] })
  })

  it('is not claimed while an equal payment waits to hear from the wallet: it may be that one’s', async () => {
    const one = driven(lost, other(play(payment, askedToPay)))
    one.chain.deposits.set(hashOf('5'), 55)
    const stood = await letWork(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'unknown' }, sent: [] })
  })
})

describe('an order', () => {
  const ofOrder = (from: Payment): Payment => ({ ...from, intent: orderIntent })

  it('is asked for once more with the allowance that there is: the vault takes its quote once', async () => {
    const one = driven(ofOrder(lost))
    one.chain.allowance = orderIntent.units * 2n
    await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([
      expect.objectContaining({ to: orderIntent.vault, data: rulesOf(orderIntent).payCall(null).data }),
    ])
  })

  it('is not asked for where the chain is past its deadline', async () => {
    const { purpose } = orderIntent
    const one = driven({ ...payment, intent: { ...orderIntent, purpose: { ...purpose, deadline: 0 } } })
    const stood = await letWork(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood?.stage).toEqual({ at: 'paused', problem: { kind: 'would-fail', why: 'late' } })
  })
})
