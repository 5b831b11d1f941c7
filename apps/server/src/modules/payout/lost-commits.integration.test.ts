import { join } from 'node:path'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { readSystemBalances } from '../ledger/index.ts'
import { proposeRestoreAcknowledgment } from '../operators/index.ts'
import { acknowledgeRestore } from './restore/acknowledge-restore.ts'
import { forgetLastRelease } from './testing/forget-last-release.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

const MIN_AMOUNT = 10_000_000n
/** The hash of nothing. */
const NO_JOURNAL = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  await pool.startWorker()
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addPayingMember(wallet, { USDT: 1_000_000_000n, BTN: 10n ** 24n })
}, 60_000)
afterAll(() => pool.close())

let hosts = 0
const signers: { close(): Promise<void> }[] = []
/** Every signer is on a new host: there no journal tells what the database lacks. */
const startSigner: PayingPool['startSigner'] = async (extra) => {
  hosts += 1
  const signer = await pool.startSigner({ SIGNER_JOURNAL: join(pool.folder, `host-${hosts}.journal`), ...extra })
  signers.push(signer)
  return signer
}
afterEach(async () => {
  await Promise.all(signers.splice(0).map((signer) => signer.close()))
})

const countReleases = async (condition = sql`true`): Promise<number | undefined> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from lode.release where ${condition}`.execute(pool.db)
  return rows[0]?.count
}

const payer = () => pool.accountOf('payer').address
const readCount = () => pool.client.getTransactionCount({ address: payer() })

/** As two operators do after `lode restored` has compared the database with the chain. */
const acknowledgeChain = async () => {
  const { number } = await pool.client.getBlock({ blockTag: 'finalized' })
  const terms = { journal: NO_JOURNAL, lines: 0, block: String(number) }
  const identity = { pool: pool.contracts.vault, chainId: pool.contracts.chainId }
  const { alice, bob } = pool.operators
  const proposal = proposeRestoreAcknowledgment(terms, 'the disk failed')
  await signInTurn(pool.db, identity, proposal, [alice, bob], async (trx, { id, complete }) => {
    if (complete) await acknowledgeRestore(trx, id)
    return ok(null)
  })
}

/** Gives another account the payer's role, and returns its key. The database knows nothing of this account yet. */
async function nameNewPayer(): Promise<Hex> {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await pool.node.setBalance({ address: account.address, value: 10n ** 20n })
  await pool.grantPayer(account)
  return key
}

const waitUntilSeen = (id: string) =>
  waitUntil(async () => {
    const { rows } = await sql`select from lode.chain_outgoing where payout_id = ${id}`.execute(pool.db)
    expect(rows).toHaveLength(1)
  })

describe('a signer that takes over on another host', { timeout: 120_000 }, () => {
  it('signs nothing if the chain has a transaction of the payer that the database lacks', async () => {
    const first = await startSigner()
    const lost = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntilSeen(lost)
    await first.close()
    await forgetLastRelease(pool.db)
    expect(await pool.waitUntilEnded(lost)).toMatchObject({ ended: 'final', releaseNumber: null })

    const signer = await startSigner()
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    const refusal = `${payer()} has made 1 transactions, of which the database knows 0: it lost a release`
    await waitUntil(async () => expect(await pool.readiness(signer)).toContain(refusal))
    await waitUntil(async () => expect(await pool.payout(id)).toMatchObject({ waitsFor: 'chain', releaseNumber: null }))
    expect(await readCount()).toBe(1)

    await acknowledgeChain()
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await readCount()).toBe(2)
  })

  it('is not held up by a restore that was acknowledged before, and stops at the next lost release', async () => {
    const first = await startSigner()
    await pool.waitUntilEnded(await pool.request(member, 'USDT', MIN_AMOUNT))
    const lost = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntilSeen(lost)
    await first.close()
    await forgetLastRelease(pool.db)
    await pool.waitUntilEnded(lost)
    const signer = await startSigner()
    await waitUntil(async () => expect(await pool.readiness(signer)).toMatch(/it lost a release/))
    await acknowledgeChain()
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })

  it('signs nothing if the vault has paid a payout that is queued, even if one node does not have the block yet', async () => {
    const newKey = await nameNewPayer()
    const behind = await pool.client.getBlockNumber()
    const first = await startSigner()
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntilSeen(id)
    await first.close()
    await forgetLastRelease(pool.db)
    const before = await countReleases()

    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = async ({ method, params }, answer) =>
      method === 'eth_call' && JSON.stringify(params).includes(id.replaceAll('-', ''))
        ? { result: await pool.client.request({ method, params: [params[0] as object, toHex(behind)] }) }
        : answer
    const urls = `behind=${node.rpcUrl},honest=${pool.anvil.rpcUrl}`
    const signer = await startSigner({ PAYER_KEY: newKey, CHAIN_RPC_URL: urls })
    const refusal = `payout ${id} is queued, but honest says that the vault has paid it: the database lost its release`
    await waitUntil(async () => expect(await pool.readiness(signer)).toContain(refusal))
    expect(await countReleases()).toBe(before)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final', releaseNumber: null })
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
    await signer.close()
    await node.close()
  })
})

describe('a burn that is mined, and that the database forgot', { timeout: 120_000 }, () => {
  it('is signed by the next payer under the same id, which the vault refuses, so that it is burned once', async () => {
    await acknowledgeChain()
    const due = async () => (await readSystemBalances(pool.db))('burn:due', 'BTN')
    const held = () => pool.balanceOf('BTN', pool.contracts.vault)
    const countBurns = () => countReleases(sql`kind = 'burn'`)
    const newKey = await nameNewPayer()
    const signer = await startSigner()
    await pool.waitUntilEnded(await pool.request(member, 'BTN', 1_000n * 10n ** 18n))
    await waitUntil(async () => expect(await countBurns()).toBe(1))
    await waitUntil(async () => expect(await pool.pendingTransactionsOf(payer())).toEqual([]))
    await signer.close()
    const [owed, before] = [await due(), await held()]
    expect(owed).toBeGreaterThan(0n)
    await forgetLastRelease(pool.db)

    await startSigner({ PAYER_KEY: newKey })
    await waitUntil(async () => expect(await countBurns()).toBe(1))
    await waitUntil(async () => {
      await pool.finalize()
      expect(await due()).toBe(0n)
    })
    await waitUntil(async () => {
      await pool.finalize()
      expect(await countReleases(sql`ended_at is null`)).toBe(0)
    })
    expect(await held()).toBe(before)
    expect((await readSystemBalances(pool.db))('custody:vault', 'BTN')).toBe(-before)
  })
})

describe('a transfer that the chain shows as paid, and that the database forgot to have signed', {
  timeout: 60_000,
}, () => {
  it('cannot be canceled', async () => {
    const signer = await startSigner({ PAYER_KEY: await nameNewPayer() })
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntilSeen(id)
    await signer.close()
    await forgetLastRelease(pool.db)
    expect(await pool.cancel(member, id)).toBe('order-completed')
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
  })
})
