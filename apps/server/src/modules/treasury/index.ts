export { isTreasuryAccount, treasuryAccounts } from './accounts.ts'
export { applyDecisions } from './apply.ts'
export { judgeTreasury } from './judge.ts'
export {
  type ListedPayment,
  listings,
  listPublicPayments,
  type PaymentStanding,
  payments,
  waitingInSuspense,
} from './queries.ts'
export { listAddress, listingQuestion, paymentQuestion, returnQuestion } from './questions.ts'
export { undoing } from './rules.ts'
export { wakeForDecisions } from './wake.ts'
