import type { ComponentType } from 'react'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { PayableOrder } from './order.ts'

/** Everything that differs between the types of orders. */
type OrderPresenter<O extends PayableOrder> = {
  readonly title: (t: TextFunction, order: O) => string
  /** What the member got, shown after the order succeeded. */
  readonly Outcome: ComponentType<{ order: O }>
}

export type OrderPresenters = {
  readonly [T in PayableOrder['type']]: OrderPresenter<Extract<PayableOrder, { type: T }>>
}

/** The presenter of the order's type. The compiler cannot derive this, so there is a cast. */
export const selectPresenter = (presenters: OrderPresenters, { type }: PayableOrder) =>
  presenters[type] as OrderPresenter<PayableOrder>
