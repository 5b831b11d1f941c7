import { useCallback, useEffect, useState } from 'react'
import type { WalletChoice } from '../../chain/index.ts'

export type Wallets = WalletChoice & {
  /** The wallet code itself could not be loaded. */
  readonly failed: boolean
  readonly lookAgain: () => void
}

/** The wallets that the member can choose. The wallet code is loaded after the page has been drawn. */
export function useWallets(): Wallets {
  const [choice, setChoice] = useState<WalletChoice>({ first: null, others: [], looking: true })
  const [failed, setFailed] = useState(false)
  const [search, setSearch] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each search starts this anew
  useEffect(() => {
    let stop = () => {}
    let isUnmounted = false
    import('../../chain/index.ts').then(
      ({ watchWalletChoice }) => {
        if (!isUnmounted) stop = watchWalletChoice(setChoice)
      },
      () => setFailed(true),
    )
    return () => {
      isUnmounted = true
      stop()
    }
  }, [search])

  const lookAgain = useCallback(() => {
    setChoice((before) => ({ ...before, looking: true }))
    setSearch((before) => before + 1)
  }, [])

  return { ...choice, failed, lookAgain }
}
