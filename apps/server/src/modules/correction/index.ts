export { carryOutCorrection } from './carry-out-correction.ts'
export { createCorrectionCheck } from './correction-check.ts'
export { listStoppedAssets, proposeLossFunding, proposeWriteOff, type StoppedAsset } from './proposals.ts'
export { type CorrectionStatus, listCorrections, readPublicLosses } from './queries.ts'
export {
  type FalsePosting,
  listFalsePostings,
  listReversals,
  postDueReversals,
  proposeReversal,
  type Reversal,
} from './reversals.ts'
export { isCorrection } from './rules.ts'
