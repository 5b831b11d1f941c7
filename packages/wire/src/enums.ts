/** The enumerations that server and app share, with their names and numbers on the wire. */

export const languages = ['en', 'zh_tw', 'zh_cn'] as const
export type Language = (typeof languages)[number]
export const defaultLanguage: Language = 'en'

/** `exit` is the mode of a disabled account's session: it can only take assets out. */
export const sessionModes = ['full', 'exit'] as const
export type SessionMode = (typeof sessionModes)[number]

export const logStatuses = ['canceled', 'confirmed', 'confirming'] as const
export const logTypes = [
  'transferIn',
  'transferOut',
  'upLevelByBalance',
  'promotionReward',
  'upLevelReward',
  'agentReward',
  'partnerReward',
  'airdropForActive',
  'airdropForPromotion',
  'airdropForAgent',
  'airdropForPartner',
  'createPledge',
  'pointReward',
  'pledgeReturn',
  'suspenseCredit',
  'reversal',
] as const

/** The types of log lines by which a member receives something from the pool. Returned own money is not among them. */
export const receivedTypes = [
  'promotionReward',
  'upLevelReward',
  'agentReward',
  'partnerReward',
  'pointReward',
  'airdropForActive',
  'airdropForPromotion',
  'airdropForAgent',
  'airdropForPartner',
] as const satisfies (typeof logTypes)[number][]

/** What `account/collect` pays into the balance: the dividends of pledges, Thanksgiving rewards, a partner's part. */
export const collectedParts = ['dividends', 'thanksgiving', 'partner'] as const
export type CollectedPart = (typeof collectedParts)[number]

/**
 * The periods of `account/income`, today included: one day, 7, 30 and 90 days, this month and the eleven before it, and
 * everything since the first income.
 */
export const incomePeriods = ['today', 'week', 'month', 'quarter', 'year', 'all'] as const
export type IncomePeriod = (typeof incomePeriods)[number]

export const pledgeStatuses = ['close', 'enable', 'payment', 'confirm', 'failed'] as const

/** The state of the next production. `due`: it can be closed, and will be within a minute. */
export const dayStates = ['scheduled', 'waiting-chain', 'waiting-evidence', 'waiting-operators', 'due'] as const
export type DayState = (typeof dayStates)[number]

/**
 * Whether the Bitcoin output that a funding names was found. `unchecked`: the pool has no Bitcoin node. `less`: it is worth
 * less than all that was funded with it. `unanswered`: the node could not be asked.
 */
export const evidenceStates = ['unchecked', 'found', 'less', 'unconfirmed', 'missing', 'unanswered'] as const

export const rewardStatuses = ['failed', 'claim', 'unClaim'] as const

export const orderTypes = { promotion: 1, transferOut: 2, pledge: 3 } as const
export const paymentMethods = { online: 1, balance: 2, mixed: 3 } as const
export const orderStatuses = { failed: 0, success: 1, paying: 2, confirming: 3 } as const

/**
 * The state of an order that must be paid. `closing`: it was canceled, or its deadline has passed, and final blocks do
 * not show yet that it was not paid. On the wire its status is that of `paying`.
 */
export const paidOrderStates = ['paying', 'closing', 'confirming', 'success', 'failed'] as const
export type PaidOrderState = (typeof paidOrderStates)[number]

/** Why an order failed. */
export const orderFailures = ['cancelled', 'expired', 'level-already-held'] as const
export type OrderFailure = (typeof orderFailures)[number]

export const paymentStates = ['sent', 'confirming', 'confirmed', 'credited'] as const
export type PaymentState = (typeof paymentStates)[number]

/** The parts of a promotion's price. */
export const allocationParts = [
  'miningFund',
  'promotion',
  'upLevel',
  'agent',
  'partner',
  'liquidity',
  'operations',
] as const
export type AllocationPart = (typeof allocationParts)[number]

/** Rewards for the promotions of others, by the type of their log line. */
export const rewardTypes = [
  'promotionReward',
  'upLevelReward',
  'agentReward',
] as const satisfies (typeof logTypes)[number][]
export type RewardType = (typeof rewardTypes)[number]

/** Why a reward was missed. */
export const rewardFailures = ['not-activated', 'level-below', 'count-reached'] as const
export type RewardFailure = (typeof rewardFailures)[number]

/**
 * The state of a plan version. `overtaken`: a later version starts before it or at the same time, so this one never
 * comes into force.
 */
export const planStandings = ['coming', 'current', 'past', 'overtaken'] as const
export type PlanStanding = (typeof planStandings)[number]

/** The state of a member's application to be a partner. After a rejection the member may apply again. */
export const partnerStandings = ['none', 'applied', 'approved', 'rejected'] as const
export type PartnerStanding = (typeof partnerStandings)[number]

/** The accounts from which operators can pay. */
export const poolAccounts = [
  'pool:mining',
  'pool:liquidity',
  'pool:operations',
  'reserve:liquidity',
  'reserve:mining',
] as const
export type PoolAccount = (typeof poolAccounts)[number]

/**
 * The state of a treasury payment: not signed yet; signed and not final; final; given up and returned to its account.
 */
export const poolPaymentStates = ['waiting', 'sent', 'paid', 'returned'] as const
export type PoolPaymentState = (typeof poolPaymentStates)[number]

/**
 * What keeps the pool from its work now. `payouts-paused`: by an operator. `vault-paused`: by a guardian, on the chain, and
 * the vault also takes no payments of members.
 */
export const poolProblems = [
  'stopped',
  'asset-stopped',
  'worker-away',
  'signer-away',
  'decisions-not-obeyed',
  'payouts-paused',
  'vault-paused',
] as const

export const branches = ['left', 'center', 'right'] as const

/** What a signed-in member can be asked to sign, beside the sign-in message. */
export const challengePurposes = ['fund-password-reset', 'setup-code', 'output-address'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/** Why a transfer out waits. Each hold ends by itself, at a fixed time. */
export const holdReasons = ['address-new', 'device-new', 'password-changed', 'reset', 'own-lock'] as const
export type HoldReason = (typeof holdReasons)[number]

/**
 * The state of a transfer out. The member can cancel it until it is `signed`. If its chain transaction fails for
 * good, it goes back to `approved` or ends as `reverted`.
 */
export const transferStates = [
  'requested',
  'held',
  'approved',
  'signed',
  'broadcast',
  'mined',
  'final',
  'rejected',
  'cancelled',
  'reverted',
] as const
export type TransferState = (typeof transferStates)[number]

/**
 * Why one transfer is held: a protection of the member, a review by operators (of a large transfer, or of a disabled
 * account), or a check of the signer that failed.
 */
export const transferHoldReasons = [...holdReasons, 'review-size', 'review-account', 'check'] as const
export type TransferHoldReason = (typeof transferHoldReasons)[number]

/**
 * Why a transfer that nothing holds is not on its way yet. The cause is on the pool's side. `signer-away`: the signer
 * does not run. `decision-not-obeyed`: operators approved it or ended a pause, and the signer does not obey them.
 * `missing`: the pool holds less of the asset than it owes. `others-first` and `unknown` are used only for a late
 * transfer.
 */
export const queueReasons = [
  'paused',
  'cap',
  'float',
  'chain',
  'missing',
  'signer-away',
  'decision-not-obeyed',
  'others-first',
  'unknown',
] as const
export type QueueReason = (typeof queueReasons)[number]

/** The kinds of lines in the security log. */
export const securityKinds = [
  'setup-code-issued',
  'fund-password-chosen',
  'fund-password-changed',
  'fund-password-locked',
  'reset-asked',
  'reset-cancelled',
  'output-address-asked',
  'output-address-cancelled',
  'transfers-locked',
  'session-revoked',
  'sessions-revoked',
  'device-new',
] as const
export type SecurityKind = (typeof securityKinds)[number]

/** Where the web app noticed an error: an uncaught error, a rejected promise, a view, or its security policy. */
export const clientErrorKinds = ['error', 'rejection', 'view', 'policy'] as const
export type ClientErrorKind = (typeof clientErrorKinds)[number]

/** What the vault's administrator announced. `other`: nothing that the vault would carry out. */
export const announcementKinds = [
  'setColdStorage',
  'moveToCold',
  'moveTo',
  'rescue',
  'setPayoutCap',
  'setBurnCap',
  'setPayoutGas',
  'grantAdministrator',
  'grantGuardian',
  'grantPayer',
  'grantFunder',
  'revokeGuardian',
  'reinstateEvidence',
  'other',
] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

export const announcementArguments = [
  'token',
  'amount',
  'cap',
  'gas',
  'account',
  'to',
  'coldStorage',
  'successor',
  'bitcoinTxid',
  'bitcoinOutput',
  'callData',
] as const
export type AnnouncementArgument = (typeof announcementArguments)[number]

/** `replaced`: the same call was announced again, and its notice started anew. */
export const announcementStates = ['open', 'done', 'withdrawn', 'expired', 'replaced'] as const
export type AnnouncementState = (typeof announcementStates)[number]
