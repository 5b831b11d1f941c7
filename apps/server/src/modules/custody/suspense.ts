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
const HOLDERS_PER_BATCH = 10_000

/**
 * Credits suspense that registration did not: what a member sent to cold storage, and what came from the first member's
 * address before the owner created that member. Each member is credited in its own transaction. `lode.post` notes the
 * members for whom money was put into suspense.
 */
export async function sweepSuspense(db: Database): Promise<number> {
  let credited = 0
  for (;;) {
    const members = await loadDueMembers(db)
    for (const member of members)
      credited += await db.transaction().execute(async (trx) => {
        await lockAddresses(trx, [member.account])
        const count = await creditSuspense(trx, member)
        await sql`delete from lode.suspense_due where member = ${member.id}`.execute(trx)
        return count
      })
    if (members.length < MEMBERS_PER_BATCH) return credited
  }
}

/**
 * Notes every member whose address has money in suspense, in case a note is missing: if the address registered in the
 * moment in which money was put back into its suspense, or if somebody deleted the note. It looks at all unregistered
 * addresses, so the worker does it once a day.
 */
export async function noteAllSuspense(db: Database): Promise<void> {
  let after: bigint | null = null
  do after = await noteSuspenseAfter(db, after)
  while (after !== null)
}

/** Looks at the next addresses in the order of their numbers. Returns the number of the last; null if there is none. */
async function noteSuspenseAfter(db: Database, after: bigint | null): Promise<bigint | null> {
  const { rows } = await sql<{ last: bigint | null }>`
    with holder as (
      select owner, address from lode.suspense_holder
      where owner > coalesce(${after}::bigint, -9223372036854775808) order by owner limit ${HOLDERS_PER_BATCH}
    ), noted as (
      insert into lode.suspense_due (member)
      select member.id from holder join lode.member on member.account = holder.address
      where exists (
        select from lode.ledger_account account
        where account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14 and account.balance > 0)
      on conflict do nothing
    )
    select max(owner) as last from holder`.execute(db)
  return rows[0]?.last ?? null
}

async function loadDueMembers(db: Database): Promise<Member[]> {
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select member.id, member.account from lode.suspense_due due join lode.member on member.id = due.member
    order by due.member limit ${MEMBERS_PER_BATCH}`.execute(db)
  return rows.map(({ id, account }) => ({ id, account: addressFromColumn(account) }))
}
