import { useEffect, useState } from 'react'
import { SURVEY_MS } from '../../chain/payment/index.ts'
import { errorText, queryClient, useChain } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'

/**
 * Where the pool is paid: its chain, vault and tokens. `problem` says why that is not known, also where the pool has not answered
 * for a while; a query alone would wait for minutes before it fails.
 */
export function usePoolChain() {
  const t = useText()
  const { data: chain, error, isFetching, refetch } = useChain()
  const isLate = useLate(chain === undefined && error === null)
  const problem = chain ? null : error ? errorText(t, error) : isLate ? t('payment.poolSilent') : null

  async function readAgain(): Promise<void> {
    // A request that hangs is ended first: a query without data would otherwise go on waiting for it.
    if (isFetching) await queryClient.cancelQueries({ queryKey: ['pool/chain'] })
    await refetch()
  }
  return { chain, problem, readAgain }
}

function useLate(waiting: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), SURVEY_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return isLate
}
