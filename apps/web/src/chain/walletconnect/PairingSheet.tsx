import { useState } from 'react'
import { useStore } from 'zustand'
import { useText } from '../../shared/i18n/index.ts'
import { QrCode } from '../../shared/qr/index.ts'
import { Button, CopyButton, Sheet } from '../../shared/ui/index.ts'
import { detectDevice, listConnectionLinks } from '../device.ts'
import { WalletSiteLink } from '../WalletSiteLink.tsx'
import styles from './PairingSheet.module.css'
import { type Pairing, pairing } from './pairing.ts'
import { rememberWalletApp } from './wallet-app.ts'

/** On a desktop a code to scan, on a phone the wallets to open. */
export function PairingSheet() {
  const t = useText()
  const state = useStore(pairing)
  const device = detectDevice(navigator)
  const unreachable = state.at === 'unreachable'
  return (
    <Sheet
      open={state.at !== 'closed'}
      onClose={() => state.answers?.onCancel()}
      title={t('wallets.pairing.title')}
      text={unreachable ? undefined : t(device === 'phone' ? 'wallets.pairing.phone' : 'wallets.pairing.desktop')}
      foot={unreachable && <Button onClick={() => state.answers?.onRetry()}>{t('common.retry')}</Button>}
    >
      {unreachable ? (
        <p className={styles.failed} role="alert">
          {t('wallets.pairing.unreachable')}
        </p>
      ) : device === 'phone' ? (
        <WalletApps state={state} />
      ) : (
        <ScanCode state={state} />
      )}
    </Sheet>
  )
}

function ScanCode({ state }: { state: Pairing }) {
  const t = useText()
  const uri = state.at === 'code' ? state.uri : undefined
  return (
    <>
      <QrCode text={uri} label={t('wallets.pairing.qrLabel')} />
      <PairingAddress uri={uri} />
    </>
  )
}

function WalletApps({ state }: { state: Pairing }) {
  const t = useText()
  const [showsCode, setShowsCode] = useState(false)
  if (showsCode) return <ScanCode state={state} />
  if (state.at !== 'code') return <PairingAddress uri={undefined} />
  return (
    <>
      <ul className={styles.apps}>
        {listConnectionLinks(state.uri).map(({ name, base, href }) => (
          <li key={name}>
            <WalletSiteLink href={href} onOpen={() => rememberWalletApp({ name, href: base })}>
              {t('signIn.noWallet.openIn', { wallet: name })}
            </WalletSiteLink>
          </li>
        ))}
      </ul>
      <PairingAddress uri={state.uri} />
      <Button tone="plain" onClick={() => setShowsCode(true)}>
        {t('wallets.pairing.showCode')}
      </Button>
    </>
  )
}

/** For wallets that have no link: the member copies the address and pastes it into the wallet. */
function PairingAddress({ uri }: { uri: string | undefined }) {
  const t = useText()
  return (
    <div className={styles.address} role="status">
      <span>{uri === undefined ? t('wallets.pairing.loading') : t('wallets.pairing.waiting')}</span>
      {uri !== undefined && <CopyButton text={uri} label={t('wallets.pairing.copy')} />}
    </div>
  )
}
