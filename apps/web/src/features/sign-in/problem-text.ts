import { assertNever } from '@lode/kernel'
import { failureText } from '../../shared/api/index.ts'
import { unbrokenAddress } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { SignInProblem, SignInStep } from './sign-in-machine.ts'

/** What happened and what to do, always in the current language. */
export function problemText(t: TextFunction, problem: SignInProblem, step: SignInStep, network = ''): string {
  if (problem.from === 'server') return failureText(t, problem.failure)
  switch (problem.what) {
    case 'pending':
      return t('signIn.problem.pending')
    case 'disconnected':
      return t('signIn.problem.disconnected')
    case 'chain-unknown':
      return t('signIn.problem.chainUnknown', { network })
    case 'unsupported':
      return t('signIn.problem.unsupported')
    case 'silent':
      return t('signIn.problem.silent')
    case 'no-account':
      return t('signIn.problem.noAccount')
    case 'no-signature':
      return t('signIn.problem.sign')
    case 'other':
      return step === 'connect' ? t('signIn.problem.connect') : t('signIn.problem.sign')
    case 'network-unchanged':
      return t('signIn.problem.networkUnchanged', { network })
    case 'account-changed':
      return t('signIn.problem.accountChanged', {
        was: unbrokenAddress(problem.oldAccount),
        now: unbrokenAddress(problem.newAccount),
      })
    default:
      return assertNever(problem)
  }
}
