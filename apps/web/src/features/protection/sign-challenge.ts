import { ok, type Result, refused } from '@lode/kernel'
import type { ChallengePurpose } from '@lode/wire'
import type { Wallet, WalletProblem } from '../../chain/index.ts'
import { call } from '../../shared/api/index.ts'
import type { CommandProblem } from '../../shared/command/index.ts'
import { unbrokenAddress } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { session } from '../../shared/session/index.ts'

export type SignedChallenge = { readonly message: string; readonly signature: string }

type SigningProblem = WalletProblem | 'no-account' | 'no-signature' | 'no-wallet'

export const refuseSigning = (problem: SigningProblem) =>
  refused<CommandProblem>({ textOf: (t) => signingText(t, problem) })

/** `address`: the new output address, if the wallet signs one. */
type Challenge =
  | { readonly purpose: Exclude<ChallengePurpose, 'output-address'> }
  | { readonly purpose: 'output-address'; readonly address: string }

/** Asks the member's wallet to sign for one purpose, with the account that is signed in. */
export async function signChallenge(wanted: Challenge): Promise<Result<SignedChallenge, CommandProblem>> {
  const chain = await import('../../chain/index.ts').catch(() => null)
  if (chain === null) return refused({ kind: 'no-response' })
  const wallet = await findWallet(chain)
  if (wallet === null) return refuseSigning('no-wallet')
  const connected = await chain.connect(wallet.provider)
  if (!connected.ok) return refuseSigning(connected.error)
  const account = connected.value
  if (account.toLowerCase() !== session.get().account?.toLowerCase())
    return refused({ textOf: (t) => t('protection.signing.otherAccount', { account: unbrokenAddress(account) }) })

  const challenge = await call('account/challenge', wanted, { quiet: true })
  if (!challenge.ok) return challenge
  const { message } = challenge.value
  const signature = await chain.signMessage(wallet.provider, account, message)
  return signature.ok ? ok({ message, signature: signature.value }) : refuseSigning(signature.error)
}

/** Finds the wallet that was used last, or else the only wallet. Null if there are none or several. */
const findWallet = async (chain: Chain): Promise<Wallet | null> =>
  (await chain.findWallet()) ??
  new Promise((resolve) => {
    const stop = chain.watchWallets(({ wallets, looking }) => {
      if (looking) return
      stop()
      resolve(wallets.length === 1 ? (wallets[0] ?? null) : null)
    })
  })

type Chain = typeof import('../../chain/index.ts')

function signingText(t: TextFunction, problem: SigningProblem): string {
  switch (problem) {
    case 'refused':
      return t('protection.signing.nothingSigned')
    case 'no-wallet':
      return t('protection.signing.noWallet')
    case 'pending':
      return t('signIn.problem.pending')
    case 'disconnected':
      return t('signIn.problem.disconnected')
    case 'silent':
      return t('signIn.problem.silent')
    case 'unsupported':
      return t('signIn.problem.unsupported')
    case 'no-account':
      return t('signIn.problem.noAccount')
    default:
      return t('signIn.problem.sign')
  }
}
