import { poolVaultAbi } from '@lode/contracts'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { encodeFunctionData, pad } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { signAs, signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { listCorrections, listStoppedAssets, proposeWriteOff } from '../correction/index.ts'
import { computeHoldings, readSystemBalances } from '../ledger/index.ts'
import type { PoolIdentity, Proposal } from '../operators/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

/** Runs with a real chain, a worker and a signer. A stolen payer key takes USDT, and two operators write it off. */

const STOLEN = 100_000_000n
const MIN = { USDT: 10_000_000n, BTN: 1_000n * 10n ** 18n }

let pool: PayingPool
let identity: PoolIdentity
let member: PayingMember

beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  identity = { pool: pool.contracts.vault, chainId: pool.contracts.chainId }
  await pool.startWorker({ CHAIN_BELIEVED_AFTER_MS: '100' })
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addPayingMember(wallet, { USDT: 1_000_000_000n, BTN: 10n ** 22n })
}, 60_000)
afterAll(() => pool.close())

const wakeWorker = async (trx: Database) => {
  await wakeForDecisions(trx)
  return ok(null)
}

/** Another account with the payer's role pays itself. So the signer's own payer stays as it is. */
async function steal(): Promise<void> {
  const thief = privateKeyToAccount(generatePrivateKey())
  await pool.node.setBalance({ address: thief.address, value: 10n ** 20n })
  await pool.grantPayer(thief)
  const payout = { id: pad('0x7', { size: 32 }), token: pool.contracts.usdt, to: thief.address, amount: STOLEN }
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [[payout]] })
  await pool.mined(pool.send(thief, pool.contracts.vault, data))
  await pool.mine(3)
}

async function proposeWhatStops(): Promise<Proposal<'write-off'>> {
  const { loss } = await waitUntil(async () => {
    const [stop] = await listStoppedAssets(pool.db)
    if (!stop) throw new Error('nothing is stopped')
    return stop
  })
  const terms = { symbol: 'USDT', amount: STOLEN, cause: loss?.cause ?? '', note: 'a payer key was stolen' } as const
  const proposal = await proposeWriteOff(pool.db, terms)
  if (!proposal.ok) throw new Error(proposal.error)
  return proposal.value
}

const missing = async () => -(await readSystemBalances(pool.db))('pool:loss', 'USDT')

describe('what is missing in one asset', { timeout: 60_000 }, () => {
  it('holds back its payouts, not those of others, until it is replaced; its write-off counts once, and for this pool', async () => {
    await steal()
    const proposal = await proposeWhatStops()
    const elsewhere = { ...identity, pool: pool.contracts.usdt }
    const { alice, bob, ceremony } = pool.operators
    expect(await signAs(pool.db, elsewhere, proposal, alice)).toEqual(expect.any(String))
    await signInTurn(pool.db, identity, proposal, [alice, bob], wakeWorker)
    await waitUntil(async () => expect(await listStoppedAssets(pool.db)).toEqual([]))
    await pool.finalize()
    expect(await missing()).toBe(STOLEN)

    await signInTurn(pool.db, identity, proposal, [alice, bob], wakeWorker)
    await waitUntil(async () =>
      expect((await listCorrections(pool.db)).map(({ refused }) => refused)).toEqual([
        expect.stringContaining('nothing is stopped because of exactly this'),
        null,
      ]),
    )
    expect(await missing()).toBe(STOLEN)

    await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
    const waiting = await pool.request(member, 'USDT', MIN.USDT)
    const paid = await pool.request(member, 'BTN', MIN.BTN)
    expect(await pool.waitUntilEnded(paid)).toMatchObject({ ended: 'final' })
    await waitUntil(async () => expect(await pool.payout(waiting)).toMatchObject({ waitsFor: 'missing', ended: null }))

    const funder = pool.accountOf('funder')
    await pool.transfer(member.wallet, 'USDT', STOLEN, funder.address)
    await pool.transfer(funder, 'USDT', STOLEN)
    await pool.finalize()
    expect(await missing()).toBe(0n)
    await sql`update lode.payout set look_at = lode.now()`.execute(pool.db)
    expect(await pool.waitUntilEnded(waiting)).toMatchObject({ ended: 'final', waitsFor: null })
    const usdt = computeHoldings(await readSystemBalances(pool.db)).find(({ symbol }) => symbol === 'USDT')
    expect(usdt).toMatchObject({ missing: 0n })
  })
})
