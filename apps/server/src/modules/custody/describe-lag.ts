import type { AgreedChain } from '../../platform/chain/agreed-chain.ts'
import { listNames } from '../../platform/chain/node-heads.ts'

type Heads = Pick<AgreedChain, 'furthest' | 'heads'> & { readonly finalized: Pick<AgreedChain['finalized'], 'number'> }

/**
 * If one of three nodes has a later final block, and the others do not get further for this long, they may stand still.
 * On Ethereum a block becomes final about every six minutes.
 */
const MAX_WITHOUT_PROGRESS_MS = 20 * 60_000

/**
 * Says which nodes have a later final block than the agreed one, and which do not. Null if none has one. Null also if
 * only one of three or more has one: it may have invented it.
 */
export function describeLag({ finalized, furthest, heads }: Heads, withoutProgressMs: number): string | null {
  const ahead = heads.filter((head) => head.finalized.number > finalized.number)
  if (ahead.length === 0) return null
  if (finalized.number >= furthest.number && withoutProgressMs < MAX_WITHOUT_PROGRESS_MS) return null
  const behind = heads.filter((head) => head.finalized.number <= finalized.number)
  return `block ${finalized.number + 1n} is final by ${listNames(ahead)}, and not by ${listNames(behind)}`
}
