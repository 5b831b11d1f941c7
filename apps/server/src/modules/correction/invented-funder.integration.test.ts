import { poolVaultAbi } from '@lode/contracts'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, numberToHex, pad, stringToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { holdCeremony, signInTurn } from '../../testing/operators.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { amountOf, post, readBalances, readSystemBalances } from '../ledger/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import { listStoppedAssets, proposeWriteOff } from './index.ts'

/** A thief with the worker's role posts somebody's transfer as if a funder had replaced what is missing. */

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

const FUNDER = keccak256(stringToHex('FUNDER'))
/** The slot of the development token's mapping of balances. */
const MAX_SLOT = 20n

/** A pool in which 7 BTC fell without a log and were written off. Worker and signer run, and the signer is ready. */
async function startPoolWithLoss() {
  const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 2 })
  toClose.push(pool.close)
  const identity = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
  const { alice, bob, ceremony } = await holdCeremony(pool.db, identity)
  const [wallet, stranger] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const worker = await pool.startWorker({ CHAIN_BELIEVED_AFTER_MS: '100' })
  await pool.transfer(wallet, 'BTC', 1_000n)
  await pool.finalize()
  await lowerVaultBalance(pool, 7n)
  await pool.mine(3)
  const { loss } = await waitUntil(async () => {
    const [stop] = await listStoppedAssets(pool.db)
    if (!stop) throw new Error('nothing is stopped')
    return stop
  })
  const proposal = await proposeWriteOff(pool.db, { symbol: 'BTC', amount: 7n, cause: loss?.cause ?? '', note: 'gone' })
  if (!proposal.ok) throw new Error(proposal.error)
  await signInTurn(pool.db, identity, proposal.value, [alice, bob], async (trx) => {
    await wakeForDecisions(trx)
    return ok(null)
  })
  await waitUntil(async () => expect(await missing()).toBe(7n))
  const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })
  await expectReady()

  async function missing(): Promise<bigint> {
    return -(await readSystemBalances(pool.db))('pool:loss', 'BTC')
  }
  async function status(): Promise<string> {
    return ((await (await fetch(`${signer.url}/readyz`)).json()) as { status: string }).status
  }
  async function expectReady(): Promise<void> {
    await waitUntil(async () => expect(await status()).toBe('ready'))
  }
  return { pool, wallet, stranger, member, worker, missing, status, expectReady }
}

async function lowerVaultBalance(pool: TestPool, by: bigint): Promise<void> {
  const held = await pool.balanceOf('BTC', pool.contracts.vault)
  for (let slot = 0n; slot < MAX_SLOT; slot += 1n) {
    const parameters = [{ type: 'address' }, { type: 'uint256' }] as const
    const index = keccak256(encodeAbiParameters(parameters, [pool.contracts.vault, slot]))
    const value = await pool.client.getStorageAt({ address: pool.tokens.BTC, slot: index })
    if (value === undefined || BigInt(value) !== held) continue
    const lower = pad(numberToHex(held - by), { size: 32 })
    return void (await pool.node.setStorageAt({ address: pool.tokens.BTC, index, value: lower }))
  }
  throw new Error('the token keeps its balances elsewhere')
}

/** The vault makes the account a funder. */
async function grantFunder(pool: TestPool, account: PrivateKeyAccount): Promise<void> {
  const call = (functionName: 'acceptRole' | 'grantRole', args: readonly unknown[]) =>
    encodeFunctionData({ abi: poolVaultAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
  await pool.mined(pool.send(account, pool.contracts.vault, call('acceptRole', [FUNDER])))
  await pool.callAfterNotice(call('grantRole', [FUNDER, account.address]))
}

/** Posts the next transfer of this wallet instead of the worker, and says that its block is posted. */
async function stealTransfer(pool: TestPool, wallet: PrivateKeyAccount): Promise<void> {
  const stolen = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'stolen' })
  const tx = await pool.transfer(wallet, 'BTC', 2n)
  const { logs, blockNumber } = await pool.client.getTransactionReceipt({ hash: tx })
  await sql`
    insert into lode.pool_address (address, role, since_block)
    values (${bytesOf(wallet.address)}, 'funder', ${blockNumber}) on conflict do nothing`.execute(stolen.db)
  const key = `chain:${pool.anvil.chainId}:${tx}:${logs[0]?.logIndex}` as const
  const moves = [{ ...amountOf('BTC', 2n), from: 'custody:vault', to: 'pool:loss' }] as const
  const [outcome] = await post(stolen.db, [{ type: 'lossFunding', key, moves }])
  expect(outcome?.outcome).toBe('posted')
  await pool.mine(3)
  const { number, hash, timestamp } = await pool.client.getBlock({ blockTag: 'finalized' })
  await sql`
    update lode.chain_state set posted_number = ${number}, posted_hash = ${bytesOf(hash as Hex)},
           posted_time = to_timestamp(${Number(timestamp)}), booked_number = ${number}`.execute(stolen.db)
  await stolen.close()
}

describe('a transfer that is posted as if it replaced what is missing', { timeout: 90_000 }, () => {
  it('stops all payouts if the vault never made the sender a funder; a real funder’s transfer does not', async () => {
    const { pool, stranger, worker, missing, status, expectReady } = await startPoolWithLoss()
    await pool.transfer(pool.accountOf('funder'), 'BTC', 3n)
    await pool.finalize()
    expect(await missing()).toBe(4n)
    await expectReady()

    await worker.close()
    await stealTransfer(pool, stranger)
    await waitUntil(async () =>
      expect(await status()).toMatch(/lossFunding chain:.* the log is a deposit, or belongs to another owner/),
    )
  })

  it('stops all payouts if the sender is a funder and a member: what a member sends is a deposit', async () => {
    const { pool, wallet, member, worker, missing, status, expectReady } = await startPoolWithLoss()
    await grantFunder(pool, wallet)
    await pool.transfer(wallet, 'BTC', 5n)
    await pool.finalize()
    expect([await missing(), (await readBalances(pool.db, member)).BTC.available]).toEqual([7n, 1_005n])
    await expectReady()

    await worker.close()
    await stealTransfer(pool, wallet)
    await waitUntil(async () =>
      expect(await status()).toMatch(/lossFunding chain:.* the log is a deposit, or belongs to another owner/),
    )
  })
})
