export { type Chain, chooseAccount, connect, switchChain } from '../connection.ts'
export type { WalletProblem } from '../errors.ts'
export { type Payer, watchPayer } from './payer.ts'
export {
  type Intent,
  isEnded,
  mayAskAgain,
  mayGiveUp,
  mayPutAside,
  type Payment,
  type Problem,
  type Request,
  type Stage,
} from './payment.ts'
export { beginPayment, dismiss, followPayments, goOn, putAside, stopWaiting, usePayments } from './payments.ts'
export { requestsFor, type Survey, wouldFail } from './plan.ts'
export { chainOf } from './reads.ts'
export { type SurveyPart, surveyOf, surveyParts } from './survey.ts'
