import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { PayableOrder } from './order.ts'

/** Everything that differs between the types of orders. */
type OrderPresenter<O extends PayableOrder> = {
  readonly title: (t: TFunction, order: O) => string
  /** What the member got, shown after the order succeeded. */
  readonly Outcome: ComponentType<{ order: O }>
}

export type OrderPresenters = {
  readonly [T in PayableOrder['type']]: OrderPresenter<Extract<PayableOrder, { type: T }>>
}

/** The presenter of the order's type. The compiler cannot derive this, so there is a cast. */
export const selectPresenter = (presenters: OrderPresenters, { type }: PayableOrder) =>
  presenters[type] as OrderPresenter<PayableOrder>
