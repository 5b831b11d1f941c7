/** Loaded when it is first opened. A member who only looks at an order does not need it. */
export const loadPromotionView = async () => (await import('./PromotionView.tsx')).PromotionView

export { ClaimButton } from './ClaimButton.tsx'
export { promotionOrderPresenter } from './promotion-order-presenter.tsx'
