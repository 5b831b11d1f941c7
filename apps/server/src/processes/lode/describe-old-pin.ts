import { readValidChain } from '../../modules/operators/index.ts'
import { readSignerState } from '../../modules/payout/index.ts'
import type { PoolContext } from './with-database.ts'

/**
 * Tells operators that an operator was removed after the link that the signer pins. Who can write the database could
 * delete that removal, and the signer would obey the removed operator again. Null if the pin covers every removal.
 */
export async function describeOldPin({ db, pool }: PoolContext): Promise<string | null> {
  const signer = await readSignerState(db)
  const chain = await readValidChain(db, pool)
  if (!signer?.pinnedLink || !chain.ok || !chain.value) return null
  const { operators, operatorsAfterLink } = chain.value
  const links = Array.from(operatorsAfterLink)
  const pinned = links.findIndex(([hash]) => `0x${hash}` === signer.pinnedLink)
  if (pinned === -1) return null
  const removed = new Set(
    links
      .slice(pinned)
      .flatMap(([, after]) => after.filter(({ key }) => !operators.some((operator) => operator.key === key)))
      .map(({ name }) => name),
  )
  if (removed.size === 0) return null
  const names = Array.from(removed).join(' and ')
  return `The signer pins an old change of the operators: ${names} was removed since. Set its OPERATORS_CEREMONY to the last change that lode operator list prints, and restart it.`
}
