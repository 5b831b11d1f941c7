/** Loaded when it is first opened: whoever only looks at an order does not need it. */
export const loadPromotionView = async () => (await import('./PromotionView.tsx')).PromotionView

export { promotionOrder } from './promotion-order.tsx'
