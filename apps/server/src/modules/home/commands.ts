import { ok, type Result, refused } from '@lode/kernel'
import type { CollectedPart } from '@lode/wire'
import type { Database } from '../../platform/db/database.ts'
import type { Session } from '../../platform/http/session.ts'
import { collectPartnerReward } from '../partner/index.ts'
import { collectProduction } from '../pledge/index.ts'
import { claimRewards } from '../promotion/index.ts'

type CollectContext = {
  readonly db: Database
  readonly session: Session
  readonly onFailure: (part: CollectedPart, error: unknown) => void
}

/** What was collected of one part, in smallest units. Null if an error kept it from being collected. */
export type Collected = { readonly part: CollectedPart; readonly amount: bigint | null }

/**
 * Collects everything that a member can collect, once for the idempotency key. Each part is a command of its own, with
 * a key derived from the given one, because the parts take locks that must not be held together. So a repeated call
 * gets the stored answers of the parts that were collected, and collects those that were not. A client cannot send a
 * derived key: the format of keys does not allow a colon.
 *
 * If all parts fail, the first error is thrown, and the client may repeat the call.
 */
export async function collectAll(
  { db, session, onFailure }: CollectContext,
  { key }: { readonly key: string },
): Promise<Result<Collected[], 'collect-nothing' | 'key-conflict'>> {
  const context = { db, session }
  const collectors = {
    thanksgiving: async (partKey: string) => {
      const claimed = await claimRewards(context, { key: partKey })
      return claimed.ok ? ok(claimed.value.amount) : claimed
    },
    partner: (partKey: string) => collectPartnerReward(context, { key: partKey }),
    dividends: (partKey: string) => collectProduction(context, { key: partKey }),
  }
  const parts: Collected[] = []
  const errors: unknown[] = []
  for (const part of ['dividends', 'thanksgiving', 'partner'] as const) {
    try {
      const collected = await collectors[part](`${key}:${part}`)
      if (!collected.ok && collected.error === 'key-conflict') return refused('key-conflict')
      parts.push({ part, amount: collected.ok ? BigInt(collected.value) : 0n })
    } catch (error) {
      errors.push(error)
      onFailure(part, error)
      parts.push({ part, amount: null })
    }
  }
  if (errors.length === parts.length) throw errors[0]
  return parts.every(({ amount }) => amount === 0n) ? refused('collect-nothing') : ok(parts)
}
