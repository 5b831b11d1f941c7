export { canonicalJson } from './canonical.ts'
export { type OperatorChain, type Pool, TWO } from './chain.ts'
export { type Decided, type Prepared, prepare, presentChain, type Question, sign } from './decide.ts'
export { AT_ONCE, type BodyOf, type Operator, operatorName } from './decision.ts'
export { type KeyFile, newKeyFile, readKeyFile, SHORTEST_PASSPHRASE } from './key-file.ts'
export {
  createOperators,
  isHoldingBack,
  type Operators,
  onlyHoldingBack,
  operatorsInDatabase,
  type VerifiedDecision,
} from './operators.ts'
export { LONGEST_PAUSE_HOURS, PAYOUTS, pausedUntil, readPausedUntil } from './pause.ts'
export {
  approvalQuestion,
  ceremonyQuestion,
  changeQuestion,
  dayQuestion,
  daySubject,
  pauseQuestion,
  publishQuestion,
  rejectionQuestion,
  resumeQuestion,
} from './questions.ts'
export { takeOutNonsense } from './repair.ts'
export type { SecretKey } from './signature.ts'
export { inUtc, inWords } from './words.ts'
