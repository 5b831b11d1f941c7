import { useEffect, useRef, useState } from 'react'
import { type Payer, watchPayer } from '../../chain/payment/index.ts'

/**
 * The current state of the member's wallet. Call `lookAgain` after a request to the wallet, because some wallets send
 * no event.
 */
export function usePayer(
  account: string,
  chainId: number | undefined,
): { payer: Payer; lookAgain: () => Promise<void> } {
  const [payer, setPayer] = useState<Payer>({ kind: 'looking' })
  const watch = useRef<ReturnType<typeof watchPayer> | null>(null)
  useEffect(() => {
    if (chainId === undefined) return
    const started = watchPayer({ account, chainId }, setPayer)
    watch.current = started
    return started.stop
  }, [account, chainId])
  return { payer, lookAgain: async () => watch.current?.lookAgain() }
}
