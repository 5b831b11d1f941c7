import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { amountOf, post, readSuspense, type SuspenseBalance, type Transaction } from '../ledger/index.ts'
import { lockAddresses } from './address-lock.ts'

type Member = { readonly id: bigint; readonly account: Address }

/**
 * Credits the suspense of a member's address. It runs in the transaction of the registration or of the sweep, under the
 * lock of the address. A deposit that becomes final at the same moment either is in suspense already and is credited
 * here, or is posted afterwards, when the member exists.
 */
export async function creditSuspense(trx: Database, member: Member): Promise<number> {
  const balances = await readSuspense(trx, member.account)
  const outcomes = await post(
    trx,
    balances.map((suspended) => buildSuspenseCredit(member, suspended)),
  )
  for (const { outcome } of outcomes)
    if (outcome !== 'posted')
      throw new Error(`suspense of ${member.account} was not credited (${outcome}), although the address is locked`)
  return outcomes.length
}

function buildSuspenseCredit({ id, account }: Member, { asset, amount, version }: SuspenseBalance): Transaction {
  const operation = `suspense:${asset}:${version}`
  const from = { kind: 'suspense:address', address: account } as const
  const to = { kind: 'available', member: id, line: { type: 'suspenseCredit', operation } } as const
  return { type: 'suspenseCredit', member: id, key: operation, moves: [{ ...amountOf(asset, amount), from, to }] }
}

const MEMBERS_PER_BATCH = 500

/**
 * Credits suspense that registration did not: what a member sent to cold storage, and what came from the first member's
 * address before the owner created that member. Each member is credited in its own transaction.
 */
export async function sweepSuspense(db: Database): Promise<number> {
  let credited = 0
  let after: bigint | null = null
  for (;;) {
    const holders: MemberWithSuspense[] = await loadMembersWithSuspense(db, after)
    for (const { id, account } of holders)
      credited += await db.transaction().execute(async (trx) => {
        await lockAddresses(trx, [account])
        return creditSuspense(trx, { id, account })
      })
    const last = holders.at(-1)
    if (!last || holders.length < MEMBERS_PER_BATCH) return credited
    after = last.owner
  }
}

type MemberWithSuspense = Member & { readonly owner: bigint }

async function loadMembersWithSuspense(db: Database, after: bigint | null): Promise<MemberWithSuspense[]> {
  const { rows } = await sql<{ owner: bigint; id: bigint; account: Buffer }>`
    select holder.owner, member.id, member.account
    from lode.suspense_holder holder
    join lode.member on member.account = holder.address
    where ${after === null ? sql`true` : sql`holder.owner < ${after}`}
      and exists (
        select from lode.ledger_account account
        where account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14 and account.balance > 0)
    order by holder.owner desc limit ${MEMBERS_PER_BATCH}`.execute(db)
  return rows.map(({ account, ...row }) => ({ ...row, account: addressFromColumn(account) }))
}
