import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, keccak256, stringToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNode } from '../../../platform/chain/node.ts'
import { readOperatorConfig } from '../../../platform/config/config.ts'
import { nodeAt } from '../../../platform/config/node-address.ts'
import { signInTurn } from '../../../testing/operators.ts'
import { waitUntil } from '../../../testing/pool.ts'
import { waitForReceipt } from '../../../testing/wait-for-receipt.ts'
import { type ChainState, readChainState } from '../../custody/index.ts'
import { readBalances } from '../../ledger/index.ts'
import { proposeRestoreAcknowledgment } from '../../operators/index.ts'
import { readJournal } from '../journal.ts'
import { forgetLastRelease } from '../testing/forget-last-release.ts'
import { type PayingMember, type PayingPool, startPayingPool } from '../testing/paying-pool.ts'
import { acknowledgeRestore } from './acknowledge-restore.ts'
import { findAfterRestore, storeFound } from './find-after-restore.ts'

const AMOUNT = 10_000_000n
const PAYER_ROLE = keccak256(stringToHex('PAYER'))

let pool: PayingPool
let member: PayingMember
let worker: { close(): Promise<void> }
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  worker = await pool.startWorker()
  member = await pool.addPayingMember((pool.wallets as [PrivateKeyAccount])[0], { USDT: 1_000_000_000n })
}, 60_000)
afterAll(() => pool.close())

const journalPath = () => join(pool.folder, 'signer.journal')
const walletBalance = () => pool.balanceOf('USDT', member.wallet.address)
const available = async () => (await readBalances(pool.db, member.id)).USDT.available

/** Signs a transfer that no block takes. Then a failover loses its release. Returns the transfer and the signed bytes. */
async function loseUnminedRelease(key: Hex): Promise<{ id: string; raw: Hex }> {
  const signer = await pool.startSigner({ PAYER_KEY: key })
  await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  await pool.node.setAutomine(false)
  const id = await pool.request(member, 'USDT', AMOUNT)
  const [hash] = await waitUntil(async () => {
    const pending = await pool.pendingTransactionsOf(privateKeyToAddress(key))
    expect(pending).toHaveLength(1)
    return pending as [Hex]
  })
  await signer.close()
  await pool.node.dropTransaction({ hash })
  await pool.node.setAutomine(true)
  await forgetLastRelease(pool.db)
  const line = (await readJournal(journalPath()))?.lines.at(-1)
  if (!line) throw new Error('the journal has no release')
  return { id, raw: line.raw }
}

/** Compares the database with the journal and the chain, as `lode restored` does. */
async function find() {
  const config = readOperatorConfig({ ...pool.environment, DATABASE_URL: pool.database.ownerUrl })
  if (!config.ok) throw new Error(config.error.join('\n'))
  const state = (await readChainState(pool.db)) as ChainState
  const nodes = [createNode(nodeAt(pool.anvil.rpcUrl))]
  return findAfterRestore(pool.db, nodes, config.value, { state, journal: readJournal(journalPath()) as never })
}

async function acknowledge({ compared }: Awaited<ReturnType<typeof find>>): Promise<void> {
  const { journalHash, journalLines, chainBlock } = compared
  const terms = { journal: journalHash.toString('hex'), lines: journalLines, block: String(chainBlock) }
  const identity = { pool: pool.contracts.vault, chainId: pool.contracts.chainId }
  const { alice, bob } = pool.operators
  const proposal = proposeRestoreAcknowledgment(terms, 'a failover')
  await signInTurn(pool.db, identity, proposal, [alice, bob], async (trx, { id, complete }) => {
    if (complete) await acknowledgeRestore(trx, id)
    return ok(null)
  })
}

async function nameNewPayer(): Promise<Hex> {
  const key = generatePrivateKey()
  await pool.node.setBalance({ address: privateKeyToAddress(key), value: 10n ** 20n })
  await pool.grantPayer(privateKeyToAccount(key))
  await pool.finalize()
  return key
}

/** A restore ends all sessions. */
const signInAgain = () =>
  sql`
    insert into lode.session (id, token_hash, member_id, mode, device_hash)
    select ${member.session}, ${randomBytes(32)}, ${member.id}, 'full', id_hash
    from lode.device where member_id = ${member.id} limit 1`.execute(pool.db)

describe('a lost release whose transfer was canceled since', { timeout: 120_000 }, () => {
  it('is stored again only when its payer can pay no more, and then nobody sends or pays it', async () => {
    const before = await available()
    const key = pool.keys.payer
    const payer = privateKeyToAddress(key)
    const { id, raw } = await loseUnminedRelease(key)
    const beforeCancel = await find()
    expect(beforeCancel).toMatchObject({ refusal: null, lost: { releases: [{ payer }] } })
    expect(await pool.cancel(member, id)).toBe('ok')

    const found = await find()
    expect(found.refusal).toContain(id)
    expect(found.refusal).toContain(`first take the payer’s role in the vault from ${payer}`)
    // The member cancels while the operator still reads what was found.
    await expect(storeFound(pool.db, beforeCancel)).rejects.toThrow(id)
    expect((await sql`select from lode.release`.execute(pool.db)).rows).toEqual([])

    const newKey = await nameNewPayer()
    expect((await find()).refusal).toBe(found.refusal)
    await pool.onVault('administrator', pool.vaultCall('revokeRole', [PAYER_ROLE, payer]))
    expect((await find()).refusal).toBe(found.refusal)
    await pool.finalize()
    const safe = await find()
    expect(safe.refusal).toBeNull()
    await storeFound(pool.db, safe)
    await acknowledge(safe)
    await waitUntil(async () => {
      await pool.finalize()
      const { rows } = await sql`select given_up from lode.release`.execute(pool.db)
      expect(rows).toEqual([{ given_up: true }])
    })
    const signer = await pool.startSigner({ PAYER_KEY: newKey })
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
    expect(await pool.pendingTransactionsOf(payer)).toEqual([])
    await signer.close()

    const held = await walletBalance()
    const hash = await pool.client.sendRawTransaction({ serializedTransaction: raw })
    expect((await waitForReceipt(pool.client, hash)).status).toBe('reverted')
    await pool.finalize()
    expect(await walletBalance()).toBe(held)
    expect(await available()).toBe(before)
    expect(await pool.payout(id)).toMatchObject({ ended: 'cancelled', releaseNumber: null })
  })

  it('is listed as a payment that nothing explains, if a final block has it', async () => {
    const key = await nameNewPayer()
    await signInAgain()
    const { id, raw } = await loseUnminedRelease(key)
    expect(await pool.cancel(member, id)).toBe('ok')
    await worker.close()
    const hash = await pool.client.sendRawTransaction({ serializedTransaction: raw })
    expect((await waitForReceipt(pool.client, hash)).status).toBe('success')
    expect((await find()).refusal).toContain(id)
    await pool.mine(3)
    expect(await find()).toMatchObject({ refusal: null, unexplained: [{ id }] })
  })
})
