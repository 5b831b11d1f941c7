import {
  beginPayment,
  listRequests,
  type PaymentTerms,
  predictFailure,
  type WalletRequest,
} from '../../chain/payment/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { problemText } from './problem-text.ts'
import type { SurveyState } from './use-survey.ts'

type PaymentStart = {
  readonly terms: PaymentTerms
  /** The wallet requests that the screen announced to the member. */
  readonly announced: readonly WalletRequest[]
  /** Reads the chain again. */
  readonly refresh: () => Promise<SurveyState>
  /** The member confirmed that this is an additional payment beside an equal one. */
  readonly isAdditional?: boolean
}

type PaymentStartResult =
  | { readonly kind: 'begun'; readonly id: string; readonly rejoined: boolean }
  | { readonly kind: 'objection'; readonly text: string }
  /** The chain could not be read. The survey shows that and offers to read again. */
  | { readonly kind: 'unread' }

/**
 * Begins the payment for which the member pressed the button. If the wallet requests would now differ from those that
 * the screen announced, nothing begins.
 */
export async function beginAnnouncedPayment(
  t: TextFunction,
  { terms, announced, refresh, isAdditional = false }: PaymentStart,
): Promise<PaymentStartResult> {
  const objection = (text: string): PaymentStartResult => ({ kind: 'objection', text })
  const fresh = await refresh()
  if (fresh.kind !== 'read') return { kind: 'unread' }
  const why = predictFailure(fresh.survey, terms)
  if (why) return objection(problemText(t, terms, { kind: 'would-fail', why }))
  const requests = listRequests(fresh.survey, terms.units, { repeated: false, permits: true })
  if (requests.join() !== announced.join()) return objection(t('deposit.changed'))
  const begun = await beginPayment(terms, requests, { isAdditional })
  if (begun.kind === 'not-kept') return objection(t('deposit.notKept'))
  if (begun.kind === 'busy') return objection(t('deposit.busy'))
  if (begun.kind === 'not-loaded') return objection(t('deposit.notLoaded'))
  return { kind: 'begun', id: begun.id, rejoined: begun.kind === 'rejoined' }
}
