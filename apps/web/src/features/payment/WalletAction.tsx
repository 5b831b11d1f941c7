import { assertNever } from '@lode/kernel'
import type { TFunction } from 'i18next'
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
import { Said } from '../../shared/pool/index.ts'
import { Button } from '../../shared/ui/index.ts'

type WalletActionProps = {
  payer: Exclude<Payer, { kind: 'ready' }>
  /** The account that the wallet must show. */
  account: string
  /** Undefined while the pool's chain is not known. */
  chain: Chain | undefined
  /** Reads the wallet's state again after it was asked for something. */
  onAsked: () => Promise<void>
}

type Trouble = Exclude<WalletProblem, 'refused'> | 'no-account' | 'unchanged'

/**
 * Explains why the wallet cannot pay as it is, and offers the one action that helps. The wallet is asked only at a
 * press.
 */
export function WalletAction({ payer, account, chain, onAsked }: WalletActionProps) {
  const t = useText()
  const { trouble, busy, press, lookAgain } = useAsking(onAsked)
  const said = trouble && troubleText(t, trouble, chain)

  switch (payer.kind) {
    case 'looking':
      return (
        <Button busy disabled>
          {t('signIn.working')}
        </Button>
      )
    case 'absent':
      return <Why>{t('deposit.noWallet')}</Why>
    case 'locked':
      return (
        <>
          {said && <Why>{said}</Why>}
          <ConnectButton wallet={payer.wallet} busy={busy} onPress={press} />
        </>
      )
    case 'silent':
      return (
        <>
          <Why>{!busy && t(`payment.silent.${payer.about}`)}</Why>
          <Button busy={busy} onClick={lookAgain}>
            {t('common.retry')}
          </Button>
          {payer.about === 'account' && <ConnectButton plain wallet={payer.wallet} busy={busy} onPress={press} />}
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
          <Why>{said ?? t('signIn.wrongNetwork', { network: chain?.name ?? '' })}</Why>
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
}

/** A request to the wallet. A refusal is the member's own choice, so no message is shown. */
type Ask = () => Promise<{ ok: boolean; error?: Trouble | 'refused' }>

/** Sends a request to the wallet at a press and keeps the problem, if there was one. */
function useAsking(onAsked: () => Promise<void>) {
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [busy, setBusy] = useState(false)

  async function press(ask: Ask): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const { ok, error } = await ask()
    setBusy(false)
    void onAsked()
    if (!ok && error && error !== 'refused') setTrouble(error)
  }

  async function lookAgain(): Promise<void> {
    setBusy(true)
    await onAsked()
    setBusy(false)
  }
  return { trouble, busy, press, lookAgain }
}

type Wallet = Extract<Payer, { kind: 'locked' }>['wallet']
type ConnectButtonProps = { wallet: Wallet; busy: boolean; plain?: boolean; onPress: (ask: Ask) => Promise<void> }

/** `plain` if it is below another button, which already shows that the wallet is being asked. */
function ConnectButton({ wallet, busy, plain = false, onPress }: ConnectButtonProps) {
  const t = useText()
  return (
    <Button
      tone={plain ? 'plain' : 'primary'}
      busy={busy && !plain}
      disabled={busy}
      onClick={() => onPress(() => connect(wallet.provider))}
    >
      {t('deposit.connect', { wallet: wallet.name ?? t('signIn.browserWallet') })}
    </Button>
  )
}

function Why({ children }: { children: string | false }) {
  return <div role="status">{children && <Said>{children}</Said>}</div>
}

function troubleText(t: TFunction, trouble: Trouble, chain: Chain | undefined): string {
  const network = chain?.name ?? ''
  switch (trouble) {
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
      return assertNever(trouble)
  }
}
