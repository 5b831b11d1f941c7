import { type Asset, assets, formatAmount, type Units, units } from '@lode/kernel'
import type { DataOf, PoolPaymentState } from '@lode/wire'
import { sql } from 'kysely'
import { type Address, isAddressEqual, toHex } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { cutPage, type Page, rowsToRead } from '../../platform/http/page.ts'
import { readPublicLosses } from '../correction/index.ts'
import { readSuspense } from '../ledger/index.ts'
import {
  type BodyOf,
  hasSignatureSql,
  type Operators,
  readChainOfCeremony,
  type VerifiedDecision,
} from '../operators/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import type { TreasuryAccount } from './accounts.ts'
import { isDecided, isPayment, listingPayableFrom, type Payment } from './rules.ts'

export type Listing = {
  readonly address: Address
  readonly note: string
  readonly payableFrom: Date
  readonly until: Date
}

/** The addresses that two operators have listed, the oldest first. */
export async function readListings(db: Database, operators: Operators): Promise<Listing[]> {
  return (await readOpenDecisions(db, operators, ['list'])).flatMap((decision) => {
    const { body, signedAt, expiresAt } = decision
    if (body.verb !== 'list' || !isDecided(decision)) return []
    const payableFrom = listingPayableFrom(signedAt)
    return [{ address: body.address, note: body.note, payableFrom, until: expiresAt }]
  })
}

/** An address that counted while both of its signers were operators. One of them was removed since. */
export type LapsedListing = Pick<Listing, 'address' | 'note'> & { readonly decision: bigint }

/** The newest are read, so that a flood of invalid rows costs little. */
const MAX_LISTINGS_READ = 1_000

/**
 * The addresses that two operators had listed, and that a removed operator's signature does not list any more. Both
 * signatures are verified with the operators of their time, so a half-signed address is never one of these.
 */
export async function readLapsedListings(db: Database, operators: Operators): Promise<LapsedListing[]> {
  const ceremony = await readChainOfCeremony(db)
  if (!ceremony) return []
  const { rows } = await sql<{ id: bigint; signed_at: Date }>`
    select decision.id, (array_agg(given.at order by given.at))[2] as signed_at
    from lode.decision join lode.decision_signature as given on given.decision_id = decision.id
    where decision.verb = 'list' and decision.expires_at > lode.now()
      and ${hasSignatureSql(ceremony.chain.allOperators)}
    group by decision.id having count(*) > 1 order by decision.id desc limit ${MAX_LISTINGS_READ}`.execute(db)
  const listed = new Set((await readListings(db, operators)).map(({ address }) => address))
  const lapsed = new Map<Address, LapsedListing>()
  for (const { id, signed_at } of rows.toReversed()) {
    const verified = await operators.readCarriedOut(db, id, signed_at)
    if (!verified.ok || verified.value.body.verb !== 'list') continue
    const { address, note } = verified.value.body
    if (!listed.has(address)) lapsed.set(address, { decision: id, address, note })
  }
  return Array.from(lapsed.values())
}

export type PaymentStatus =
  | { readonly state: 'decided' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'made'; readonly payout: PayoutRow }

export type ListedPayment = { readonly body: Payment; readonly status: PaymentStatus }

const MAX_PAYMENTS = 100

/**
 * The operators' payments or returns that two have signed: the open ones, then the last hundred with an outcome, each
 * newest first. Those that one has signed are left out, because the second operator types amount and address.
 *
 * @param condition which of those with an outcome
 */
export async function readPayments(
  db: Database,
  operators: Operators,
  verb: Payment['verb'],
  condition = sql`true`,
): Promise<ListedPayment[]> {
  const open = (await readOpenDecisions(db, operators, [verb])).flatMap((decision): ListedPayment[] =>
    isPayment(decision.body) && isDecided(decision) ? [{ body: decision.body, status: { state: 'decided' } }] : [],
  )
  const { rows } = await sql<{ id: bigint; body: string; reason: string | null }>`
    select decision.id, decision.body, outcome.reason
    from lode.decision_outcome as outcome join lode.decision on decision.id = outcome.decision_id
    where decision.verb = ${verb} and ${condition} order by decision.id desc limit ${MAX_PAYMENTS}`.execute(db)
  const made = new Map(
    (await readPayouts(db, sql`where decision_id = any(${rows.map(({ id }) => id)}::bigint[])`)).map((payout) => [
      payout.decisionId,
      payout,
    ]),
  )
  const ended = rows.flatMap(({ id, body: text, reason }): ListedPayment[] => {
    const body = JSON.parse(text) as Payment
    const payout = made.get(id)
    if (reason !== null) return [{ body, status: { state: 'refused', reason } }]
    return payout ? [{ body, status: { state: 'made', payout } }] : []
  })
  return [...open.reverse(), ...ended]
}

type PaymentTerms = Pick<Extract<Payment, { verb: 'pay' }>, 'symbol' | 'address'> & { readonly amount: bigint }

/** The newest payment of the same amount to the same address, from whatever account, that was paid or will be. */
export async function findSamePayment(
  db: Database,
  operators: Operators,
  { symbol, amount, address }: PaymentTerms,
): Promise<ListedPayment | undefined> {
  // As text, because a stored body need not be JSON. The terms are compared exactly below.
  const same = sql`strpos(decision.body, ${`"amount":"${amount}"`}) > 0
    and strpos(lower(decision.body), ${address.toLowerCase()}) > 0`
  return (await readPayments(db, operators, 'pay', same)).find(
    ({ body, status }) =>
      body.verb === 'pay' &&
      body.symbol === symbol &&
      BigInt(body.amount) === amount &&
      isAddressEqual(body.address, address) &&
      !hasFailed(status),
  )
}

const hasFailed = (status: PaymentStatus): boolean =>
  status.state === 'refused' ||
  (status.state === 'made' && status.payout.ended !== null && status.payout.ended !== 'final')

/** Decisions that have not expired and have no outcome yet. */
async function readOpenDecisions(
  db: Database,
  operators: Operators,
  verbs: readonly BodyOf<'list' | 'pay' | 'return'>['verb'][],
): Promise<VerifiedDecision[]> {
  const { rows } = await sql<{ id: bigint; subject: string }>`
    select id, subject from lode.decision
    where verb = any(${verbs}) and expires_at > lode.now()
      and not exists (select from lode.decision_outcome where decision_id = decision.id)
    order by id`.execute(db)
  const verified = await operators.readVerified(
    db,
    rows.map(({ subject }) => subject),
  )
  return rows.flatMap(({ id, subject }) => verified.get(subject)?.filter((decision) => decision.id === id) ?? [])
}

type PublicPayments = DataOf<'pool/payments'>

/** One page of the public list of treasury payments: under way, paid, or returned to their account. Newest first. */
export async function listPublicPayments(
  db: Database,
  { before, limit }: Page,
  decimals: Decimals,
): Promise<PublicPayments> {
  const found = await readPayouts(
    db,
    sql`where kind = 'treasury' ${before === undefined ? sql`` : sql`and number < ${before}`}
        order by number desc limit ${rowsToRead(limit)}`,
  )
  const { page, next } = cutPage(found, limit, ({ number }) => number)
  const { rows } = await sql<{ release_number: bigint; hash: Buffer }>`
    select distinct on (release_number) release_number, hash from lode.release_form
    where release_number = any(${page.flatMap(({ releaseNumber }) => releaseNumber ?? [])}::bigint[])
    order by release_number, attempt desc`.execute(db)
  const latestHashes = new Map(rows.map(({ release_number, hash }) => [release_number, toHex(hash)]))
  return {
    items: page.map((payout) => {
      const { id, asset, amount, address, paidFrom, purpose, requestedAt, releaseNumber, paidAt, paidTx } = payout
      const state = publicState(payout)
      return {
        id,
        symbol: asset,
        amount: formatAmount(units(asset, amount), decimals[asset]),
        address,
        state,
        // The table has both values for every treasury payment.
        from: paidFrom as TreasuryAccount,
        purpose: purpose ?? '',
        at: requestedAt.toISOString(),
        paidAt: paidAt?.toISOString() ?? null,
        tx: paidTx ?? (state === 'sent' && releaseNumber !== null ? (latestHashes.get(releaseNumber) ?? null) : null),
      }
    }),
    next,
    ...(await readPublicLosses(db, decimals)),
  }
}

function publicState({ ended, releaseNumber }: PayoutRow): PoolPaymentState {
  if (ended === null) return releaseNumber === null ? 'waiting' : 'sent'
  return ended === 'final' ? 'paid' : 'returned'
}

export type SuspenseBalance = { readonly address: Address; readonly asset: Asset; readonly amount: Units<Asset> }

/** Money in suspense, from addresses that nobody registered. */
export async function listSuspense(db: Database): Promise<SuspenseBalance[]> {
  const { rows } = await sql<{ address: Buffer }>`
    select holder.address from lode.suspense_holder as holder
    where exists (
      select from lode.ledger_account as account
      where account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14 and account.balance > 0)
    order by holder.owner desc limit 1000`.execute(db)
  const found: SuspenseBalance[] = []
  for (const row of rows) {
    const address = addressFromColumn(row.address)
    const held = await readSuspense(db, address)
    for (const asset of assets)
      for (const { amount } of held.filter((one) => one.asset === asset))
        found.push({ address, asset, amount: units(asset, amount) })
  }
  return found
}
