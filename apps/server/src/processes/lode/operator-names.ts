import { readValidChain } from '../../modules/operators/index.ts'
import type { PoolContext } from './with-database.ts'

/** Returns a function that names the operator of a key. A key of no present operator is returned as it is. */
export async function readOperatorNames(
  db: PoolContext['db'],
  pool: PoolContext['pool'],
): Promise<(key: string) => string> {
  const chain = await readValidChain(db, pool)
  const names = new Map((chain.ok ? chain.value?.operators : undefined)?.map(({ key, name }) => [key, name]))
  return (key) => names.get(key) ?? key
}
