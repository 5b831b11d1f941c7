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

export const pledgeStatuses = ['close', 'enable', 'payment', 'confirm', 'failed'] as const
export const rewardStatuses = ['failed', 'claim', 'unClaim'] as const

export const orderTypes = { promotion: 1, transferOut: 2, pledge: 3 } as const
export const paymentMethods = { online: 1, balance: 2, mixed: 3 } as const
export const orderStatuses = { failed: 0, success: 1, paying: 2, confirming: 3 } as const

export const branches = ['left', 'center', 'right'] as const

/** What a member can be asked to sign while signed in, beside the sign-in itself. */
export const challengePurposes = ['fund-password-reset', 'setup-code'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/** Why a transfer out waits. Each ends by itself, at a time that nobody can bring forward. */
export const holdReasons = ['address-new', 'device-new', 'password-changed', 'reset', 'own-lock'] as const
export type HoldReason = (typeof holdReasons)[number]

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
