import { useCallback, useEffect, useState } from 'react'
import {
  detectDevice,
  installLinks,
  isWalletConnectOffered,
  listPageLinks,
  type Wallet,
  WalletSiteLink,
  walletConnectWallet,
} from '../../chain/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { QrCode } from '../../shared/qr/index.ts'
import { Button, CopyButton, Sheet, WalletToast } from '../../shared/ui/index.ts'
import styles from './NoWallet.module.css'

type NoWalletProps = {
  looking: boolean
  onLookAgain: () => void
  onClose: () => void
  /** Called if the member chooses WalletConnect. */
  onChoose: (wallet: Wallet) => void
}

/**
 * The pink toast, and above its overlay the instructions for this device, which stay longer than the toast. A tap
 * outside the instructions closes both.
 */
export function NoWallet({ looking, onLookAgain, onClose, onChoose }: NoWalletProps) {
  const t = useText()
  const [hasSearchedAgain, setHasSearchedAgain] = useState(false)
  const [isToastOver, setToastOver] = useState(false)
  const endToast = useCallback(() => setToastOver(true), [])
  const device = detectDevice(navigator)
  const page = window.location.href
  const isOffered = useWalletConnectOffer()

  // The member may have installed a wallet meanwhile, so the app searches again when the page becomes visible.
  useEffect(() => {
    const onReturn = () => document.visibilityState === 'visible' && onLookAgain()
    document.addEventListener('visibilitychange', onReturn)
    return () => document.removeEventListener('visibilitychange', onReturn)
  }, [onLookAgain])

  return (
    <>
      <WalletToast open={!isToastOver} onEnd={endToast} onTap={onClose}>
        {t('signIn.noWallet.toast')}
      </WalletToast>
      <Sheet
        open
        dim={isToastOver}
        onClose={onClose}
        title={t('signIn.noWallet.title')}
        text={device === 'phone' ? t('signIn.noWallet.phone') : t('signIn.noWallet.desktop')}
        foot={
          <>
            <p className={styles.still} role="status">
              {hasSearchedAgain && !looking && t('signIn.noWallet.still')}
            </p>
            {isOffered && (
              <Button onClick={() => onChoose(walletConnectWallet)}>
                {t('signIn.continueWith', { wallet: walletConnectWallet.name ?? '' })}
              </Button>
            )}
            <Button
              tone={isOffered ? 'quiet' : 'primary'}
              busy={looking}
              onClick={() => {
                setHasSearchedAgain(true)
                onLookAgain()
              }}
            >
              {t('signIn.noWallet.again')}
            </Button>
          </>
        }
      >
        {device === 'phone' ? <PhoneInstructions page={page} /> : <DesktopInstructions page={page} />}
      </Sheet>
    </>
  )
}

function PhoneInstructions({ page }: { page: string }) {
  const t = useText()
  return (
    <>
      <ol className={styles.instructions}>
        <li>
          {t('signIn.noWallet.phoneSteps.copy')}
          <PageLink page={page} />
        </li>
        <li>{t('signIn.noWallet.phoneSteps.open')}</li>
        <li>{t('signIn.noWallet.phoneSteps.paste')}</li>
      </ol>
      <div className={styles.links}>
        <p className={styles.small}>{t('signIn.noWallet.orOpen')}</p>
        {listPageLinks(page).map(({ name, href }) => (
          <WalletSiteLink key={name} href={href}>
            {t('signIn.noWallet.openIn', { wallet: name })}
          </WalletSiteLink>
        ))}
      </div>
    </>
  )
}

function DesktopInstructions({ page }: { page: string }) {
  const t = useText()
  return (
    <>
      <div className={styles.links}>
        {installLinks.map(({ name, href }) => (
          <WalletSiteLink key={name} href={href}>
            {t('signIn.noWallet.install', { wallet: name })}
          </WalletSiteLink>
        ))}
      </div>
      <div>
        <p className={styles.small}>{t('signIn.noWallet.orPhone')}</p>
        <QrCode text={page} label={t('signIn.noWallet.orPhone')} />
        <PageLink page={page} />
      </div>
    </>
  )
}

function PageLink({ page }: { page: string }) {
  const t = useText()
  return (
    <div className={styles.pageLink}>
      <span className={styles.pageAddress}>{page.replace(/^https?:\/\//, '')}</span>
      <CopyButton text={page} label={t('signIn.noWallet.copyLink')} />
    </div>
  )
}

function useWalletConnectOffer(): boolean {
  const [isOffered, setOffered] = useState(false)
  useEffect(() => {
    void isWalletConnectOffered().then(setOffered)
  }, [])
  return isOffered
}
