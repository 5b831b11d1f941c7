import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPoolContractOrHadRole, lockAddresses } from '../custody/index.ts'
import { readSuspense, readSystemBalances } from '../ledger/index.ts'
import { formatUtc, type Operators, type Proposal } from '../operators/index.ts'
import type { TreasuryAccount } from './accounts.ts'
import { holdsAsset } from './accounts.ts'
import { findListedSince, listingPayableFrom, listingSubject, paymentSubject } from './rules.ts'

/**
 * The proposals about the pool's own money. A proposal that could not be carried out is refused, with the reason as
 * text, so that no operator signs for nothing. When the decision is carried out, this is checked again, with one
 * exception: whether a listed address belongs to the pool is checked again with each payment to it.
 */

const YEAR_HOURS = 365 * 24
const FORTNIGHT_HOURS = 14 * 24

export async function proposeListing(
  db: Database,
  contracts: PoolContracts,
  { address, note }: { address: Address; note: string | undefined },
): Promise<Result<Proposal<'list'>, string>> {
  if (await isPoolContractOrHadRole(db, contracts, address, ['cold', 'funder']))
    return refused(`${address} belongs to the pool.`)
  if (await isMember(db, address)) return refused(`${address} is the address of a member.`)
  const terms = { address, ...(note === undefined ? {} : { note }) }
  return ok({ verb: 'list', subject: listingSubject(address), terms, needed: 2, validHours: YEAR_HOURS })
}

/**
 * Stores a listed address, in the transaction of the second signature. It takes the same lock as a registration with
 * this address, so that the address cannot become a member's meanwhile.
 */
export async function storeListing(trx: Database, decision: bigint, address: Address): Promise<Result<null, string>> {
  await lockAddresses(trx, [address])
  if (await isMember(trx, address)) return refused(`${address} is the address of a member.`)
  await sql`
    insert into lode.treasury_address (decision_id, address) values (${decision}, ${bytesOf(address)})`.execute(trx)
  return ok(null)
}

async function isMember(db: Database, address: Address): Promise<boolean> {
  const { rows } = await sql`select from lode.member where account = ${bytesOf(address)}`.execute(db)
  return rows.length > 0
}

type RequestedPayment = { readonly symbol: Asset; readonly amount: bigint; readonly address: Address }

export async function proposePayment(
  db: Database,
  { operators, contracts }: { operators: Operators; contracts: PoolContracts },
  {
    from,
    symbol,
    amount,
    address,
    evidence,
  }: RequestedPayment & { from: TreasuryAccount; evidence: string | undefined },
): Promise<Result<Proposal<'pay'>, string>> {
  if (!holdsAsset(from, symbol)) return refused(`${from} holds no ${symbol}.`)
  if (await isPoolContractOrHadRole(db, contracts, address, ['cold', 'funder']))
    return refused(`${address} belongs to the pool.`)
  const subject = listingSubject(address)
  const since = findListedSince(address, (await operators.readVerified(db, [subject])).get(subject) ?? [])
  if (!since) return refused(`${address} is not listed. To list it, run: lode treasury address ${address} NOTE`)
  const payableFrom = listingPayableFrom(since)
  const { rows } = await sql<{ is_early: boolean }>`select lode.now() < ${payableFrom} as is_early`.execute(db)
  if (rows[0]?.is_early) return refused(`${address} can be paid to from ${formatUtc(payableFrom)} on.`)
  const balance = await readSystemBalances(db)
  if (balance('pool:loss', symbol) < 0n)
    return refused(`${symbol} is missing: nothing of it is paid from the pool's accounts until it is replaced.`)
  if (amount > balance(from, symbol)) return refused(`${from} has less ${symbol} than this amount.`)
  return ok({
    verb: 'pay',
    subject: (nonce) => paymentSubject('pay', nonce),
    needed: 2,
    validHours: FORTNIGHT_HOURS,
    terms: { from, symbol, amount: String(amount), address, ...(evidence === undefined ? {} : { evidence }) },
  })
}

export async function proposeReturn(
  db: Database,
  contracts: PoolContracts,
  { symbol, amount, address, note }: RequestedPayment & { note: string | undefined },
): Promise<Result<Proposal<'return'>, string>> {
  if (await isPoolContractOrHadRole(db, contracts, address, ['cold'])) return refused(`${address} belongs to the pool.`)
  const suspense = (await readSuspense(db, address)).find(({ asset }) => asset === symbol)
  if (!suspense || suspense.amount < amount)
    return refused(`The suspense of ${address} has less ${symbol} than this amount.`)
  return ok({
    verb: 'return',
    subject: (nonce) => paymentSubject('return', nonce),
    needed: 2,
    validHours: FORTNIGHT_HOURS,
    terms: { symbol, amount: String(amount), address, ...(note === undefined ? {} : { note }) },
  })
}
