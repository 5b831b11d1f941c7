import { orderTypes } from '@lode/wire'
import { type OrderPresenters, OrderSheet } from '../features/order/index.ts'
import { pledgeOrderPresenter } from '../features/pledge/index.ts'
import { promotionOrderPresenter } from '../features/promotion/index.ts'

/** How each type of order is shown. */
const presenters: OrderPresenters = {
  [orderTypes.promotion]: promotionOrderPresenter,
  [orderTypes.pledge]: pledgeOrderPresenter,
}

export const Orders = () => <OrderSheet presenters={presenters} />
