import type { TFunction } from 'i18next'
import { beginPayment, type Intent, type Request, requestsFor, wouldFail } from '../../chain/payment/index.ts'
import { problemText } from './problem-text.ts'
import type { Surveyed } from './use-survey.ts'

/** The terms of a payment that has not begun. */
export type PaymentTerms = Omit<Intent, 'id' | 'createdAt'>

type Beginning = {
  readonly terms: PaymentTerms
  /** The wallet requests that the screen announced to the member. */
  readonly told: readonly Request[]
  /** Reads the chain again. */
  readonly refresh: () => Promise<Surveyed>
  /** The member confirmed that this is an additional payment beside an equal one. */
  readonly besides?: boolean
}

type Begun =
  | { readonly kind: 'begun'; readonly id: string; readonly rejoined: boolean }
  | { readonly kind: 'objection'; readonly text: string }
  /** The chain could not be read. The survey shows that and offers to read again. */
  | { readonly kind: 'unread' }

/**
 * Begins the payment that the member pressed for. If the wallet would now be asked for something else than the screen
 * announced, it is not asked.
 */
export async function beginAsTold(t: TFunction, { terms, told, refresh, besides = false }: Beginning): Promise<Begun> {
  const objection = (text: string): Begun => ({ kind: 'objection', text })
  const fresh = await refresh()
  if (fresh.kind !== 'read') return { kind: 'unread' }
  const why = wouldFail(fresh.survey, terms)
  if (why) return objection(problemText(t, terms, { kind: 'would-fail', why }))
  const now = requestsFor(fresh.survey, terms.units, { repeated: false, permits: true })
  if (now.join() !== told.join()) return objection(t('deposit.changed'))
  const begun = await beginPayment(terms, now, { besides })
  if (begun.kind === 'not-kept') return objection(t('deposit.notKept'))
  return { kind: 'begun', id: begun.id, rejoined: begun.kind === 'rejoined' }
}
