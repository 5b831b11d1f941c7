import { ExternalLink } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button, CopyButton, Sheet, WalletToast } from '../../shared/ui/index.ts'
import { detectDevice, installLinks, listWalletLinks } from './device.ts'
import styles from './sign-in.module.css'

type NoWalletProps = { looking: boolean; onLookAgain: () => void; onClose: () => void }

/**
 * The pink toast, and above its overlay the instructions for this device, which stay longer than the toast. A tap
 * outside the instructions closes both.
 */
export function NoWallet({ looking, onLookAgain, onClose }: NoWalletProps) {
  const t = useText()
  const [hasSearchedAgain, setHasSearchedAgain] = useState(false)
  const [isToastOver, setToastOver] = useState(false)
  const endToast = useCallback(() => setToastOver(true), [])
  const device = detectDevice(navigator)
  const page = window.location.href

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
            <Button
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
        {listWalletLinks(page).map(({ name, href }) => (
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

function WalletSiteLink({ href, children }: { href: string; children: string }) {
  return (
    <a className={styles.wayOut} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <ExternalLink size={16} color="var(--ink-2)" aria-hidden="true" />
    </a>
  )
}
