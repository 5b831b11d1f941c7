export { orderFindings } from './check.ts'
export { makeOrder } from './commands.ts'
export { postPurchase } from './post-purchase.ts'
export { lineOf, releasePosting, reservePosting } from './postings.ts'
export { promotionsPaidOnline, readOpenOrder, readOrder, type ShowingOrders } from './queries.ts'
export { createQuotes, readQuoteSigner } from './quote.ts'
export { mountOrders } from './routes.ts'
export { type PledgeRow, type PromotionRow, readOrders } from './row.ts'
export {
  createPaymentSettlement,
  lockOpen,
  type Purchase,
  type SettledPurchase,
  type SettlePurchases,
} from './settlement.ts'
