import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { PaidOrder } from './order.ts'

/** What a type of order is about: everything that differs between one that buys this and one that buys that. */
type Subject<O extends PaidOrder> = {
  readonly title: (t: TFunction, order: O) => string
  /** What the member has of it, once it has succeeded. */
  readonly Outcome: ComponentType<{ order: O }>
}

export type Subjects = { readonly [T in PaidOrder['type']]: Subject<Extract<PaidOrder, { type: T }>> }

/** That of an order's own type: which the compiler cannot follow. */
export const subjectOf = (subjects: Subjects, { type }: PaidOrder) => subjects[type] as Subject<PaidOrder>
