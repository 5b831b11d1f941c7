import { deployPool } from '@lode/contracts/deploy'
import { addressesOf, randomKeys } from '@lode/contracts/dev/deploy'
import { getContractAddress, type Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startUnreliableNode } from '../../testing/node.ts'
import { soon, startTestPool, type TestPool } from '../../testing/pool.ts'
import { receiptOf } from '../../testing/receipt.ts'
import { suspenseOf, systemBalances } from '../ledger/index.ts'
import { postedBlock } from './index.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

/** A chain with USDT and BTC on which USDT was sent to the vault's future address before the vault was deployed. */
async function lateVault(): Promise<{
  pool: TestPool
  sender: PrivateKeyAccount
  environment: Record<string, string>
}> {
  const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  toClose.push(pool.close)
  const [sender] = pool.wallets as [PrivateKeyAccount]
  const deployer = privateKeyToAccount(generatePrivateKey())
  await pool.node.setBalance({ address: deployer.address, value: 10n ** 19n })
  await pool.transfer(sender, 'USDT', 1n, getContractAddress({ from: deployer.address, nonce: 1n }))

  const created: Hex[] = []
  const { btn, vault } = await deployPool(
    {
      deploy: async (_what, data) => {
        const nonce = created.length
        created.push(await pool.node.sendTransaction({ account: deployer, data, chain: null, gas: 6_000_000n, nonce }))
        return getContractAddress({ from: deployer.address, nonce: BigInt(nonce) })
      },
      call: () => Promise.reject(new Error('nothing is called')),
      settle: () => Promise.reject(new Error('nothing waits')),
    },
    {
      usdt: pool.contracts.usdt,
      btc: pool.contracts.btc,
      roles: addressesOf(randomKeys()),
      caps: { usdt: 1n, btn: 1n, btc: 1n, burn: 1n },
    },
  )
  const { blockNumber } = await receiptOf(pool.client, created[0] ?? '0x')
  await pool.mine(5)
  const environment = { VAULT_ADDRESS: vault, BTN_ADDRESS: btn, VAULT_FIRST_BLOCK: String(blockNumber) }
  return { pool, sender, environment }
}

describe('what was sent to the vault before there was a vault', { timeout: 60_000 }, () => {
  it('keeps the books from beginning until they begin before it, and is in them then', async () => {
    const { pool, sender, environment } = await lateVault()
    const worker = await pool.startWorker(environment)
    await soon(async () => {
      const { status } = (await (await fetch(`${worker.url}/readyz`)).json()) as { status: string }
      expect(status).toMatch(/the vault held USDT before block \d+: VAULT_FIRST_BLOCK must be earlier/)
    })
    expect(await postedBlock(pool.db)).toBeNull()
    await worker.close()

    const earlier = String(Number(environment.VAULT_FIRST_BLOCK) - 1)
    await pool.startWorker({ ...environment, VAULT_FIRST_BLOCK: earlier })
    await pool.finalize()
    expect(await suspenseOf(pool.db, sender.address)).toMatchObject([{ asset: 'USDT', amount: 1n }])
    expect((await systemBalances(pool.db))('custody:vault', 'USDT')).toBe(-1n)
  })

  it('is not asked about through a node that fails, which begins nothing', async () => {
    const { pool, environment } = await lateVault()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(node.close)
    const [before] = [Number(environment.VAULT_FIRST_BLOCK) - 1]
    node.alter = ({ method, params }, answer) =>
      method === 'eth_call' && Number(params[1]) === before
        ? { error: { code: -32_000, message: 'header not found' } }
        : answer
    await pool.startWorker({ ...environment, CHAIN_RPC_URL: node.rpcUrl })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await postedBlock(pool.db)).toBeNull()
    // If the node no longer has that state, the check is impossible and the ledger begins.
    node.alter = ({ method, params }, answer) =>
      method === 'eth_call' && Number(params[1]) === before
        ? { error: { code: -32_000, message: 'missing trie node' } }
        : answer
    await soon(async () => expect(await postedBlock(pool.db)).not.toBeNull())
  })
})
