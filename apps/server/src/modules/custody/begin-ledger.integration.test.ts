import { deployPool } from '@lode/contracts/deploy'
import { deriveAddresses, randomKeys } from '@lode/contracts/dev/deploy'
import { getContractAddress, type Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { waitForReceipt } from '../../testing/wait-for-receipt.ts'
import { readSuspense, readSystemBalances } from '../ledger/index.ts'
import { readPostedBlock } from './index.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

/** A chain with USDT and BTC on which USDT was sent to the vault's future address before the vault was deployed. */
async function deployLateVault(): Promise<{
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
      roles: deriveAddresses(randomKeys()),
      caps: { usdt: 1n, btn: 1n, btc: 1n, burn: 1n },
      btnHolder: deployer.address,
    },
  )
  const { blockNumber } = await waitForReceipt(pool.client, created[0] ?? '0x')
  await pool.mine(5)
  const environment = { VAULT_ADDRESS: vault, BTN_ADDRESS: btn, VAULT_FIRST_BLOCK: String(blockNumber) }
  return { pool, sender, environment }
}

describe('money sent to the vault’s address before the vault was deployed', { timeout: 60_000 }, () => {
  it('prevents the ledger from beginning until VAULT_FIRST_BLOCK is earlier, and is posted then', async () => {
    const { pool, sender, environment } = await deployLateVault()
    const worker = await pool.startWorker(environment)
    await waitUntil(async () => {
      const { status } = (await (await fetch(`${worker.url}/readyz`)).json()) as { status: string }
      expect(status).toMatch(/the vault held USDT before block \d+: VAULT_FIRST_BLOCK must be earlier/)
    })
    expect(await readPostedBlock(pool.db)).toBeNull()
    await worker.close()

    const earlier = String(Number(environment.VAULT_FIRST_BLOCK) - 1)
    await pool.startWorker({ ...environment, VAULT_FIRST_BLOCK: earlier })
    await pool.finalize()
    expect(await readSuspense(pool.db, sender.address)).toMatchObject([{ asset: 'USDT', amount: 1n }])
    expect((await readSystemBalances(pool.db))('custody:vault', 'USDT')).toBe(-1n)
  })

  it('does not let the ledger begin while the node fails to read the vault’s balance', async () => {
    const { pool, environment } = await deployLateVault()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(node.close)
    const [before] = [Number(environment.VAULT_FIRST_BLOCK) - 1]
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && Number(params[1]) === before
        ? { error: { code: -32_000, message: 'header not found' } }
        : answer
    await pool.startWorker({ ...environment, CHAIN_RPC_URL: node.rpcUrl })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await readPostedBlock(pool.db)).toBeNull()
    // If the node no longer has that state, the check is impossible and the ledger begins.
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && Number(params[1]) === before
        ? { error: { code: -32_000, message: 'missing trie node' } }
        : answer
    await waitUntil(async () => expect(await readPostedBlock(pool.db)).not.toBeNull())
  })
})
