import { errorText, useChain } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { readAgain } from './read-again.ts'
import { useLate } from './use-late.ts'

/**
 * Where the pool is paid: its chain, vault and tokens. `problem` says why that is not known. It also says so when the pool has
 * not answered for a while: the query alone would wait for minutes before it fails.
 */
export function usePoolChain() {
  const t = useText()
  const query = useChain()
  const { data: chain, error } = query
  const isLate = useLate(chain === undefined && error === null)
  const problem = chain ? null : error ? errorText(t, error) : isLate ? t('payment.poolSilent') : null
  return { chain, problem, readAgain: () => readAgain('pool/chain', query) }
}
