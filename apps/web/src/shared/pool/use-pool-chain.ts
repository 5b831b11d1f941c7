import { errorText, useChain } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { useTimelyRead } from './use-timely-read.ts'

/** The pool's chain, vault and tokens. `problem` says why they are missing: the read failed or is late. */
export function usePoolChain() {
  const t = useText()
  const query = useChain()
  const { data: chain, error } = query
  const { isLate, readAgain } = useTimelyRead('pool/chain', query)
  const problem = chain ? null : error ? errorText(t, error) : isLate ? t('payment.poolSilent') : null
  return { chain, problem, readAgain }
}
