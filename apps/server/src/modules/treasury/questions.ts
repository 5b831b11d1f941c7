import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/column.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPoolsOwn, lockAddresses } from '../custody/index.ts'
import { suspenseOf, systemBalances } from '../ledger/index.ts'
import type { Operators, Question } from '../operators/index.ts'
import type { TreasuryAccount } from './accounts.ts'
import { holds } from './accounts.ts'
import { LISTED_FOR_MS, listedSince, listingSubject, paymentSubject } from './rules.ts'

/**
 * The decisions about money that operators are asked to sign. Each is refused in words if it could not be carried out,
 * so that nobody signs in vain. It is checked again when it is carried out.
 */

const YEAR_HOURS = 365 * 24
const FORTNIGHT_HOURS = 14 * 24

export async function listingQuestion(
  db: Database,
  contracts: PoolContracts,
  { address, note }: { address: Address; note: string | undefined },
): Promise<Result<Question<'list'>, string>> {
  if (await isPoolsOwn(db, contracts, address, ['cold', 'funder'])) return refused(`${address} is the pool’s own.`)
  if (await isMember(db, address)) return refused(`${address} is a member’s.`)
  const terms = { address, ...(note === undefined ? {} : { note }) }
  return ok({ verb: 'list', subject: listingSubject(address), terms, needed: 2, validHours: YEAR_HOURS })
}

/** Runs in the transaction of the second signature, under the lock that a registration with this address takes. */
export async function listAddress(inside: Database, decision: bigint, address: Address): Promise<Result<null, string>> {
  await lockAddresses(inside, [address])
  if (await isMember(inside, address)) return refused(`${address} is a member’s.`)
  await sql`
    insert into lode.treasury_address (decision_id, address) values (${decision}, ${bytesOf(address)})`.execute(inside)
  return ok(null)
}

async function isMember(db: Database, address: Address): Promise<boolean> {
  const { rows } = await sql`select from lode.member where account = ${bytesOf(address)}`.execute(db)
  return rows.length > 0
}

type Asked = { readonly symbol: Asset; readonly amount: bigint; readonly address: Address }

export async function paymentQuestion(
  db: Database,
  { operators, contracts }: { operators: Operators; contracts: PoolContracts },
  { from, symbol, amount, address, evidence }: Asked & { from: TreasuryAccount; evidence: string },
): Promise<Result<Question<'pay'>, string>> {
  if (!holds(from, symbol)) return refused(`${from} holds no ${symbol}.`)
  if (await isPoolsOwn(db, contracts, address, ['cold', 'funder'])) return refused(`${address} is the pool’s own.`)
  const subject = listingSubject(address)
  const since = listedSince(address, (await operators.verified(db, [subject])).get(subject) ?? [])
  if (!since) return refused(`${address} is not listed: lode treasury address ${address} NOTE`)
  const payableFrom = new Date(since.getTime() + LISTED_FOR_MS)
  const { rows } = await sql<{ waits: boolean }>`select lode.now() < ${payableFrom} as waits`.execute(db)
  if (rows[0]?.waits) return refused(`${address} can be paid to from ${payableFrom.toISOString()} on.`)
  const balance = (await systemBalances(db))(from, symbol)
  if (amount > balance) return refused(`There is less than that in ${from}.`)
  return ok({
    verb: 'pay',
    subject: (nonce) => paymentSubject('pay', nonce),
    needed: 2,
    validHours: FORTNIGHT_HOURS,
    terms: { from, symbol, amount: String(amount), address, evidence },
  })
}

export async function returnQuestion(
  db: Database,
  contracts: PoolContracts,
  { symbol, amount, address, note }: Asked & { note: string | undefined },
): Promise<Result<Question<'return'>, string>> {
  if (await isPoolsOwn(db, contracts, address, ['cold'])) return refused(`${address} is the pool’s own.`)
  const waiting = (await suspenseOf(db, address)).find(({ asset }) => asset === symbol)
  if (!waiting || waiting.amount < amount) return refused(`Less than that waits for ${address}.`)
  return ok({
    verb: 'return',
    subject: (nonce) => paymentSubject('return', nonce),
    needed: 2,
    validHours: FORTNIGHT_HOURS,
    terms: { symbol, amount: String(amount), address, ...(note === undefined ? {} : { note }) },
  })
}
