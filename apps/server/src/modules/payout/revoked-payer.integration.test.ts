import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { type Hex, keccak256, pad, stringToHex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createNode } from '../../platform/chain/node.ts'
import { nodeAt } from '../../platform/config/node-address.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { testContracts } from '../../testing/contracts.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { waitForReceipt } from '../../testing/wait-for-receipt.ts'
import { createSettlementMetrics } from './metrics.ts'
import { createSettlement } from './settlement.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

const MIN_AMOUNT = 10_000_000n
const PAYER_ROLE = keccak256(stringToHex('PAYER'))
const ETHER = 10n ** 20n

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  const worker = await pool.startWorker()
  member = await pool.addPayingMember((pool.wallets as [PrivateKeyAccount])[0], { USDT: 1_000_000_000n })
  await worker.close()
}, 60_000)
afterAll(() => pool.close())

const running: { close(): Promise<void> }[] = []
const closeAfterTest = <Started extends { close(): Promise<void> }>(started: Started): Started => {
  running.push(started)
  return started
}
const stopAll = () => Promise.all(running.splice(0).map((process) => process.close()))
afterEach(stopAll)

const revokeRole = (key: Hex) =>
  pool.onVault('administrator', pool.vaultCall('revokeRole', [PAYER_ROLE, privateKeyToAddress(key)]))

async function nameNewPayer(): Promise<Hex> {
  const key = generatePrivateKey()
  await pool.node.setBalance({ address: privateKeyToAddress(key), value: ETHER })
  await pool.grantPayer(privateKeyToAccount(key))
  return key
}

/** A transfer in a release that no block takes, because its payer has no ether. Its key is lost. */
async function signAndLoseKey(lostKey: Hex): Promise<{ id: string; release: bigint | null; raw: Hex }> {
  const address = privateKeyToAddress(lostKey)
  const worker = await pool.startWorker()
  const signer = await pool.startSigner({ PAYER_KEY: lostKey })
  await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  await pool.node.setAutomine(false)
  const id = await pool.request(member, 'USDT', MIN_AMOUNT)
  const [hash] = await waitUntil(async () => {
    const pending = await pool.pendingTransactionsOf(address)
    expect(pending).toHaveLength(1)
    return pending as [Hex]
  })
  await signer.close()
  await worker.close()
  await pool.node.setBalance({ address, value: 0n })
  await pool.node.dropTransaction({ hash })
  await pool.node.setAutomine(true)
  const { rows } = await sql<{ raw: Buffer }>`
    select raw from lode.release_form order by release_number desc limit 1`.execute(pool.db)
  return { id, release: (await pool.payout(id)).releaseNumber, raw: toHex(rows[0]?.raw ?? Buffer.alloc(0)) }
}

/** Somebody who kept the old transaction sends it. Its account has ether again. */
async function mineOldTransaction(lostKey: Hex, raw: Hex): Promise<'success' | 'reverted'> {
  await pool.node.setBalance({ address: privateKeyToAddress(lostKey), value: ETHER })
  const hash = await pool.client.sendRawTransaction({ serializedTransaction: raw })
  return (await waitForReceipt(pool.client, hash)).status
}

const walletBalance = () => pool.balanceOf('USDT', member.wallet.address)
const isGivenUp = async (release: bigint | null) => {
  const { rows } = await sql<{ given_up: boolean }>`
    select given_up from lode.release where number = ${release}`.execute(pool.db)
  return rows[0]?.given_up
}

describe('a release whose payer has lost its key', { timeout: 60_000 }, () => {
  it('is given up once the role is taken away, and its payouts are paid by the new payer, once', async () => {
    const lostKey = await nameNewPayer()
    const { id, release, raw } = await signAndLoseKey(lostKey)
    closeAfterTest(await pool.startWorker())
    await pool.finalize()
    expect(await pool.payout(id)).toMatchObject({ releaseNumber: release, ended: null })

    const held = await walletBalance()
    const newKey = await nameNewPayer()
    await revokeRole(lostKey)
    const signer = closeAfterTest(await pool.startSigner({ PAYER_KEY: newKey }))
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await isGivenUp(release)).toBe(true)
    expect((await pool.payout(id)).releaseNumber).not.toBe(release)
    expect(await mineOldTransaction(lostKey, raw)).toBe('reverted')
    await pool.finalize()
    expect((await walletBalance()) - held).toBe(MIN_AMOUNT)
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })

  it('is not paid if its member cancels the transfer and the old transaction is mined later', async () => {
    const lostKey = await nameNewPayer()
    const { id, release, raw } = await signAndLoseKey(lostKey)
    expect(await pool.cancel(member, id)).toBe('order-completed')
    const held = await walletBalance()
    await revokeRole(lostKey)
    closeAfterTest(await pool.startWorker())
    await waitUntil(async () => {
      await pool.finalize()
      expect(await isGivenUp(release)).toBe(true)
    })
    expect(await pool.cancel(member, id)).toBe('ok')
    expect(await mineOldTransaction(lostKey, raw)).toBe('reverted')
    await pool.finalize()
    expect(await walletBalance()).toBe(held)
  })

  it('is the end of its payer: the signer does not use it again, and an alarm tells if the vault does', async () => {
    const lostKey = await nameNewPayer()
    const { id, release } = await signAndLoseKey(lostKey)
    await revokeRole(lostKey)
    const worker = closeAfterTest(await pool.startWorker())
    const readAlarm = async () => (await fetch(new URL('/metrics', worker.url))).text()
    await waitUntil(async () => {
      await pool.finalize()
      expect(await isGivenUp(release)).toBe(true)
    })
    expect(await readAlarm()).toMatch(/lode_revoked_payer_restored\{.*\} 0/)
    await pool.node.setBalance({ address: privateKeyToAddress(lostKey), value: ETHER })
    await pool.grantPayer(privateKeyToAccount(lostKey))
    const signer = closeAfterTest(await pool.startSigner({ PAYER_KEY: lostKey }))
    await waitUntil(async () => expect(await pool.readiness(signer)).toMatch(/lost its role .* name another account/))
    await waitUntil(async () => {
      await pool.finalize()
      expect(await readAlarm()).toMatch(/lode_revoked_payer_restored\{.*\} 1/)
    })
    await revokeRole(lostKey)
    expect(await pool.cancel(member, id)).toBe('ok')
  })

  it('is not given up while one of two nodes says that the payer may pay, or that it has paid, or says nothing', async () => {
    const lostKey = await nameNewPayer()
    const { release } = await signAndLoseKey(lostKey)
    await revokeRole(lostKey)
    const { other, conclude } = await concludeWithTwoNodes()
    const stays = async () => {
      await conclude()
      expect(await isGivenUp(release)).toBe(false)
    }
    other.changeAnswer = ({ method }, answer) => (method === 'eth_call' ? { result: pad('0x1') } : answer)
    await stays()
    other.changeAnswer = ({ method }, answer) => (method === 'eth_getTransactionCount' ? { result: '0x9' } : answer)
    await stays()
    // Only its latest block has the role, which the administrator has just given back.
    other.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && params[1] === 'latest' ? { result: pad('0x1') } : answer
    await stays()
    other.mode = 'fail'
    await stays()
    other.mode = 'work'
    other.changeAnswer = (_request, answer) => answer
    await conclude()
    expect(await isGivenUp(release)).toBe(true)
  })
})

/** Concludes releases at the present final block, with an honest node and a second one, which a test can make lie. */
async function concludeWithTwoNodes() {
  const other = closeAfterTest(await startUnreliableNode(pool.anvil.rpcUrl))
  const role = closeAfterTest(connectDatabase(pool.database.urlOf('lode_worker'), { name: 'settlement' }))
  await pool.mine(3)
  const { number, hash } = await pool.client.getBlock({ blockTag: 'finalized' })
  const settlement = createSettlement({
    contracts: { ...testContracts, vault: pool.contracts.vault },
    metrics: createSettlementMetrics(new Registry()),
    log: pino({ level: 'silent' }),
    buildUnfreeze: () => {
      throw new Error('nothing is undone here')
    },
    buildSetAside: () => {
      throw new Error('nothing is set aside here')
    },
    collectRewards: () => {
      throw new Error('nothing is set aside here')
    },
  })
  const nodes = [pool.anvil.rpcUrl, other.rpcUrl].map(nodeAt).map(createNode)
  return { other, conclude: () => settlement.conclude(role.db, nodes, { number, hash }) }
}
