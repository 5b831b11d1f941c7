import { randomBytes, randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import { publishFirstPlan } from '../../../testing/plan.ts'
import { startTestPool, type TestPool, waitUntil } from '../../../testing/pool.ts'
import { post } from '../../ledger/index.ts'
import { createPlans } from '../../plan/index.ts'
import { freezePosting, unfreezePosting } from '../../transfer/index.ts'
import { type PayoutRow, readPayouts } from '../payout-row.ts'

export type PayingPool = Awaited<ReturnType<typeof startPayingPool>>
export type PayingMember = { readonly id: bigint; readonly wallet: PrivateKeyAccount; readonly session: string }

type VaultCall = Parameters<typeof encodeFunctionData<typeof poolVaultAbi>>[0]

const encodeVault = (functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName, args } as VaultCall)

/** A pool with a worker and members who have money in it. Each test starts the signers that it needs. */
export async function startPayingPool(options: Parameters<typeof startTestPool>[0] = {}) {
  const pool = await startTestPool({ slotsInAnEpoch: 1, ...options })
  const api = connectDatabase(pool.database.urlOf('lode_api'), { name: 'paying', max: 8 })
  const operators = await publishFirstPlan(pool.db, { pool: pool.contracts.vault, chainId: pool.contracts.chainId })
  const plan = await createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }).inForce(pool.db)
  if (!plan) throw new Error('no plan is in force')
  const terms = plan.transfer

  const payout = async (id: string): Promise<PayoutRow> => {
    const [row] = await readPayouts(pool.db, sql`where id = ${id}`)
    if (!row) throw new Error(`there is no payout ${id}`)
    return row
  }

  const onVault = async (by: 'administrator' | 'guardian', data: Hex): Promise<void> => {
    await pool.mined(pool.send(pool.accountOf(by), pool.contracts.vault, data))
  }

  return {
    ...pool,
    api: api.db,
    onVault,
    terms,
    payout,
    operators,

    /** Adds a member of the highest level, with the browser of its registration and these deposits. */
    async addPayingMember(wallet: PrivateKeyAccount, deposits: Partial<Record<Asset, bigint>>): Promise<PayingMember> {
      const member = await addMemberOfHighestLevel(pool, wallet)
      for (const [asset, amount] of Object.entries(deposits)) await pool.deposit(wallet, asset as Asset, amount)
      await pool.finalize()
      return member
    },

    /** Requests a transfer as the api does: writes the row and freezes amount and fee, in one transaction. */
    request: (member: PayingMember, asset: Asset, amount: bigint): Promise<string> =>
      requestTransfer(api.db, member, { asset, amount, fee: terms[asset].fee }),

    /** Cancels a transfer as the api does: ends the row and unfreezes amount and fee, in one transaction. */
    cancel: (member: PayingMember, id: string): Promise<string> => cancelTransfer(api.db, member, id),

    vaultCall: encodeVault,

    /** The hashes of this address's transactions that wait for a block. */
    async pendingTransactionsOf(address: Address): Promise<Hex[]> {
      const { pending, queued } = await pool.node.getTxpoolContent()
      const all = [pending, queued].flatMap((part) => Object.entries(part))
      return all
        .filter(([from]) => isAddressEqual(from as Address, address))
        .flatMap(([, byNonce]) => Object.values(byNonce).map(({ hash }) => hash))
    },

    /** The status that `/readyz` answers. */
    async readiness({ url }: { readonly url: string }): Promise<string> {
      const answer = await fetch(new URL('/readyz', url))
      return ((await answer.json()) as { status: string }).status
    },

    /** Waits until the payout is signed. */
    waitUntilSigned: (id: string): Promise<PayoutRow> =>
      waitUntil(async () => {
        const row = await payout(id)
        if (row.releaseNumber === null) throw new Error(`not signed: ${row.heldCheck ?? row.waitsFor}`)
        return row
      }),

    /** Mines and waits until the payout has ended. */
    waitUntilEnded: (id: string): Promise<PayoutRow> =>
      waitUntil(async () => {
        const before = await payout(id)
        if (before.ended !== null) return before
        await pool.finalize()
        const row = await payout(id)
        if (row.ended === null) throw new Error(`not ended: ${row.releaseNumber} ${row.heldCheck ?? row.waitsFor}`)
        return row
      }),

    async close(): Promise<void> {
      await api.close()
      await pool.close()
    },
  }
}

/** Adds a member of the highest level, with the browser of its registration. */
export async function addMemberOfHighestLevel(
  pool: Pick<TestPool, 'addMember' | 'db'>,
  wallet: PrivateKeyAccount,
): Promise<PayingMember> {
  const id = await pool.addMember(wallet)
  const [session, device] = [randomUUID(), randomBytes(32)]
  await sql`update lode.member set level = 5 where id = ${id}`.execute(pool.db)
  await sql`insert into lode.device values (${id}, ${device}, lode.now(), true)`.execute(pool.db)
  // Tests move the clock by days. A worker that runs meanwhile would remove an older session at the next quarter hour.
  await sql`
    insert into lode.session (id, token_hash, member_id, mode, device_hash, created_at)
    values (${session}, ${randomBytes(32)}, ${id}, 'full', ${device}, lode.now() + interval '30 days')`.execute(pool.db)
  return { id, wallet, session }
}

type Requester = Pick<PayingMember, 'id' | 'session'>
type RequestedTerms = { readonly asset: Asset; readonly amount: bigint; readonly fee: bigint }

/** Requests a transfer with a connection of the api, and returns its id. Half of the fee is burned, if it is in BTN. */
export async function requestTransfer(api: Database, member: Requester, terms: RequestedTerms): Promise<string> {
  const { asset, amount, fee } = terms
  const id = randomUUID()
  const burned = asset === 'BTN' ? fee / 2n : 0n
  await api.transaction().execute(async (trx) => {
    const { rows } = await sql<{ answer: string }>`
      select lode.request_transfer(${member.id}, ${member.session}, ${id}, ${asset}, ${String(amount)}::numeric,
                                   ${String(fee)}::numeric, ${String(burned)}::numeric, 1, 1e30) as answer`.execute(trx)
    if (rows[0]?.answer !== 'ok') throw new Error(`the transfer is ${rows[0]?.answer}`)
    const [outcome] = await post(trx, [freezePosting({ id, memberId: member.id, asset, amount, fee })])
    if (outcome?.outcome !== 'posted') throw new Error(`the ledger transaction is ${outcome?.outcome}`)
  })
  return id
}

/** Cancels a transfer with a connection of the api, and returns the answer. */
export const cancelTransfer = (api: Database, member: Requester, id: string): Promise<string> =>
  api.transaction().execute(async (trx) => {
    const { rows } = await sql<{ answer: string }>`
      select lode.cancel_transfer(${member.id}, ${id}) as answer`.execute(trx)
    const [row] = await readPayouts(trx, sql`where id = ${id}`)
    if (rows[0]?.answer === 'ok' && row) await post(trx, [unfreezePosting({ ...row, memberId: member.id })])
    return rows[0]?.answer ?? ''
  })
