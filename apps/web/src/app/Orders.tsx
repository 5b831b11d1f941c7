import { orderTypes } from '@lode/wire'
import { OrderSheet, type Subjects } from '../features/order/index.ts'
import { pledgeOrder } from '../features/pledge/index.ts'
import { promotionOrder } from '../features/promotion/index.ts'

/** The subject of each type of order. */
const subjects: Subjects = {
  [orderTypes.promotion]: promotionOrder,
  [orderTypes.pledge]: pledgeOrder,
}

export const Orders = () => <OrderSheet subjects={subjects} />
