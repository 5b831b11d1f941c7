import { useCallback, useEffect, useState } from 'react'
import type { DetectedWallets, Wallet } from '../../chain/index.ts'

export type Wallets = {
  /** The wallet of the main button: the only one, or the one used last. */
  readonly first: Wallet | null
  readonly others: readonly Wallet[]
  readonly looking: boolean
  /** The wallet code itself could not be loaded. */
  readonly failed: boolean
  readonly lookAgain: () => void
}

/** The wallets of this browser. The wallet code is loaded after the page has been drawn. */
export function useWallets(): Wallets {
  const [detected, setDetected] = useState<DetectedWallets & { last: string | null; failed: boolean }>({
    wallets: [],
    looking: true,
    last: null,
    failed: false,
  })
  const [search, setSearch] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each search starts this anew
  useEffect(() => {
    let stop = () => {}
    let isUnmounted = false
    import('../../chain/index.ts').then(
      ({ loadLastWalletId, watchWallets }) => {
        if (!isUnmounted) stop = watchWallets((now) => setDetected({ ...now, last: loadLastWalletId(), failed: false }))
      },
      () => setDetected((before) => ({ ...before, looking: false, failed: true })),
    )
    return () => {
      isUnmounted = true
      stop()
    }
  }, [search])

  const lookAgain = useCallback(() => {
    setDetected((before) => ({ ...before, looking: true }))
    setSearch((before) => before + 1)
  }, [])

  const { wallets, last, looking, failed } = detected
  const first = wallets.find(({ id }) => id === last) ?? (wallets.length === 1 ? wallets[0] : undefined) ?? null
  return { first, others: wallets.filter((wallet) => wallet !== first), looking, failed, lookAgain }
}
