import { randomBytes, randomUUID } from 'node:crypto'
import { type Asset, addDays, type DayNumber } from '@lode/kernel'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { collectRewards } from '../../processes/collect-rewards.ts'
import { testContracts } from '../../testing/contracts.ts'
import type { PayoutMovement } from '../custody/index.ts'
import { post, readBalances } from '../ledger/index.ts'
import { createSettlement, createSettlementMetrics } from '../payout/index.ts'
import { freezePosting } from '../transfer/index.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

const DIVIDENDS = 900_000n
const PARTNER_SHARE = 500n
const [PLEDGER, PARTNER, BUYER] = [1, 2, 3]

let fixture: PledgeFixture
let day: DayNumber

/** Moves on to the next day and closes the day before. */
async function closeDay(): Promise<void> {
  await fixture.setTime(addDays(day, 1), 13)
  await fixture.close()
  day = addDays(day, 1)
}

beforeAll(async () => {
  fixture = await openPledgeFixture({ members: 3 })
  day = fixture.firstDay
  await fixture.credit(PLEDGER, 'BTN', 20_000n * BTN)
  await fixture.credit(BUYER, 'USDT', PARTNER_SHARE)
  await closeDay()
  expect(await fixture.pledge(PLEDGER, 20_000n, 60)).toMatchObject({ amount: 20_000n * BTN })
  await fixture.appoint(PARTNER, day)
  await closeDay()
  await fixture.fund(day, DIVIDENDS)
  await fixture.fundPartners(BUYER, PARTNER_SHARE)
  await closeDay()
}, 60_000)
afterAll(() => fixture.end())

type Terms = { readonly asset: Asset; readonly amount: bigint; readonly fee: bigint }

/** Stores a transfer as lost, as `lode restored` does. Returns its id and the log by which the vault paid it. */
async function losePaidTransfer(member: number, { asset, amount, fee }: Terms): Promise<[string, PayoutMovement]> {
  const { account } = fixture.sessionOf(member)
  const id = randomUUID()
  await sql`
    insert into lode.lost_payout (id, kind, asset, amount, address, requested_at, account, fee, plan_version, level)
    values (${id}, 'transfer', ${asset}, ${String(amount)}::numeric, ${bytesOf(account)}, lode.now(), ${bytesOf(account)},
            ${String(fee)}::numeric, 1, 0)`.execute(fixture.owner)
  const log = {
    address: toHex(0xa0, { size: 20 }),
    topics: [],
    data: '0x',
    logIndex: 0,
    blockNumber: 99n,
    tx: toHex(randomBytes(32)),
    blockHash: toHex(randomBytes(32)),
  } as const
  return [id, { kind: 'payout', log, asset, amount, to: account, payoutId: idOnChain(id) }]
}

/** Posts the payment as the worker does, and returns the outcomes of the ledger. */
const settle = (payment: PayoutMovement) =>
  fixture.worker.transaction().execute(async (trx) => {
    const settlement = createSettlement({
      contracts: { ...testContracts, vault: fixture.pool.pool },
      metrics: createSettlementMetrics(new Registry()),
      log: pino({ level: 'silent' }),
      buildUnfreeze: () => {
        throw new Error('nothing is undone here')
      },
      buildSetAside: (payout) => freezePosting({ ...payout, memberId: payout.memberId ?? 0n }),
      collectRewards,
    })
    const payments = { paid: [payment], notPaid: [], timeOf: () => new Date() }
    const settled = await settlement.settle(trx, fixture.pool.chainId, payments)
    if ('impossible' in settled) throw new Error(settled.impossible)
    const outcomes = await post(trx, settled.payoutTransactions)
    const failed = outcomes.findIndex(({ outcome }) => outcome !== 'posted')
    if (failed < 0) return settled.finish()
    const transaction = settled.payoutTransactions[failed]
    const blamed = transaction && settled.paymentOf(transaction)
    throw new Error(
      `${outcomes[failed]?.outcome}: ${blamed?.log === payment.log ? 'the payment is named' : 'nothing is named'}`,
    )
  })

const availableOf = async (member: number, asset: Asset): Promise<bigint> =>
  (await readBalances(fixture.owner, BigInt(member)))[asset].available

const endOf = async (id: string): Promise<string | undefined> => {
  const { rows } = await sql<{ ended: string }>`select ended from lode.payout where id = ${id}`.execute(fixture.owner)
  return rows[0]?.ended
}

describe('a paid transfer that the database lost, with the collecting of what it was paid with', () => {
  it('is restored with dividends, which are collected first', async () => {
    const [id, payment] = await losePaidTransfer(PLEDGER, { asset: 'BTC', amount: 800_000n, fee: 5_000n })
    await settle(payment)
    expect(await endOf(id)).toBe('final')
    expect(await availableOf(PLEDGER, 'BTC')).toBe(DIVIDENDS - 805_000n)
    // The member cannot collect the same dividends once more.
    expect(await fixture.collect(PLEDGER, 'again')).toBe(0n)
  })

  it('is restored with a partner’s part', async () => {
    const [id, payment] = await losePaidTransfer(PARTNER, { asset: 'USDT', amount: 400n, fee: 100n })
    await settle(payment)
    expect(await endOf(id)).toBe('final')
    expect(await availableOf(PARTNER, 'USDT')).toBe(0n)
  })

  it('names the payment if the member has too little even so, so that only its asset stops', async () => {
    const [id, payment] = await losePaidTransfer(PARTNER, { asset: 'USDT', amount: 400n, fee: 100n })
    await expect(settle(payment)).rejects.toThrow('insufficient: the payment is named')
    expect(await endOf(id)).toBeUndefined()
  })

  it('collects nothing if the balance is enough', async () => {
    await fixture.fund(day, DIVIDENDS)
    await closeDay()
    const [, payment] = await losePaidTransfer(PLEDGER, { asset: 'BTC', amount: 1_000n, fee: 0n })
    await settle(payment)
    expect(await fixture.collect(PLEDGER, 'later')).toBe(DIVIDENDS)
  })
})
