import { type DataOf, orderTypes } from '@lode/wire'

type Order = DataOf<'order/detail'>

/** An order that is paid from the balance, online or both. */
export type PaidOrder = Exclude<Order, { type: typeof orderTypes.transferOut }>

export const isPaidOrder = (order: Order | undefined): order is PaidOrder =>
  order !== undefined && order.type !== orderTypes.transferOut

export const hasEnded = ({ state }: PaidOrder): boolean => state === 'success' || state === 'failed'
