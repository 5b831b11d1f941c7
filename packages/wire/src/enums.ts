/** The enumerations that both sides speak, by the names and numbers that are on the wire. */

export const languages = ['en', 'zh_tw', 'zh_cn'] as const
export type Language = (typeof languages)[number]
export const defaultLanguage: Language = 'en'

/** `exit` is the token of a disabled account: good for taking assets out and nothing else. */
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
] as const

/** What a member gets from the pool, beside what is its own and comes back. */
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

export const pledgeStatuses = ['close', 'enable', 'payment', 'confirm', 'failed'] as const

/** Where the next production stands. `due`: it can be closed, and will be within a minute. */
export const dayStates = ['scheduled', 'waiting-chain', 'waiting-operators', 'due'] as const
export type DayState = (typeof dayStates)[number]

export const rewardStatuses = ['failed', 'claim', 'unClaim'] as const

export const orderTypes = { promotion: 1, transferOut: 2, pledge: 3 } as const
export const paymentMethods = { online: 1, balance: 2, mixed: 3 } as const
export const orderStatuses = { failed: 0, success: 1, paying: 2, confirming: 3 } as const

/**
 * Where an order stands that is paid for. `closing`: it was cancelled, or its deadline is past, and the chain has not yet said that
 * nobody paid; on the wire its status is that of `paying`.
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

/** Rewards for the promotions of others, by the type of their line in the log. */
export const rewardTypes = [
  'promotionReward',
  'upLevelReward',
  'agentReward',
] as const satisfies (typeof logTypes)[number][]
export type RewardType = (typeof rewardTypes)[number]

/** Why a reward was missed. */
export const rewardFailures = ['not-activated', 'level-below', 'count-reached'] as const
export type RewardFailure = (typeof rewardFailures)[number]

/** Of a version of the plan. `overtaken`: a later one started first, so it never came into force. */
export const planStandings = ['coming', 'current', 'past', 'overtaken'] as const
export type PlanStanding = (typeof planStandings)[number]

/** Of a member who asks to be a partner. After a rejection it may ask again. */
export const partnerStandings = ['none', 'applied', 'approved', 'rejected'] as const
export type PartnerStanding = (typeof partnerStandings)[number]

/** What the operators can pay from. */
export const poolAccounts = [
  'pool:mining',
  'pool:liquidity',
  'pool:operations',
  'reserve:liquidity',
  'reserve:mining',
] as const
export type PoolAccount = (typeof poolAccounts)[number]

/** Of such a payment: not signed yet; signed and not final; final; given up, and back in its account. */
export const poolPaymentStates = ['waiting', 'sent', 'paid', 'returned'] as const
export type PoolPaymentState = (typeof poolPaymentStates)[number]

export const branches = ['left', 'center', 'right'] as const

/** What a member can be asked to sign while signed in, beside the sign-in itself. */
export const challengePurposes = ['fund-password-reset', 'setup-code'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/** Why a transfer out waits. Each ends by itself, at a time that nobody can bring forward. */
export const holdReasons = ['address-new', 'device-new', 'password-changed', 'reset', 'own-lock'] as const
export type HoldReason = (typeof holdReasons)[number]

/**
 * Where a transfer out stands. Before `signed` its member can cancel it; after a final failure it steps back to `approved`,
 * or ends as `reverted`.
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
 * Why one transfer is held: what protects the member, or a review by the operators (of a large one, of a disabled account's), or
 * something that the signer found not to be as it should.
 */
export const transferHoldReasons = [...holdReasons, 'review-size', 'review-account', 'check'] as const
export type TransferHoldReason = (typeof transferHoldReasons)[number]

/**
 * Why a transfer that nothing holds is not on its way yet: the pool's side, not the member's. `signer-away`: the signer does not
 * run. `decision-not-obeyed`: operators approved it or ended a pause, and the signer does not obey them. `others-first` and
 * `unknown` are said only of one that is late.
 */
export const queueReasons = [
  'paused',
  'cap',
  'float',
  'chain',
  'signer-away',
  'decision-not-obeyed',
  'others-first',
  'unknown',
] as const
export type QueueReason = (typeof queueReasons)[number]

/** What the security log tells of. */
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
