import { type DataOf, orderTypes } from '@lode/wire'

type AnyOrder = DataOf<'order/detail'>

/** An order that is paid from the balance, online or both. */
export type PayableOrder = Exclude<AnyOrder, { type: typeof orderTypes.transferOut }>

export const isPayableOrder = (order: AnyOrder | undefined): order is PayableOrder =>
  order !== undefined && order.type !== orderTypes.transferOut

/** The payment from the wallet has arrived: the order waits for its confirmation, is settled, or came too late. */
export const hasPaymentArrived = ({ state, failure }: Pick<PayableOrder, 'state' | 'failure'>): boolean =>
  state === 'confirming' || state === 'success' || failure === 'level-already-held'

export const hasEnded = ({ state }: PayableOrder): boolean => state === 'success' || state === 'failed'
