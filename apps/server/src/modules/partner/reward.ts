import { randomUUID } from 'node:crypto'
import { type DayNumber, entitled, formatAmount, ok, type Result, refused, shareOut, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { post, readSystemBalances, runOnce, type Transaction } from '../ledger/index.ts'
import { countPartnersOn } from './queries.ts'

type PartnerDay = {
  /** The ledger transactions that the close of the day posts for the partners. */
  readonly entries: readonly Transaction[]
  /** Stores the partner day. Called after the day is stored and the entries are posted. */
  store(): Promise<void>
}

/**
 * Shares out the balance of `partner:funded`, which promotions credit, in equal parts. If there are no partners, it
 * goes to the mining fund.
 */
export async function preparePartnerDay(trx: Database, day: DayNumber): Promise<PartnerDay> {
  const amount = (await readSystemBalances(trx))('partner:funded', 'USDT')
  const { rows } = await sql<{ partners: string; per_partner: string; remainder: string }>`
    select partners, per_partner, remainder
    from lode.partner_day order by day desc limit 1`.execute(trx)
  const [last = { partners: '0', per_partner: '0', remainder: '0' }] = rows
  const before = {
    weight: BigInt(last.partners),
    perWeight: BigInt(last.per_partner),
    remainder: BigInt(last.remainder),
  }
  // No partner ever leaves, so this day's number of partners minus the last day's is the number of new partners.
  const started = BigInt(await countPartnersOn(trx, day)) - before.weight
  const closed = shareOut(before, { started, ended: 0n, freed: 0n }, amount)
  return {
    entries: amount > 0n ? [partnerDayPosting(day, amount, closed.weight > 0n)] : [],
    async store() {
      const figures = [amount, closed.weight, closed.quotient, closed.perWeight, closed.remainder]
      await sql`
        select lode.close_partner_day(${day}, ${sql.join(figures.map((figure) => sql`${String(figure)}::numeric`))})`.execute(
        trx,
      )
    },
  }
}

function partnerDayPosting(day: DayNumber, amount: bigint, isShared: boolean): Transaction {
  const key = `day:${day}:partner` as const
  const move = { asset: 'USDT', amount: units('USDT', amount), from: 'partner:funded' } as const
  return isShared
    ? { type: 'partnerClose', key, moves: [{ ...move, to: 'partner:payable' }] }
    : { type: 'partnerUnshared', key, moves: [{ ...move, to: 'pool:mining' }] }
}

/** What a partner can collect and has collected; null if the member is no partner. */
export async function readPartnerReward(
  db: Database,
  member: bigint,
  { USDT }: Decimals,
): Promise<DataOf<'partner/status'>['reward']> {
  const { rows } = await sql<{ paid: string; per_partner_from: string; per_partner_to: string }>`
    select coalesce(partner_paid.paid, 0) as paid, lode.per_partner_at(approved_day) as per_partner_from,
           lode.per_partner_at(2147483647) as per_partner_to
    from lode.partner left join lode.partner_paid using (member_id) where member_id = ${member}`.execute(db)
  const [row] = rows
  if (!row) return null
  const paid = BigInt(row.paid)
  const produced = entitled({ weight: 1n, from: BigInt(row.per_partner_from), to: BigInt(row.per_partner_to) }) - paid
  const format = (amount: bigint) => formatAmount(units('USDT', amount), USDT)
  return { produced: format(produced), collected: format(paid) }
}

/** What a member can collect as a partner, in smallest units of USDT; zero for others. Part of a larger statement. */
export const duePartnerRewardSql = (member: bigint): RawBuilder<unknown> => sql`coalesce((
  select div(lode.per_partner_at(2147483647) - lode.per_partner_at(approved_day), 1e36::numeric) - coalesce(paid, 0)
  from lode.partner left join lode.partner_paid using (member_id) where member_id = ${member}), 0)`

/** Pays all that a partner can collect into its balance. Returns the amount in smallest units of USDT. */
export async function collectPartnerReward(
  { db, session }: { readonly db: Database; readonly session: Session },
  { key }: { readonly key: string },
): Promise<Result<string, 'collect-nothing' | 'key-conflict'>> {
  const member = session.memberId
  const command = { member, key, name: 'partner/collect', terms: '' }
  const collected = await runOnce<string, 'collect-nothing'>(db, command, async (trx) => {
    const amount = await payPartnerReward(trx, member)
    if (amount === 0n) return refused('collect-nothing')
    faultPoint('api:before-commit')
    return ok(String(amount))
  })
  faultPoint('api:after-commit')
  return collected
}

/** Pays all that a member can collect as a partner into its balance, in the caller's transaction. Returns the amount. */
export async function payPartnerReward(trx: Database, member: bigint): Promise<bigint> {
  const { rows } = await sql<{ paid: string; per_partner_from: string; per_partner_to: string }>`
    select paid, per_partner_from, per_partner_to
    from lode.lock_partner(${member})`.execute(trx)
  const [row] = rows
  if (!row) return 0n
  const total = entitled({ weight: 1n, from: BigInt(row.per_partner_from), to: BigInt(row.per_partner_to) })
  const amount = total - BigInt(row.paid)
  if (amount <= 0n) return 0n
  const operation = randomUUID()
  const to = { kind: 'available', member, line: { type: 'partnerReward', operation } } as const
  const moves = [{ asset: 'USDT', amount: units('USDT', amount), from: 'partner:payable', to }] as const
  const [posted] = await post(trx, [{ type: 'partnerReward', member, key: `collect:${operation}`, moves }])
  if (posted?.outcome !== 'posted')
    throw new Error(`${amount} that is due to partner ${member} could not be posted: ${posted?.outcome}`)
  await sql`select lode.pay_partner(${member}, ${String(total)}::numeric, ${posted.transaction})`.execute(trx)
  return amount
}
