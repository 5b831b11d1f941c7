import { assertNever } from '@lode/kernel'
import { useState } from 'react'
import {
  type Chain,
  chooseAccount,
  connect,
  type Payer,
  switchChain,
  type WalletProblem,
} from '../../chain/payment/index.ts'
import { unbrokenAddress } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import styles from './WalletAction.module.css'

type WalletActionProps = {
  payer: Exclude<Payer, { kind: 'ready' }>
  /** Whose wallet it has to be. */
  account: string
  /** Undefined while it is not known where the wallet should be. */
  chain: Chain | undefined
  /** Looks at the wallet again: it was asked for something, and may stand differently now. */
  onAsked: () => Promise<void>
}

type Trouble = Exclude<WalletProblem, 'refused'> | 'no-account' | 'unchanged'

/** The wallet cannot pay as it stands: why, and the one thing to do about it. It is asked only when this is pressed. */
export function WalletAction({ payer, account, chain, onAsked }: WalletActionProps) {
  const t = useText()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [busy, setBusy] = useState(false)
  const walletName = 'wallet' in payer ? (payer.wallet.name ?? t('signIn.browserWallet')) : ''

  async function press(act: () => Promise<{ ok: boolean; error?: Trouble | 'refused' }>) {
    setBusy(true)
    setTrouble(null)
    const { ok, error } = await act()
    setBusy(false)
    void onAsked()
    if (!ok && error && error !== 'refused') setTrouble(error)
  }

  async function lookAgain() {
    setBusy(true)
    await onAsked()
    setBusy(false)
  }

  switch (payer.kind) {
    case 'looking':
      return (
        <Button busy disabled>
          {t('signIn.working')}
        </Button>
      )
    case 'absent':
      return (
        <p className={styles.why} role="status">
          {t('deposit.noWallet')}
        </p>
      )
    case 'locked':
      return (
        <>
          {trouble && <Why>{troubleText(trouble)}</Why>}
          <Button busy={busy} onClick={() => press(() => connect(payer.wallet.provider))}>
            {t('deposit.connect', { wallet: walletName })}
          </Button>
        </>
      )
    case 'silent':
      return (
        <>
          <div role="status">{!busy && <p className={styles.why}>{t(`payment.silent.${payer.about}`)}</p>}</div>
          <Button busy={busy} onClick={lookAgain}>
            {t('common.retry')}
          </Button>
          {payer.about === 'account' && (
            <Button tone="plain" disabled={busy} onClick={() => press(() => connect(payer.wallet.provider))}>
              {t('deposit.connect', { wallet: walletName })}
            </Button>
          )}
        </>
      )
    case 'other-account':
      return (
        <>
          <Why>{t('payment.switchBack', { account: unbrokenAddress(account) })}</Why>
          <Button busy={busy} onClick={() => press(() => chooseAccount(payer.wallet.provider))}>
            {t('signIn.accountChanged.switchBack')}
          </Button>
        </>
      )
    case 'other-network':
      return (
        <>
          <Why>{trouble ? troubleText(trouble) : t('signIn.wrongNetwork', { network: chain?.name ?? '' })}</Why>
          {chain && (
            <Button busy={busy} onClick={() => press(() => switchChain(payer.wallet.provider, chain))}>
              {t('signIn.switchNetwork', { network: chain.name })}
            </Button>
          )}
        </>
      )
    default:
      return assertNever(payer)
  }

  function troubleText(what: Trouble): string {
    const network = chain?.name ?? ''
    switch (what) {
      case 'pending':
        return t('signIn.problem.pending')
      case 'chain-unknown':
        return t('signIn.problem.chainUnknown', { network })
      case 'unchanged':
        return t('signIn.problem.networkUnchanged', { network })
      case 'no-account':
        return t('signIn.problem.noAccount')
      case 'unsupported':
        return t('signIn.problem.unsupported')
      case 'silent':
      case 'disconnected':
        return t('signIn.problem.silent')
      case 'other':
        return t('signIn.problem.connect')
      default:
        return assertNever(what)
    }
  }
}

function Why({ children }: { children: string }) {
  return (
    <p className={styles.why} role="status">
      {children}
    </p>
  )
}
