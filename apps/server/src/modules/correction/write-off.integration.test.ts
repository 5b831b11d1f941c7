import { poolVaultAbi } from '@lode/contracts'
import { type Asset, ok } from '@lode/kernel'
import { sql } from 'kysely'
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, numberToHex, pad } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import type { RunningWorker } from '../../processes/worker.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { holdCeremony, signAs, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { countReversible } from '../../testing/reversible-postings.ts'
import { amountOf, computeHoldings, post, readBalances, readSystemBalances } from '../ledger/index.ts'
import type { PoolIdentity, Proposal } from '../operators/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import {
  listCorrections,
  listStoppedAssets,
  proposeLossFunding,
  proposeWriteOff,
  readPublicLosses,
  type StoppedAsset,
} from './index.ts'

/** Runs with a real chain and a worker that follows it. Each test ends one kind of stop. */

let pool: TestPool
let identity: PoolIdentity
let alice: TestOperator
let bob: TestOperator
let ceremony: Hex
let asWorker: ReturnType<typeof connectDatabase>
let asOperator: ReturnType<typeof connectDatabase>
let member: bigint
let wallet: PrivateKeyAccount
let worker: RunningWorker

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 2 })
  identity = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
  ;({ alice, bob, ceremony } = await holdCeremony(pool.db, identity))
  asWorker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'correction test', max: 1 })
  asOperator = connectDatabase(pool.database.urlOf('lode_operator'), { name: 'operator', max: 2 })
  ;[wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addMember(wallet)
  worker = await pool.startWorker({ CHAIN_BELIEVED_AFTER_MS: '100' })
  for (const asset of ['USDT', 'BTN', 'BTC'] as const) await pool.transfer(wallet, asset, 1_000n)
  await pool.finalize()
}, 60_000)
afterAll(async () => {
  await asWorker.close()
  await asOperator.close()
  await pool.close()
})

const readyStatus = async (): Promise<string> =>
  ((await (await fetch(`${worker.url}/readyz`)).json()) as { status: string }).status

const wakeWorker = async (trx: Database) => {
  await wakeForDecisions(trx)
  return ok(null)
}

const sign = (proposal: Proposal, by: readonly TestOperator[]) =>
  signInTurn(pool.db, identity, proposal, by, wakeWorker)

async function missing(asset: Asset): Promise<bigint> {
  return -(await readSystemBalances(pool.db))('pool:loss', asset)
}

/** Waits until the asset is stopped, and returns the stop. */
const stopOf = (asset: Asset): Promise<StoppedAsset> =>
  waitUntil(async () => {
    const stop = (await listStoppedAssets(asOperator.db)).find((one) => one.asset === asset)
    if (!stop) throw new Error(`${asset} is not stopped`)
    return stop
  })

/** Writes off what stops the asset, by both operators, and waits until the asset goes on. */
async function writeOff(asset: Asset): Promise<void> {
  const { loss } = await stopOf(asset)
  if (!loss) throw new Error('nothing can be written off')
  const proposal = await proposeWriteOff(asOperator.db, {
    symbol: asset,
    amount: loss.amount,
    cause: loss.cause,
    note: 'stolen',
  })
  if (!proposal.ok) throw new Error(proposal.error)
  await sign(proposal.value, [alice, bob])
  await waitUntil(async () => expect(await listStoppedAssets(asOperator.db)).toEqual([]))
  await pool.finalize()
}

async function sendAs(from: Address, asset: Asset, to: Address, amount: bigint): Promise<Hex> {
  await pool.node.impersonateAccount({ address: from })
  await pool.node.setBalance({ address: from, value: 10n ** 18n })
  const data = pool.transferData(to, amount)
  return pool.mined(pool.node.sendTransaction({ account: from, to: pool.tokens[asset], chain: null, data }))
}

/** The ledger must agree with the chain, and every posting must have its cause. */
async function expectSound(): Promise<void> {
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
  const { rows } = await sql`
    select key from lode.ledger_transaction posted where lode.is_caused(posted) is not true`.execute(pool.db)
  expect(rows).toEqual([])
}

describe('a stop of one asset', { timeout: 60_000 }, () => {
  it('because of a payout that nobody requested is ended by a write-off; the other assets go on meanwhile', async () => {
    const payout = { id: pad('0x7', { size: 32 }), token: pool.contracts.usdt, to: wallet.address, amount: 20n }
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [[payout]] })
    await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, data))
    await pool.mine(3)
    const { reason, loss } = await stopOf('USDT')
    expect(reason).toContain('which nobody asked for')
    expect(loss).toMatchObject({ amount: 20n, from: 'vault', arrived: 0n })

    await pool.transfer(wallet, 'USDT', 3n)
    await pool.transfer(wallet, 'BTN', 4n)
    await pool.finalize()
    expect(await readyStatus()).toContain('stopped: USDT')
    expect((await readBalances(pool.db, member)).BTN.available).toBe(1_004n)
    expect((await readBalances(pool.db, member)).USDT.available).toBe(1_000n)

    const terms = { symbol: 'USDT', amount: 20n, cause: loss?.cause ?? '', note: 'the payer key was stolen' } as const
    expect(await proposeWriteOff(asOperator.db, { ...terms, amount: 19n })).toMatchObject({ ok: false })
    expect(await proposeWriteOff(asOperator.db, { ...terms, symbol: 'BTC' })).toMatchObject({ ok: false })
    const proposal = await proposeWriteOff(asOperator.db, terms)
    if (!proposal.ok) throw new Error(proposal.error)
    await sign(proposal.value, [alice])
    await pool.finalize()
    expect(await missing('USDT')).toBe(0n)
    expect(await signAs(pool.db, identity, proposal.value, bob, wakeWorker)).toBe(2)
    await waitUntil(async () => expect(await listStoppedAssets(asOperator.db)).toEqual([]))
    await pool.finalize()

    expect(await missing('USDT')).toBe(20n)
    expect((await readBalances(pool.db, member)).USDT.available).toBe(1_003n)
    const usdt = computeHoldings(await readSystemBalances(pool.db)).find(({ symbol }) => symbol === 'USDT')
    expect(usdt).toMatchObject({ held: 983n, owed: 1_003n, own: 0n, missing: 20n })

    // The thief releases it again. The vault refuses, which moves no money and stops nothing.
    await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, data))
    await pool.finalize()
    await waitUntil(async () => expect(await readyStatus()).toBe('ready'))
    await expectSound()
  })

  it('because money left the vault without an event is ended by a write-off', async () => {
    await sendAs(pool.contracts.vault, 'BTC', wallet.address, 30n)
    await pool.mine(3)
    expect((await stopOf('BTC')).reason).toContain('without a vault event')
    await writeOff('BTC')
    expect(await missing('BTC')).toBe(30n)
    await expectSound()
  })

  it('because money left cold storage is ended by a write-off', async () => {
    const cold = await pool.client.readContract({
      address: pool.contracts.vault,
      abi: poolVaultAbi,
      functionName: 'coldStorage',
    })
    await pool.transfer(wallet, 'USDT', 50n, cold)
    await pool.finalize()
    await sendAs(cold, 'USDT', wallet.address, 10n)
    await pool.mine(3)
    expect((await stopOf('USDT')).loss).toMatchObject({ amount: 10n, from: 'cold' })
    await writeOff('USDT')
    expect(await missing('USDT')).toBe(30n)
    await expectSound()
  })

  it('because more was burned than was due is ended by a write-off', async () => {
    const data = encodeFunctionData({
      abi: poolVaultAbi,
      functionName: 'burn',
      args: [5n, pad(numberToHex(1n), { size: 32 })],
    })
    await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, data))
    await pool.mine(3)
    expect((await stopOf('BTN')).reason).toContain('"insufficient" to burn')
    await writeOff('BTN')
    expect(await missing('BTN')).toBe(5n)
    await expectSound()
  })

  it('because a balance fell without a log is ended by a write-off that names the block', async () => {
    await changeVaultBalance('BTC', -7n)
    await pool.transfer(wallet, 'BTC', 2n)
    await pool.mine(3)
    const { loss } = await stopOf('BTC')
    expect(loss).toMatchObject({ amount: 7n, from: 'vault' })
    expect(loss?.cause).toMatch(/^block:\d+$/)
    await writeOff('BTC')
    expect(await missing('BTC')).toBe(37n)
    expect((await readBalances(pool.db, member)).BTC.available).toBe(1_002n)
    await expectSound()
  })

  it('because a balance seemed to fall is not written off later, when the balance falls by the same amount', async () => {
    await changeVaultBalance('BTC', -9n)
    await pool.mine(5)
    expect((await stopOf('BTC')).loss).toMatchObject({ amount: 9n })
    // It was a mistake of the nodes. The operators sign all the same.
    await changeVaultBalance('BTC', 9n)
    await pool.finalize()
    const lost = await missing('BTC')
    await writeOff('BTC')
    await waitUntil(async () => expect(await readyStatus()).toBe('ready'))
    await pool.finalize()
    expect(await missing('BTC')).toBe(lost)

    await changeVaultBalance('BTC', -9n)
    await pool.mine(5)
    expect((await stopOf('BTC')).loss).toMatchObject({ amount: 9n })
    expect(await missing('BTC')).toBe(lost)
    await writeOff('BTC')
    expect(await missing('BTC')).toBe(lost + 9n)
    await expectSound()
  })

  it('is replaced by a plain transfer of a funder; what is more than missing waits in suspense', async () => {
    const funder = pool.accountOf('funder')
    await pool.transfer(wallet, 'USDT', 100n, funder.address)
    await pool.transfer(funder, 'USDT', 10n)
    await pool.finalize()
    expect(await missing('USDT')).toBe(20n)
    await pool.transfer(funder, 'USDT', 25n)
    await pool.finalize()
    expect(await missing('USDT')).toBe(0n)
    await pool.transfer(funder, 'USDT', 1n)
    await pool.finalize()
    expect(await missing('USDT')).toBe(0n)
    await expectSound()
    expect(await countReversible(pool.db)).toMatchObject({
      deposit: 0,
      lossFunding: 0,
      reserveFunding: 0,
      suspenseDeposit: 0,
      writeOff: 0,
    })
    expect(await proposeLossFunding(asOperator.db, { symbol: 'USDT', amount: 1n, note: 'too much' })).toMatchObject({
      ok: false,
    })
    expect((await listCorrections(asOperator.db)).map(({ amount, refused }) => [amount, refused])).toEqual([
      [9n, null],
      [9n, null],
      [7n, null],
      [5n, null],
      [10n, null],
      [30n, null],
      [20n, null],
    ])
  })
})

describe('a loss', { timeout: 60_000 }, () => {
  it('that two operators wrote off is proven by the signer, which goes on with another payer', async () => {
    const key = generatePrivateKey()
    await pool.node.setBalance({ address: privateKeyToAddress(key), value: 10n ** 20n })
    await pool.grantPayer(privateKeyToAccount(key))
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony, PAYER_KEY: key })
    await waitUntil(async () => {
      const { status } = (await (await fetch(`${signer.url}/readyz`)).json()) as { status: string }
      expect(status).toBe('ready')
    })
    await signer.close()
  })

  it('is replaced from operations by two operators, and not by more than is missing', async () => {
    await loseWhatOperationsHave(10n)
    expect(await missing('USDT')).toBe(10n)
    expect(await proposeLossFunding(asOperator.db, { symbol: 'USDT', amount: 11n, note: 'x' })).toMatchObject({
      ok: false,
    })
    const proposal = await proposeLossFunding(asOperator.db, {
      symbol: 'USDT',
      amount: 4n,
      note: 'the pool bears a part',
    })
    if (!proposal.ok) throw new Error(proposal.error)
    await sign(proposal.value, [alice, bob])
    await waitUntil(async () => expect(await missing('USDT')).toBe(6n))
    expect((await readSystemBalances(pool.db))('pool:operations', 'USDT')).toBe(6n)
    expect(await countReversible(pool.db)).toMatchObject({ lossFundingByPool: 0 })
    expect((await readPublicLosses(pool.db, { USDT: 0, BTN: 0, BTC: 0 })).missing).toContainEqual({
      symbol: 'USDT',
      amount: '6',
    })
  })

  it('cannot be posted without its correction, nor for another amount', async () => {
    const moves = [{ ...amountOf('BTN', 1n), from: 'pool:loss', to: 'custody:vault' }] as const
    const key = `chain:${pool.anvil.chainId}:${pad('0x99', { size: 32 })}:0` as const
    await expect(post(asWorker.db, [{ type: 'writeOff', key, moves }])).rejects.toThrow('has no cause')
    const funding = [{ ...amountOf('USDT', 1n), from: 'pool:operations', to: 'pool:loss' }] as const
    await expect(
      post(asWorker.db, [{ type: 'lossFundingByPool', key: 'correction:1', moves: funding }]),
    ).rejects.toThrow('has no cause')
    const tooMuch = [{ ...amountOf('USDT', 7n), from: 'custody:vault', to: 'pool:loss' }] as const
    await expect(post(asWorker.db, [{ type: 'lossFunding', key, moves: tooMuch }])).rejects.toThrow('has no cause')
  })
})

/** Gives operations this much USDT, and lets the vault lose as much. */
const loseWhatOperationsHave = (value: bigint): Promise<unknown> =>
  withoutCauseChecks(pool.db, () => {
    const moved = amountOf('USDT', value)
    const keyOf = (log: number) => `chain:${pool.anvil.chainId}:${pad('0x77', { size: 32 })}:${log}` as const
    return post(asWorker.db, [
      { type: 'promotionPaid', key: keyOf(1), moves: [{ ...moved, from: 'custody:vault', to: 'pool:operations' }] },
      { type: 'writeOff', key: keyOf(2), moves: [{ ...moved, from: 'pool:loss', to: 'custody:vault' }] },
    ])
  })

/** Changes what the vault holds without a log, from the next block on. */
async function changeVaultBalance(asset: Asset, by: bigint): Promise<void> {
  const { vault } = pool.contracts
  const index = keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [vault, await balanceSlot(asset)]),
  )
  const value = pad(numberToHex((await pool.balanceOf(asset, vault)) + by), { size: 32 })
  await pool.node.setStorageAt({ address: pool.tokens[asset], index, value })
}

/** The storage slot of the token's mapping of balances. */
async function balanceSlot(asset: Asset): Promise<bigint> {
  const held = await pool.balanceOf(asset, pool.contracts.vault)
  for (let slot = 0n; slot < 20n; slot += 1n) {
    const index = keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [pool.contracts.vault, slot]),
    )
    const value = await pool.client.getStorageAt({ address: pool.tokens[asset], slot: index })
    if (value !== undefined && BigInt(value) === held) return slot
  }
  throw new Error('the token keeps its balances elsewhere')
}
