export { createAirdropVouching } from './airdrops.ts'
export { promotionFindings } from './check.ts'
export { mountPromotion } from './routes.ts'
export { createPromotionSettling, lockPlaces } from './settling.ts'
