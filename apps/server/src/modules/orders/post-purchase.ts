import type { Database } from '../../platform/db/database.ts'
import { post, type Transaction } from '../ledger/index.ts'
import type { SettledPurchase } from './settlement.ts'

/**
 * Posts the freeze of an order and, if the order is settled at once, its settlement, all in one call. Returns false if
 * the balance is not enough; the caller must then roll back.
 */
export async function postPurchase(
  inside: Database,
  reserved: readonly Transaction[],
  settled: SettledPurchase | null,
): Promise<boolean> {
  const entries = [...reserved, ...(settled?.entries ?? [])]
  const outcomes = await post(inside, entries)
  const outcomeOf = new Map(entries.map((entry, place) => [entry, outcomes[place]?.outcome]))
  if (reserved.some((entry) => outcomeOf.get(entry) === 'insufficient')) return false
  for (const [entry, outcome] of outcomeOf) {
    const lacks = outcome === 'insufficient' && settled?.mayLack.includes(entry)
    if (outcome !== 'posted' && !lacks) throw new Error(`${entry.key} was ${outcome ?? 'not answered'}`)
  }
  await settled?.finish((entry) => outcomeOf.get(entry) === 'posted')
  return true
}
