import { assertNever } from '@lode/kernel'
import type { Intent, PaymentProblem } from '../../chain/payment/index.ts'
import { unbrokenAddress } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { amountText } from './payment-amount.ts'

type PaymentFacts = Pick<Intent, 'account' | 'symbol' | 'units' | 'decimals'>

/** What happened and what to do. Null: the payment was interrupted before the wallet was asked to pay. */
export function problemText(t: TextFunction, payment: PaymentFacts, problem: PaymentProblem | null): string {
  if (problem === null) return t('payment.problem.interrupted')
  const amount = amountText(payment)
  switch (problem.kind) {
    case 'wallet':
      return t(walletTexts[problem.what])
    case 'no-wallet':
      return t('payment.problem.noWallet')
    case 'other-account':
      return t('payment.problem.otherAccount', { account: unbrokenAddress(payment.account) })
    case 'other-network':
      return t('payment.problem.otherNetwork')
    case 'no-node':
      return t('payment.problem.noNode')
    case 'would-fail':
      return t(wouldFailTexts[problem.why], { amount })
    case 'approval':
      return t(approvalTexts[problem.what], { amount })
    case 'permit-unsupported':
      return t('payment.problem.permitUnsupported', { amount })
    case 'not-kept':
      return t('payment.problem.notKept')
    default:
      return assertNever(problem)
  }
}

const walletTexts = {
  pending: 'payment.problem.pending',
  disconnected: 'payment.problem.disconnected',
  silent: 'payment.problem.silent',
  unsupported: 'payment.problem.unsupported',
  'chain-unknown': 'payment.problem.unsupported',
  other: 'payment.problem.wallet',
} as const

const wouldFailTexts = {
  'vault-paused': 'payment.problem.vaultPaused',
  balance: 'payment.problem.balance',
  late: 'payment.problem.late',
  spent: 'payment.problem.spent',
  other: 'payment.problem.wouldFail',
} as const

const approvalTexts = {
  reverted: 'payment.problem.approvalReverted',
  replaced: 'payment.problem.approvalReplaced',
  short: 'payment.problem.approvalShort',
} as const
