import { type DataOf, orderTypes } from '@lode/wire'

type AnyOrder = DataOf<'order/detail'>

/** An order that is paid from the balance, online or both. */
export type PayableOrder = Exclude<AnyOrder, { type: typeof orderTypes.transferOut }>

export const isPayableOrder = (order: AnyOrder | undefined): order is PayableOrder =>
  order !== undefined && order.type !== orderTypes.transferOut

export const hasEnded = ({ state }: PayableOrder): boolean => state === 'success' || state === 'failed'
