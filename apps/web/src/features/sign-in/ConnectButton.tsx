import { Suspense, useCallback, useState } from 'react'
import type { Wallet } from '../../chain/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { lazyComponent } from '../../shared/parts/index.ts'
import { Button } from '../../shared/ui/index.ts'
import styles from './sign-in.module.css'
import type { Wallets } from './use-wallets.ts'
import { walletName } from './wallet-name.ts'

const NoWallet = lazyComponent(async () => (await import('./NoWallet.tsx')).NoWallet)

/**
 * The button for the only wallet or the last used one. Without a wallet, it explains what to do on this device. If
 * there are several and none was used before, the list above is the choice and there is no button.
 */
export function ConnectButton({ wallets, onChoose }: { wallets: Wallets; onChoose: (wallet: Wallet) => void }) {
  const t = useText()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const close = useCallback(() => setSheetOpen(false), [])
  const { first, others, looking, failed, lookAgain } = wallets

  if (first)
    return <Button onClick={() => onChoose(first)}>{t('signIn.continueWith', { wallet: walletName(t, first) })}</Button>
  if (others.length > 0) return null
  if (failed)
    return (
      <>
        <p className={styles.failed} role="alert">
          {t('signIn.walletCodeFailed')}
        </p>
        {/* A browser may remember that a script failed to load. A reload requests it again. */}
        <Button onClick={() => window.location.reload()}>{t('common.retry')}</Button>
      </>
    )
  return (
    <>
      <Button busy={looking && !isSheetOpen} onClick={() => setSheetOpen(true)}>
        {t('signIn.connectWallet')}
      </Button>
      {isSheetOpen && (
        <Suspense fallback={null}>
          <NoWallet looking={looking} onLookAgain={lookAgain} onClose={close} onChoose={onChoose} />
        </Suspense>
      )}
    </>
  )
}
