export { createPromotionAirdropCheck } from './airdrop-check.ts'
export { promotionFindings } from './check.ts'
export { mountPromotion } from './routes.ts'
export { createPromotionSettlement, lockPlaces } from './settle-promotions.ts'
