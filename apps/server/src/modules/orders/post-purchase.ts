import type { Database } from '../../platform/db/database.ts'
import { post, type Transaction } from '../ledger/index.ts'
import type { SettledPurchases } from './settlement.ts'

/**
 * Posts the freeze of an order and, if the order is settled at once, its settlement, all in one call. Returns false if
 * the balance is not enough; the caller must then roll back.
 */
export async function postPurchase(
  trx: Database,
  freezeEntries: readonly Transaction[],
  settled: SettledPurchases | null,
): Promise<boolean> {
  const entries = [...freezeEntries, ...(settled?.purchases ?? []).flatMap((one) => one.entries)]
  const outcomes = await post(trx, entries)
  const optional = new Set(settled?.purchases.flatMap(({ optionalEntries }) => optionalEntries))
  const outcomeOf = new Map(entries.map((entry, index) => [entry, outcomes[index]?.outcome]))
  if (freezeEntries.some((entry) => outcomeOf.get(entry) === 'insufficient')) return false
  for (const [entry, outcome] of outcomeOf) {
    const isSkippedOptional = outcome === 'insufficient' && optional.has(entry)
    if (outcome !== 'posted' && !isSkippedOptional)
      throw new Error(`${entry.key} could not be posted: ${outcome ?? 'no answer'}`)
  }
  await settled?.finish()
  return true
}
