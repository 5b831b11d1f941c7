export { proposeDisabling, proposeEnabling, proposeEndOfSessions } from './account-proposals.ts'
export { parseUserAgent } from './browser.ts'
export { type Challenges, createChallenges } from './challenges.ts'
export { consumeNonce, createFirstMember } from './commands.ts'
export { findSession } from './queries.ts'
export { mountIdentity } from './routes.ts'
export { parseAccount } from './rules.ts'
export { hashSetupCode, newSetupCode } from './secrets.ts'
export {
  type ChallengePurpose,
  expiryOf,
  type MessageSite,
  messageSite,
  readClaim,
} from './sign-in-message.ts'
export { sweepNonces, sweepSessions } from './sweep.ts'
