import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { PaidOrder } from './order.ts'

/** Everything that differs between the types of orders. */
type Subject<O extends PaidOrder> = {
  readonly title: (t: TFunction, order: O) => string
  /** What the member got, shown after the order succeeded. */
  readonly Outcome: ComponentType<{ order: O }>
}

export type Subjects = { readonly [T in PaidOrder['type']]: Subject<Extract<PaidOrder, { type: T }>> }

/** The subject of the order's type. The compiler cannot derive this, so there is a cast. */
export const subjectOf = (subjects: Subjects, { type }: PaidOrder) => subjects[type] as Subject<PaidOrder>
