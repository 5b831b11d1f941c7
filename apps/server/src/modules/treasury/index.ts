export { isTreasuryAccount, type TreasuryAccount, treasuryAccounts } from './accounts.ts'
export { applyDecisions } from './apply-decisions.ts'
export { judgeTreasury } from './judge-treasury.ts'
export { proposeListing, proposePayment, proposeReturn, storeListing } from './proposals.ts'
export {
  findSamePayment,
  type ListedPayment,
  listPublicPayments,
  listSuspense,
  type PaymentStatus,
  readLapsedListings,
  readListings,
  readPayments,
} from './queries.ts'
export { buildPaymentTransaction, buildReversalTransaction, listingPayableFrom } from './rules.ts'
export { wakeForDecisions } from './wake-for-decisions.ts'
