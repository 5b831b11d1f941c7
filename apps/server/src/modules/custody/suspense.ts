import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { amountOf, post, type Suspended, suspenseOf, type Transaction } from '../ledger/index.ts'
import { lockAddresses } from './address-lock.ts'

type Member = { readonly id: bigint; readonly account: Address }

/**
 * Credits the suspense of a member's address. It runs in the transaction that registers the member, or in the sweep's,
 * under the lock of the address. A deposit that becomes final at the same moment is either in suspense before, and is
 * credited here, or is posted later, and finds the member.
 */
export async function creditSuspense(inside: Database, member: Member): Promise<number> {
  const waiting = await suspenseOf(inside, member.account)
  const outcomes = await post(
    inside,
    waiting.map((suspended) => credit(member, suspended)),
  )
  for (const { outcome } of outcomes)
    if (outcome !== 'posted') throw new Error(`suspense of ${member.account} is ${outcome}, under its lock`)
  return outcomes.length
}

function credit({ id, account }: Member, { asset, amount, version }: Suspended): Transaction {
  const operation = `suspense:${asset}:${version}`
  const from = { kind: 'suspense:address', address: account } as const
  const to = { kind: 'available', member: id, line: { type: 'suspenseCredit', operation } } as const
  return { type: 'suspenseCredit', member: id, key: operation, moves: [{ ...amountOf(asset, amount), from, to }] }
}

const BATCH = 500

/**
 * Credits suspense that registration did not: what a member sent to cold storage, and what came from the first member's
 * address before the operator created that member. Each member is credited in its own transaction.
 */
export async function sweepSuspense(db: Database): Promise<number> {
  let credited = 0
  let after: bigint | null = null
  for (;;) {
    const holders: Waiting[] = await waitingMembers(db, after)
    for (const { id, account } of holders)
      credited += await db.transaction().execute(async (inside) => {
        await lockAddresses(inside, [account])
        return creditSuspense(inside, { id, account })
      })
    const last = holders.at(-1)
    if (!last || holders.length < BATCH) return credited
    after = last.owner
  }
}

type Waiting = Member & { readonly owner: bigint }

async function waitingMembers(db: Database, after: bigint | null): Promise<Waiting[]> {
  const { rows } = await sql<{ owner: bigint; id: bigint; account: Buffer }>`
    select holder.owner, member.id, member.account
    from lode.suspense_holder holder
    join lode.member on member.account = holder.address
    where ${after === null ? sql`true` : sql`holder.owner < ${after}`}
      and exists (
        select from lode.ledger_account account
        where account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14 and account.balance > 0)
    order by holder.owner desc limit ${BATCH}`.execute(db)
  return rows.map(({ account, ...row }) => ({ ...row, account: addressFromColumn(account) }))
}
