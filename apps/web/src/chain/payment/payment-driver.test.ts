import type { DataOf } from '@lode/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../shared/session/index.ts'
import type { Provider } from '../provider.ts'
import type { Payment } from './payment.ts'
import { createPaymentDriver, lookAtPayment } from './payment-driver.ts'
import { openPaymentStore } from './payment-store.ts'
import { selectPurposeRules } from './select-purpose-rules.ts'
import { askedToPay, hashOf, intent, orderIntent, payment, play, sentAs } from './testing/example.ts'
import { scriptedWallet } from './testing/scripted-wallet.ts'

const now = 9_000
const lost = play(payment, askedToPay, { type: 'resumed', now })
const notSeen = play(payment, askedToPay, sentAs('1'), { type: 'lost-sight', why: 'not-seen', now })

function setUpDriver(from: Payment, ...besides: Payment[]) {
  const values = new Map<string, string>()
  const disk = { isFull: (_text: string): boolean => false }
  const shelf = openPaymentStore(
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
  const ports = { wallet: async () => wallet, poolNode: async (): Promise<Provider | null> => null }
  const drive = createPaymentDriver(from.intent.id, {
    store: shelf,
    wallet: () => ports.wallet(),
    poolNode: () => ports.poolNode(),
    now: () => now,
    onChange: (one) => void told.push(one),
  })
  return { drive, chain, shelf, disk, told, ports, get: () => shelf.get(from.intent.id) }
}

/** Lets the drive run for a while and then ends it, because a payment that may be out is followed forever. */
async function runBriefly(
  { drive, shelf }: ReturnType<typeof setUpDriver>,
  work: () => Promise<void>,
): Promise<Payment | null> {
  const done = work()
  await vi.advanceTimersByTimeAsync(2_000)
  const stood = shelf.get(intent.id)
  shelf.remove(intent.id)
  drive.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  await done
  return stood
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('asking the wallet to pay again', () => {
  it('happens after a search of the chain finds no payment; after a refusal the search continues', async () => {
    const one = setUpDriver(lost)
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toHaveLength(1)
    expect(one.chain.searched.length).toBeGreaterThan(0)
    expect(stood?.stage).toMatchObject({ at: 'unknown', why: 'answer-lost' })
  })

  it('names the chain, so that a switched wallet cannot send to another one', async () => {
    const one = setUpDriver(payment)
    await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([
      expect.objectContaining({ from: intent.account, to: intent.vault, chainId: '0x7a69' }),
    ])
  })

  it('does not happen if the node refuses log searches: no result proves nothing', async () => {
    const one = setUpDriver(lost)
    one.chain.refusesLogs = () => true
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood?.stage.at).toBe('unknown')
  })

  it('does not happen if the first payment is found many pages of blocks later', async () => {
    const one = setUpDriver(lost)
    one.chain.block = 40_000
    one.chain.deposits.set(hashOf('5'), 39_000)
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood?.stage).toMatchObject({ at: 'mined', hash: hashOf('5') })
  })

  it('does not happen if the first payment is pending after all', async () => {
    const one = setUpDriver(notSeen)
    one.chain.waiting.set(hashOf('1'), 7)
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood).toMatchObject({ stage: { at: 'sent', hash: hashOf('1') }, sent: [{ nonce: 7 }] })
  })
})

describe('the pool’s node', () => {
  it('is searched if the wallet’s node refuses, and finds a payment whose answer was lost', async () => {
    const one = setUpDriver(lost)
    const pool = scriptedWallet()
    one.chain.refusesLogs = () => true
    one.ports.poolNode = async () => pool.wallet.provider
    for (const { deposits } of [one.chain, pool.chain]) deposits.set(hashOf('5'), 55)
    const stood = await runBriefly(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'mined', hash: hashOf('5') }, sent: [{ hash: hashOf('5') }] })
  })

  it('lets the app ask the wallet again, after it has shown that the payment is not on the chain', async () => {
    const one = setUpDriver(lost)
    one.chain.refusesLogs = () => true
    one.ports.poolNode = async () => scriptedWallet().wallet.provider
    await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toHaveLength(1)
  })

  it('proves nothing while it is behind the wallet’s node', async () => {
    const one = setUpDriver(lost)
    const pool = scriptedWallet()
    one.chain.refusesLogs = () => true
    one.ports.poolNode = async () => pool.wallet.provider
    pool.chain.block = one.chain.block - 1
    await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
  })

  it('never gets a request to sign or to send', async () => {
    const one = setUpDriver(payment)
    const pool = scriptedWallet()
    one.ports.poolNode = async () => pool.wallet.provider
    await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toHaveLength(1)
    expect(pool.chain.sent).toEqual([])
  })
})

describe('an error of the wallet when it was asked to pay', () => {
  it.each([
    [{ code: -32002, message: 'Already processing eth_sendTransaction' }],
    [{ code: -32603, message: 'Internal error' }],
    [{ code: 4900 }],
    [{ code: 4200 }],
    [new Error('boom')],
  ])('does not prove that nothing was sent: %j', async (thrown) => {
    const one = setUpDriver(payment)
    one.chain.onSend = () => Promise.reject(thrown)
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(stood).toMatchObject({ mayBeOut: true, stage: { at: 'unknown', why: 'answer-lost' } })
  })

  it('ends the payment only if the member refused', async () => {
    const one = setUpDriver(payment)
    one.chain.onSend = () => Promise.reject({ code: 4001 })
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(stood).toBeNull()
    expect(one.told.at(-1)?.stage).toEqual({ at: 'refused', request: 'pay' })
  })
})

describe('a wallet that sends the payment and never answers', () => {
  it('is not waited for any longer once the payment is on the chain', async () => {
    const one = setUpDriver(payment)
    one.chain.onSend = () => {
      one.chain.deposits.set(hashOf('5'), 61)
      one.chain.block = 61
      return new Promise(() => {})
    }
    const done = one.drive.begin()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.get()?.stage).toMatchObject({ at: 'asking', request: 'pay' })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(one.get()).toMatchObject({ stage: { at: 'mined', hash: hashOf('5') }, sent: [{ hash: hashOf('5') }] })
    await runBriefly(one, () => done)
  })
})

describe('the pool’s server', () => {
  type Calls = Readonly<Record<string, () => object | null>>

  /** The member is signed in, and the server answers these calls. Null: it does not answer. */
  function signIn(calls: Calls): string[] {
    session.signIn({ token: 't', account: intent.account, lang: 'en' })
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: URL | string) => {
      const route = String(url)
        .replace(/^.*\/api\//, '')
        .replace(/\?.*$/, '')
      asked.push(route)
      const data = calls[route]?.()
      if (!data) throw new TypeError('Failed to fetch')
      return Response.json({ code: 200, message: '', data })
    })
    return asked
  }
  afterEach(() => {
    session.signOut()
    vi.unstubAllGlobals()
  })

  it('does not hide that the earlier payment has arrived while the wallet is asked again', async () => {
    const line: DataOf<'wallet/log'>['lines'][number] = {
      id: '1',
      type: 'transferIn',
      status: 'confirming',
      direction: 'in',
      amount: '100',
      fee: '0',
      at: '2026-11-17T00:00:00.000Z',
      endedAt: null,
      tx: hashOf('1'),
      balanceAfter: null,
    }
    signIn({ 'wallet/log': () => ({ lines: [line], next: null }) })
    const one = setUpDriver(notSeen)
    one.chain.onSend = () => new Promise(() => {})
    const done = one.drive.begin()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.get()?.stage).toMatchObject({ at: 'asking', request: 'pay' })
    one.chain.deposits.set(hashOf('1'), 61)
    one.chain.block = 61
    await vi.advanceTimersByTimeAsync(30_000)
    expect(one.get()?.stage).toMatchObject({ hash: hashOf('1') })
    expect(['mined', 'confirming']).toContain(one.get()?.stage.at)
    await runBriefly(one, () => done)
  })

  it('is told of a sent payment until it has answered, and again by a page that was loaded later', async () => {
    let answers = false
    const asked = signIn({ 'wallet/report-sent': () => (answers ? {} : null) })
    const countReports = () => asked.filter((route) => route === 'wallet/report-sent').length
    const one = setUpDriver(payment)
    one.chain.onSend = async () => {
      one.chain.waiting.set(hashOf('1'), 7)
      return hashOf('1')
    }
    const done = one.drive.begin()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(countReports()).toBeGreaterThan(1)
    answers = true
    await vi.advanceTimersByTimeAsync(20_000)
    const reports = countReports()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(countReports()).toBe(reports)

    const later = setUpDriver(one.get() ?? payment)
    later.chain.waiting.set(hashOf('1'), 7)
    const resumed = later.drive.resume()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(countReports()).toBe(reports + 1)
    await runBriefly(later, () => resumed)
    await runBriefly(one, () => done)
  })
})

describe('a tab that looks at a payment of another tab', () => {
  it('shows a payment that it finds, stores nothing and asks the wallet for nothing', async () => {
    const asking = play(payment, askedToPay)
    const one = setUpDriver(asking)
    one.chain.deposits.set(hashOf('5'), 55)
    const ports = { store: one.shelf, now: () => now, onChange: () => {}, ...one.ports }
    expect((await lookAtPayment(asking, ports)).stage).toMatchObject({ at: 'mined', hash: hashOf('5') })
    expect(one.get()).toEqual(asking)
    expect(one.chain.sent).toEqual([])
  })

  it('does not show what it cannot see: the driving tab may know better', async () => {
    const one = setUpDriver(lost)
    one.chain.refusesLogs = () => true
    const ports = { store: one.shelf, now: () => now, onChange: () => {}, ...one.ports }
    expect(await lookAtPayment(lost, ports)).toBe(lost)
  })
})

describe('a check before the wallet opens', () => {
  it('ends within eight seconds if the node never answers, and can be repeated', async () => {
    for (const silent of ['eth_chainId', 'eth_call', 'eth_blockNumber']) {
      const one = setUpDriver(payment)
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

  it('ends soon if the pool never names its node, also when the wallet is asked again', async () => {
    const one = setUpDriver(lost)
    one.chain.refusesLogs = () => true
    one.ports.poolNode = () => new Promise(() => {})
    const done = one.drive.begin()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(one.get()?.stage.at).toBe('unknown')
    await runBriefly(one, () => done)
  })

  it('that throws pauses the payment until the member presses again', async () => {
    const one = setUpDriver(payment)
    one.ports.wallet = () => Promise.reject(new Error('a bug'))
    await one.drive.begin().catch(() => {})
    expect(one.get()?.stage).toEqual({ at: 'paused', problem: null })
    expect(one.chain.sent).toEqual([])
  })
})

describe('a payment that the browser cannot store', () => {
  it('is not sent to the wallet, and the member is told', async () => {
    const one = setUpDriver(payment)
    one.disk.isFull = () => true
    await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(one.told.at(-1)?.stage).toEqual({ at: 'paused', problem: { kind: 'not-kept' } })
  })

  it('is still shown if the wallet was asked before and has sent it', async () => {
    const one = setUpDriver(payment)
    one.disk.isFull = (text) => text.includes(hashOf('7'))
    one.chain.onSend = async () => hashOf('7')
    one.chain.waiting.set(hashOf('7'), 7)
    const work = one.drive.begin()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.told.at(-1)).toMatchObject({ stage: { at: 'sent' }, sent: [{ hash: hashOf('7') }] })
    one.disk.isFull = () => false
    await vi.advanceTimersByTimeAsync(15_000)
    expect(one.get()).toMatchObject({ stage: { at: 'sent' }, sent: [{ hash: hashOf('7') }] })
    await runBriefly(one, () => work)
  })
})

describe('a transaction that is found on the chain', () => {
  const other = (from: Payment): Payment => ({ ...from, intent: { ...intent, id: `${intent.id.slice(0, -1)}2` } })

  it('is not claimed if another payment claimed it during the search', async () => {
    const one = setUpDriver(lost)
    one.chain.deposits.set(hashOf('5'), 55)
    one.chain.refusesLogs = () => {
      one.shelf.put(other(play(payment, askedToPay, sentAs('5'))))
      return false
    }
    const stood = await runBriefly(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'unknown' }, sent: [] })
  })

  it('is not claimed if it belonged to a payment that was removed from the list', async () => {
    const credited = play(payment, askedToPay, sentAs('5'), {
      type: 'pool-credited',
      hash: hashOf('5'),
      toBalance: true,
      now,
    })
    const one = setUpDriver(lost, other(credited))
    one.chain.deposits.set(hashOf('5'), 55)
    one.shelf.remove(other(credited).intent.id)
    const stood = await runBriefly(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'unknown' }, sent: [] })
  })

  it('is not claimed while an equal payment waits for the wallet’s answer: it may be its transaction', async () => {
    const one = setUpDriver(lost, other(play(payment, askedToPay)))
    one.chain.deposits.set(hashOf('5'), 55)
    const stood = await runBriefly(one, () => one.drive.resume())
    expect(stood).toMatchObject({ stage: { at: 'unknown' }, sent: [] })
  })
})

describe('the payment of an order', () => {
  const ofOrder = (from: Payment): Payment => ({ ...from, intent: orderIntent })

  it('is asked for again with the present allowance: the vault accepts the quote only once', async () => {
    const one = setUpDriver(ofOrder(lost))
    one.chain.allowance = orderIntent.units * 2n
    await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([
      expect.objectContaining({ to: orderIntent.vault, data: selectPurposeRules(orderIntent).payCall(null).data }),
    ])
  })

  it('is not asked for after the deadline', async () => {
    const { purpose } = orderIntent
    const one = setUpDriver({ ...payment, intent: { ...orderIntent, purpose: { ...purpose, deadline: 0 } } })
    const stood = await runBriefly(one, () => one.drive.begin())
    expect(one.chain.sent).toEqual([])
    expect(stood?.stage).toEqual({ at: 'paused', problem: { kind: 'would-fail', why: 'late' } })
  })
})
