export { PromotionView } from './PromotionView.tsx'
export { promotionOrder } from './promotion-order.tsx'
