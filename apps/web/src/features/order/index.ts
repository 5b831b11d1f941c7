import { lazyComponent } from '../../shared/parts/index.ts'

/** Mounted beside the views, so that it stays when the page behind it changes. */
export const OrderSheet = lazyComponent(async () => (await import('./OrderSheet.tsx')).OrderSheet)

export { closingText } from './closing-text.ts'
export { failureText } from './failure-text.ts'
export { invalidateOrderQueries } from './invalidate-order-queries.ts'
export { OpenOrder } from './OpenOrder.tsx'
export { OpenOrderButton } from './OpenOrderButton.tsx'
export { OrderForm } from './OrderForm.tsx'
export { OrderPill } from './OrderPill.tsx'
export { hasPaymentArrived, type PayableOrder } from './order.ts'
export type { OrderPresenters } from './order-presenters.ts'
export { showOrder, useOrderSheet } from './order-sheet-state.ts'
export { setOrdersInBlock } from './orders-in-block.ts'
export { partsText } from './parts-text.ts'
