import { addDays, type DayNumber } from '@lode/kernel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBitcoinNode } from '../../platform/bitcoin/bitcoin-node.ts'
import { startBitcoinNode, type TestBitcoinNode } from '../../testing/bitcoin-node.ts'
import { checkEvidence } from './evidence.ts'
import { readNextDay } from './next-day.ts'
import { listDays } from './queries.ts'
import { openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

const FUNDED = 70_000n
const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 }

let fixture: PledgeFixture
let bitcoin: TestBitcoinNode
let day: DayNumber
beforeEach(async () => {
  fixture = await openPledgeFixture({ members: 1 })
  bitcoin = await startBitcoinNode()
  day = fixture.firstDay
}, 60_000)
afterEach(async () => {
  await bitcoin.close()
  await fixture.end()
})

/** What the worker does every minute if it has a Bitcoin node. Returns the days that it closed. */
async function work(btcDecimals = 8): Promise<DayNumber[]> {
  await checkEvidence(fixture.worker, createBitcoinNode(bitcoin.url), btcDecimals)
  return fixture.close({ looksForEvidence: true })
}

const fund = (transactionId: string, index = 0) => fixture.fund(day, FUNDED, { transactionId, index })
const readState = async () => (await readNextDay(fixture.api, fixture))?.closeState.state

/** The evidence of the closed day, as everybody can read it. */
async function readEvidence() {
  const [closed] = (await listDays(fixture.api, { limit: 1 }, DECIMALS)).items
  return closed?.fundings.map(({ evidence, bitcoinValue }) => [evidence, bitcoinValue])
}

describe('a day', { timeout: 60_000 }, () => {
  it('closes once the Bitcoin output that its funding names is found, confirmed, and worth as much', async () => {
    const id = bitcoin.addTransaction([1n, 80_000n], 1)
    await fund(id, 1)
    await fixture.setTime(addDays(day, 1), 13)
    expect([await work(), await readState()]).toEqual([[], 'waiting-evidence'])
    bitcoin.confirm(id, 6)
    expect(await work()).toEqual([day])
    expect(await readEvidence()).toEqual([['found', '0.0008']])
  })

  it.each([
    ['that nobody made', () => ({ id: 'ab'.repeat(32), index: 0 }), 'missing', null],
    [
      'that its transaction does not have',
      () => ({ id: bitcoin.addTransaction([80_000n], 9), index: 1 }),
      'missing',
      null,
    ],
    ['that is worth less', () => ({ id: bitcoin.addTransaction([69_999n], 9), index: 0 }), 'less', '0.00069999'],
  ])('waits 72 hours for an output %s, and then closes and says so', async (_which, name, evidence, value) => {
    const { id, index } = name()
    await fund(id, index)
    await fixture.setTime(addDays(day, 1), 13)
    expect([await work(), await readState()]).toEqual([[], 'waiting-evidence'])
    // A worker without a Bitcoin node does not close it either.
    await expect(fixture.close()).resolves.toEqual([])
    await fixture.setTime(addDays(day, 4), 11.9)
    expect(await work()).toEqual([])
    await fixture.setTime(addDays(day, 4), 12.1)
    expect((await work())[0]).toBe(day)
    const closed = (await listDays(fixture.api, { limit: 9 }, DECIMALS)).items.at(-1)
    expect(closed?.fundings).toMatchObject([{ evidence, bitcoinValue: value }])
  })

  it('waits while the node hangs, starts, or sends the bytes of another transaction', async () => {
    const id = bitcoin.addTransaction([FUNDED], 9)
    await fund(id)
    await fixture.setTime(addDays(day, 1), 13)
    // Not looked for yet.
    expect(await fixture.close({ looksForEvidence: true })).toEqual([])
    bitcoin.mode = 'refuse'
    expect([await work(), await readState()]).toEqual([[], 'waiting-evidence'])
    bitcoin.mode = 'work'
    const richer = bitcoin.addTransaction([1_000_000n], 9)
    const poorer = bitcoin.addTransaction([FUNDED], 9)
    bitcoin.swap(id, richer)
    expect([await work(), await readState()]).toEqual([[], 'waiting-evidence'])
    bitcoin.swap(id, poorer)
    expect(await work()).toEqual([])
  })

  it('compares values if the pool’s BTC has other decimals than Bitcoin', async () => {
    await fund(bitcoin.addTransaction([7n], 9))
    await fixture.setTime(addDays(day, 1), 13)
    expect(await work(12)).toEqual([day])
    expect(await readEvidence()).toEqual([['found', '0.00000007']])
  })

  describe('with an output that was named before, and reinstated by the vault’s administrator', () => {
    /** Funds the day with these amounts, one after the other, and returns what is found. */
    async function readResults(...fundings: readonly { id: string; amount: bigint; index?: number }[]) {
      for (const { id, amount, index = 0 } of fundings) await fixture.fund(day, amount, { transactionId: id, index })
      await fixture.setTime(addDays(day, 4), 12.1)
      await work()
      const closed = (await listDays(fixture.api, { limit: 9 }, DECIMALS)).items.at(-1)
      return closed?.fundings.map(({ amount, evidence }) => [amount, evidence])
    }

    it('finds it if all fundings together are not more than it is worth', async () => {
      const id = bitcoin.addTransaction([FUNDED], 9)
      expect(await readResults({ id, amount: 1n }, { id, amount: FUNDED - 1n })).toEqual([
        ['0.00000001', 'found'],
        ['0.00069999', 'found'],
      ])
    })

    it('says that it is worth less if it would count twice', async () => {
      const id = bitcoin.addTransaction([FUNDED], 9)
      expect(await readResults({ id, amount: FUNDED }, { id, amount: FUNDED })).toEqual([
        ['0.0007', 'found'],
        ['0.0007', 'less'],
      ])
    })

    it('also counts a funding that names it in the other byte order', async () => {
      const id = bitcoin.addTransaction([FUNDED], 9)
      const reversed = Buffer.from(id, 'hex').reverse().toString('hex')
      expect(await readResults({ id: reversed, amount: 1n }, { id, amount: FUNDED })).toEqual([
        ['0.00000001', 'missing'],
        ['0.0007', 'less'],
      ])
    })

    it('counts no funding that names another output of the same transaction', async () => {
      const id = bitcoin.addTransaction([1n, FUNDED], 9)
      expect(await readResults({ id, amount: 1n }, { id, amount: FUNDED, index: 1 })).toEqual([
        ['0.00000001', 'found'],
        ['0.0007', 'found'],
      ])
    })
  })

  it('does not wait in a pool without a Bitcoin node', async () => {
    await fund('ab'.repeat(32))
    await fixture.setTime(addDays(day, 1), 13)
    expect(await fixture.close()).toEqual([day])
    expect(await readEvidence()).toEqual([['unchecked', null]])
  })
})
