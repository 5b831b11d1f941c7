export { orderFindings } from './check.ts'
export { makeOrder, type PurchaseContext } from './commands.ts'
export { endOrders } from './end-orders.ts'
export { type PledgeRow, type PromotionRow, readOrders } from './order-row.ts'
export { postPurchase } from './post-purchase.ts'
export { freezePosting, orderLogLine, unfreezePosting } from './postings.ts'
export {
  type OnlinePayments,
  type OrderDisplayOptions,
  readOpenOrder,
  readOrder,
  sumOnlinePayments,
  sumPromotionsPaidOnline,
} from './queries.ts'
export { createQuotes, type OnlinePaymentRefusal, readVaultState } from './quote.ts'
export { mountOrders } from './routes.ts'
export {
  createPaymentSettlement,
  lockOpenPurchases,
  type Purchase,
  type SettledPurchase,
  type SettledPurchases,
  type SettlePurchases,
} from './settlement.ts'
