import { lazyPart } from '../../shared/parts/index.ts'

/** Mounted beside the views, so that it stays when the page behind it changes. */
export const OrderSheet = lazyPart(async () => (await import('./OrderSheet.tsx')).OrderSheet)

export { closingText } from './closing-text.ts'
export { OpenOrder } from './OpenOrder.tsx'
export { OpenOrderButton } from './OpenOrderButton.tsx'
export { OrderFormSheet } from './OrderFormSheet.tsx'
export { OrderPill } from './OrderPill.tsx'
export type { PaidOrder } from './order.ts'
export { tellOfOrder } from './order-changed.ts'
export { openOrder, useOrderSheet } from './sheet.ts'
export type { Subjects } from './subject.ts'
