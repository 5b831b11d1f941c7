import { assertNever } from '@lode/kernel'
import { useState } from 'react'
import {
  chooseAccount,
  connect,
  type PoolChain,
  switchChain,
  type WalletProblem,
  type WalletReadiness,
} from '../../chain/payment/index.ts'
import { unbrokenAddress } from '../../shared/format/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { BlockedNote } from '../../shared/pool/index.ts'
import { Button } from '../../shared/ui/index.ts'

type WalletActionProps = {
  readiness: Exclude<WalletReadiness, { kind: 'ready' }>
  /** The account that the wallet must show. */
  account: string
  /** Undefined while the pool's chain is not known. */
  chain: PoolChain | undefined
  /** Reads the wallet's state again after it was asked for something. */
  onAsked: () => Promise<void>
}

type ShownWalletProblem = Exclude<WalletProblem, 'refused'> | 'no-account' | 'unchanged'

/**
 * Explains why the wallet cannot pay in its current state, and offers what can help. If there is no wallet, it only
 * explains. Sends a request to the wallet only when the member presses a button.
 */
export function WalletAction({ readiness, account, chain, onAsked }: WalletActionProps) {
  const t = useText()
  const { problem, busy, press, lookAgain } = useWalletCall(onAsked)
  const message = problem && walletProblemText(t, problem, chain)

  switch (readiness.kind) {
    case 'looking':
      return (
        <Button busy disabled>
          {t('signIn.working')}
        </Button>
      )
    case 'absent':
      return <StatusNote>{t('deposit.noWallet')}</StatusNote>
    case 'locked':
      return (
        <>
          {message && <StatusNote>{message}</StatusNote>}
          <ConnectButton wallet={readiness.wallet} busy={busy} onPress={press} />
        </>
      )
    case 'silent':
      return (
        <>
          <StatusNote>{!busy && t(`payment.silent.${readiness.missing}`)}</StatusNote>
          <Button busy={busy} onClick={lookAgain}>
            {t('common.retry')}
          </Button>
          {readiness.missing === 'account' && (
            <ConnectButton plain wallet={readiness.wallet} busy={busy} onPress={press} />
          )}
        </>
      )
    case 'other-account':
      return (
        <>
          <StatusNote>{t('payment.switchBack', { account: unbrokenAddress(account) })}</StatusNote>
          <Button busy={busy} onClick={() => press(() => chooseAccount(readiness.wallet.provider))}>
            {t('wallets.accountChanged.switchBack')}
          </Button>
        </>
      )
    case 'other-network':
      return (
        <>
          <StatusNote>{message ?? t('signIn.wrongNetwork', { network: chain?.name ?? '' })}</StatusNote>
          {chain && (
            <Button busy={busy} onClick={() => press(() => switchChain(readiness.wallet.provider, chain))}>
              {t('signIn.switchNetwork', { network: chain.name })}
            </Button>
          )}
        </>
      )
    default:
      return assertNever(readiness)
  }
}

/** A request to the wallet. A refusal is the member's own choice, so no message is shown. */
type WalletCall = () => Promise<{ ok: boolean; error?: ShownWalletProblem | 'refused' }>

/** Sends a request to the wallet when the member presses the button. Returns the problem, if there was one. */
function useWalletCall(onAsked: () => Promise<void>) {
  const [problem, setProblem] = useState<ShownWalletProblem | null>(null)
  const [busy, setBusy] = useState(false)

  async function press(ask: WalletCall): Promise<void> {
    setBusy(true)
    setProblem(null)
    const { ok, error } = await ask()
    setBusy(false)
    void onAsked()
    if (!ok && error && error !== 'refused') setProblem(error)
  }

  async function lookAgain(): Promise<void> {
    setBusy(true)
    await onAsked()
    setBusy(false)
  }
  return { problem, busy, press, lookAgain }
}

type Wallet = Extract<WalletReadiness, { kind: 'locked' }>['wallet']
type ConnectButtonProps = {
  wallet: Wallet
  busy: boolean
  plain?: boolean
  onPress: (ask: WalletCall) => Promise<void>
}

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

function StatusNote({ children }: { children: string | false }) {
  return <div role="status">{children && <BlockedNote>{children}</BlockedNote>}</div>
}

function walletProblemText(t: TextFunction, problem: ShownWalletProblem, chain: PoolChain | undefined): string {
  const network = chain?.name ?? ''
  switch (problem) {
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
      return assertNever(problem)
  }
}
