export {
  type AcknowledgedRestore,
  createAcknowledgedRestores,
  type ReadAcknowledgedRestores,
} from './acknowledged-restores.ts'
export { canonicalJson } from './canonical-json.ts'
export { ALL_MEMBERS, type BodyOf, type Operator, operatorName, START_AT_ONCE, type Verb } from './decision.ts'
export { type ListedDecision, readDecisions } from './decision-list.ts'
export { describeDecision, formatUtc } from './describe-decision.ts'
export { describeVerb } from './describe-verb.ts'
export { createKeyFile, type KeyFile, MIN_PASSPHRASE_LENGTH, readKeyFile } from './key-file.ts'
export { type OpenDecision, readOpenDecisions } from './open-decisions.ts'
export { findOperatorsAt, type OperatorChain, type PoolIdentity, SIGNATURES_NEEDED } from './operator-chain.ts'
export {
  createOperators,
  createUnpinnedOperators,
  hasSignatureSql,
  isRestrictive,
  keepOnlyRestrictive,
  type Operators,
  readChainOfCeremony,
  type VerifiedDecision,
} from './operators.ts'
export { findPauseEnd, findRunningPause, MAX_PAUSE_HOURS, PAYOUTS_SUBJECT, readPauseEnd } from './pause.ts'
export {
  daySubject,
  proposeApproval,
  proposeCeremony,
  proposeDayApproval,
  proposeOperatorChange,
  proposePause,
  proposePlan,
  proposeProvingAgain,
  proposeRejection,
  proposeRestoreAcknowledgment,
  proposeResume,
  proposeWithdrawal,
} from './proposals.ts'
export { removeInvalidDecisions } from './repair.ts'
export {
  type PreparedDecision,
  type Proposal,
  prepareDecision,
  readValidChain,
  type SignedDecision,
  signDecision,
} from './sign-decision.ts'
export { isSignedBy, type SecretKey } from './signature.ts'
export { readSignedBy, type SignedByOperator } from './signed-by.ts'
export { readSignedText, storeSignedText } from './signed-text.ts'
export { readFirstSigner, readWithdrawals } from './withdrawals.ts'
