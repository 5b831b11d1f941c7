export { chooseAccount, connect, type PoolChain, switchChain } from '../connection.ts'
export type { WalletProblem } from '../wallet-problem.ts'
export { createChainReader } from './chain-reader.ts'
export { estimateNetworkFee, firstTransaction, formatNetworkFee } from './network-fee.ts'
export {
  type Intent,
  isEnded,
  mayAskAgain,
  mayGiveUp,
  mayHide,
  type Payment,
  type PaymentProblem,
  type PaymentTerms,
  type Stage,
  type WalletRequest,
} from './payment.ts'
export {
  beginPayment,
  continuePayment,
  dismissPayment,
  followPayments,
  hidePayment,
  stopWaiting,
  usePayments,
} from './payments.ts'
export { readSurvey, type SurveyPart, surveyParts } from './survey.ts'
export { type WalletReadiness, watchWalletReadiness } from './wallet-readiness.ts'
export { listRequests, predictFailure, type Survey } from './wallet-requests.ts'
