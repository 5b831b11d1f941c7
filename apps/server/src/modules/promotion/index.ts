export { mountPromotion } from './routes.ts'
export { createPromotionSettling } from './settling.ts'
