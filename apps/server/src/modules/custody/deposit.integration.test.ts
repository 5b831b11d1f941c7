import { poolVaultAbi } from '@lode/contracts'
import { batchWalletAbi, batchWalletBytecode, hostileTokenAbi, hostileTokenBytecode } from '@lode/contracts/dev'
import { quoteDomain, quoteTypes } from '@lode/contracts/terms'
import { assets } from '@lode/kernel'
import { type Address, encodeDeployData, encodeFunctionData, type Hex, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { waitForReceipt } from '../../testing/wait-for-receipt.ts'
import { audit, readBalances, readLogLines, readSuspense } from '../ledger/index.ts'
import { loadIncoming } from './index.ts'

let pool: TestPool
let wallet: PrivateKeyAccount
let stranger: PrivateKeyAccount
let member: bigint

beforeAll(async () => {
  pool = await startTestPool()
  ;[wallet, stranger] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
  member = await pool.addMember(wallet)
  await pool.startWorker()
})
afterAll(() => pool.close())

/** After every test, custody in the ledger equals the balances on the chain. */
afterEach(async () => {
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
})

const held = async (asset: (typeof assets)[number]) => (await readBalances(pool.db, member))[asset].available
const lines = async (asset: (typeof assets)[number]) =>
  (await readLogLines(pool.db, { member, asset, limit: 100 })).map(({ operation, amount, status }) => ({
    operation,
    amount,
    status,
  }))

describe('a deposit', { timeout: 60_000 }, () => {
  it.each(assets)('of %s is shown as confirming, and credited once when it is final', async (asset) => {
    const before = await held(asset)
    const tx = await pool.deposit(wallet, asset, 5_000n)
    const seen = await waitUntil(async () => {
      const incoming = await loadIncoming(pool.db, wallet.address, asset)
      expect(incoming).toMatchObject([{ tx, amount: 5_000n }])
      return incoming
    })
    expect(await held(asset)).toBe(before)

    await pool.finalize()
    expect(await held(asset)).toBe(before + 5_000n)
    expect(await loadIncoming(pool.db, wallet.address, asset)).toEqual([])
    const [first] = await lines(asset)
    expect(first).toEqual({ operation: `${tx}:${seen[0]?.logIndex}`, amount: 5_000n, status: 'confirmed' })
  })

  it('can be a plain transfer from a member’s address', async () => {
    const before = await held('BTC')
    const tx = await pool.transfer(wallet, 'BTC', 7n)
    await pool.finalize()
    expect(await held('BTC')).toBe(before + 7n)
    expect((await lines('BTC'))[0]).toMatchObject({ operation: expect.stringContaining(tx), amount: 7n })
  })

  it('and a plain transfer of the same amount in one transaction are two credits, not three', async () => {
    const data = encodeDeployData({ abi: batchWalletAbi, bytecode: batchWalletBytecode, args: [wallet.address] })
    const batcher = await deploy(data)
    const batchMember = await pool.addMember({ address: batcher })
    await pool.transfer(wallet, 'USDT', 1_000n, batcher)
    const calls = [
      { target: pool.tokens.USDT, data: pool.approveData(600n) },
      { target: pool.tokens.USDT, data: pool.transferData(pool.contracts.vault, 300n) },
      { target: pool.contracts.vault, data: pool.depositData('USDT', 300n) },
      { target: pool.contracts.vault, data: pool.depositData('USDT', 300n) },
      { target: pool.tokens.USDT, data: pool.transferData(pool.contracts.vault, 100n) },
    ]
    const batch = encodeFunctionData({ abi: batchWalletAbi, functionName: 'executeBatch', args: [calls] })
    await pool.mined(pool.send(wallet, batcher, batch))
    await pool.finalize()
    expect((await readBalances(pool.db, batchMember)).USDT.available).toBe(1_000n)
    const credited = await readLogLines(pool.db, { member: batchMember, asset: 'USDT', limit: 10 })
    expect(credited.map(({ amount }) => amount)).toEqual([100n, 300n, 300n, 300n])
  })

  it('is credited together with another one in the same block', async () => {
    const before = await held('USDT')
    await pool.approve(wallet, 'USDT', 30n)
    await pool.node.setAutomine(false)
    const nonce = await pool.client.getTransactionCount({ address: wallet.address })
    for (const [place, amount] of [10n, 20n].entries())
      await pool.send(wallet, pool.contracts.vault, pool.depositData('USDT', amount), nonce + place)
    await pool.mine(1)
    await pool.node.setAutomine(true)
    await pool.finalize()
    expect(await held('USDT')).toBe(before + 30n)
  })

  it('is credited for a payment that matches no open order', async () => {
    const before = await held('USDT')
    const { timestamp } = await pool.client.getBlock()
    const quote = {
      orderId: keccak256('0x01'),
      payer: wallet.address,
      token: pool.contracts.usdt,
      amount: 77n,
      deadline: timestamp + 1_800n,
    }
    const signature = await pool.accountOf('quoteSigner').signTypedData({
      domain: quoteDomain(pool.contracts.chainId, pool.contracts.vault),
      types: quoteTypes,
      primaryType: 'Quote',
      message: quote,
    })
    await pool.approve(wallet, 'USDT', quote.amount)
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pay', args: [quote, signature] })
    await pool.mined(pool.send(wallet, pool.contracts.vault, data))
    await pool.finalize()
    expect(await held('USDT')).toBe(before + 77n)
  })

  it('in a token that is not the pool’s is ignored', async () => {
    const fake = await deploy(encodeDeployData({ abi: hostileTokenAbi, bytecode: hostileTokenBytecode }))
    const mint = encodeFunctionData({ abi: hostileTokenAbi, functionName: 'mint', args: [wallet.address, 1_000n] })
    await pool.mined(pool.send(wallet, fake, mint))
    const before = await readBalances(pool.db, member)
    await pool.mined(pool.send(wallet, fake, pool.transferData(pool.contracts.vault, 1_000n)))
    await pool.transfer(wallet, 'USDT', 0n)
    await pool.finalize()
    expect(await readBalances(pool.db, member)).toEqual(before)
  })

  it('from an address that nobody registered waits in suspense', async () => {
    await pool.deposit(stranger, 'USDT', 11n)
    await pool.transfer(stranger, 'BTC', 12n)
    await pool.finalize()
    expect(await readSuspense(pool.db, stranger.address)).toMatchObject([
      { asset: 'USDT', amount: 11n },
      { asset: 'BTC', amount: 12n },
    ])
  })
})

describe('the ledger after these deposits', () => {
  it('passes the audit', async () => {
    expect((await audit(pool.db)).findings).toEqual([])
  })
})

async function deploy(data: Hex): Promise<Address> {
  const hash = await pool.node.sendTransaction({ account: wallet, data, chain: null })
  const { contractAddress } = await waitForReceipt(pool.client, hash)
  if (!contractAddress) throw new Error('nothing was deployed')
  return contractAddress
}
