import type { Overview, Term } from '../production/index.ts'

/** What the member is shown before it orders, and is to be ordered so. It does not change under its eyes. */
export type Preview = {
  readonly version: number
  /** When the pool said all this. */
  readonly shownAt: string
  readonly quantity: bigint
  readonly term: Term
  readonly startDay: number
  readonly available: string
  /** The part from the balance that is filled in: all of it, where there is as much. */
  readonly firstPart: string
}

type Wanted = { readonly quantity: bigint; readonly days: number; readonly firstPart?: string }

/** Null where this cannot be ordered: there is no plan, or it has no such term. */
export function previewOf({ plan, available, at }: Overview, { quantity, days, firstPart }: Wanted): Preview | null {
  const term = plan?.terms.find((one) => one.days === days)
  if (!plan || !term) return null
  const [whole = '0'] = available.split('.')
  return {
    version: plan.version,
    shownAt: at,
    quantity,
    term,
    startDay: plan.startDay,
    available,
    firstPart: firstPart ?? (BigInt(whole) >= quantity ? String(quantity) : ''),
  }
}
