import { type Asset, type Units, units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { type Plan, quotaAt } from '../plan/index.ts'

export type Quotas = { readonly [A in Asset]: { readonly left: Units<A>; readonly total: Units<A> } }

/** How much a member may transfer out now, and in all in any 24 hours, at its current level. */
export async function readQuotas(db: Database, member: bigint, plan: Plan): Promise<Quotas> {
  const { rows } = await sql<{ level: number; USDT: string; BTN: string; BTC: string }>`
    select level, lode.quota_used(id, 'USDT') as "USDT", lode.quota_used(id, 'BTN') as "BTN",
           lode.quota_used(id, 'BTC') as "BTC"
    from lode.member where id = ${member}`.execute(db)
  const [used] = rows
  if (!used) throw new Error('there is no such member')
  const totals = quotaAt(plan, used.level)
  const quotaOf = <A extends Asset>(asset: A) => {
    const total = totals[asset]
    // A new plan version can have a quota below the amount that was used under the version before.
    const left = total - BigInt(used[asset])
    return { left: units(asset, left > 0n ? left : 0n), total }
  }
  return { USDT: quotaOf('USDT'), BTN: quotaOf('BTN'), BTC: quotaOf('BTC') }
}
