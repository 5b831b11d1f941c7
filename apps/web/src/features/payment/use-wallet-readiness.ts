import { useEffect, useRef, useState } from 'react'
import { type WalletReadiness, watchWalletReadiness } from '../../chain/payment/index.ts'

/**
 * The current state of the member's wallet. Call `lookAgain` after a request to the wallet, because some wallets send
 * no event.
 */
export function useWalletReadiness(
  account: string,
  chainId: number | undefined,
): { readiness: WalletReadiness; lookAgain: () => Promise<void> } {
  const [readiness, setReadiness] = useState<WalletReadiness>({ kind: 'looking' })
  const watch = useRef<ReturnType<typeof watchWalletReadiness> | null>(null)
  useEffect(() => {
    if (chainId === undefined) return
    const started = watchWalletReadiness({ account, chainId }, setReadiness)
    watch.current = started
    return started.stop
  }, [account, chainId])
  return { readiness, lookAgain: async () => watch.current?.lookAgain() }
}
