export { createAirdropVouching } from './airdrops.ts'
export { mountPromotion } from './routes.ts'
export { createPromotionSettling } from './settling.ts'
