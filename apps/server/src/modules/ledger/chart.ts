import type { Asset } from '@lode/kernel'
import type { logTypes } from '@lode/wire'

/**
 * The chart of accounts: which account kinds each transaction type may debit and credit, and which database role may
 * post it. PostgreSQL has the same chart as table rows (chart-sql.ts writes the migration) and refuses everything else,
 * because TypeScript code cannot restrain a stolen database role. The compiler uses the chart too: a transaction that
 * the chart does not allow does not type-check.
 *
 * Signs: a credit is positive. Money held for a member, the pool or a reserve is a positive balance with a floor of
 * zero. `custody:*` is the opposite side: minus what the pool holds on the chain, without a floor. `pool:loss` is minus
 * what is missing: money that left custody without a payout, until it is replaced. It has no floor either.
 *
 * Account numbers, ledger transactions and log lines contain the codes. A code never changes and is never reused.
 */

export const assetCodes = { USDT: 1, BTN: 2, BTC: 3 } as const satisfies Record<Asset, number>

export type LogType = (typeof logTypes)[number]

export const logTypeCodes = {
  transferIn: 1,
  transferOut: 2,
  upLevelByBalance: 3,
  promotionReward: 4,
  upLevelReward: 5,
  agentReward: 6,
  partnerReward: 7,
  airdropForActive: 8,
  airdropForPromotion: 9,
  airdropForAgent: 10,
  airdropForPartner: 11,
  createPledge: 12,
  pointReward: 13,
  pledgeReturn: 14,
  suspenseCredit: 15,
  reversal: 16,
} as const satisfies Record<LogType, number>

// ---- kinds of account --------------------------------------------------------------------------------------------------

type Kind = {
  readonly code: number
  /** Who owns the account: a member, the system, or an unregistered address. */
  readonly holder: 'member' | 'system' | 'suspense'
  readonly assets: readonly Asset[]
  /** The balance never falls below zero. */
  readonly floored: boolean
  /**
   * The number of rows over which one account is spread, so that many commands can change it at once. What commands
   * change often changes one row; what is rare locks all rows. See `dividesCredits`.
   */
  readonly stripes: number
  /**
   * Of an account with several rows and a floor. False: it is credited often, each time in one row, and debited rarely,
   * from all rows. True: it is debited often, each time from one row, and credited rarely. A credit is divided evenly
   * among all rows, so that each debit finds enough in one. Only when no row has enough, all are locked.
   */
  readonly dividesCredits: boolean
  /** The part of a member's log that shows this account. Every posting to such an account belongs to a log line. */
  readonly log: 'available' | 'frozen' | null
}

const every = ['USDT', 'BTN', 'BTC'] as const
const SPREAD = 64

const ofMember = { holder: 'member', floored: true, stripes: 1, dividesCredits: false, log: null } as const
const ofSystem = { holder: 'system', floored: true, stripes: 1, dividesCredits: false, log: null } as const
/** Funded or filled rarely, and paid out by many commands. There are few partners: their account is one row. */
const paidOutOften = { ...ofSystem, stripes: SPREAD, dividesCredits: true } as const

export const kinds = {
  available: { ...ofMember, code: 1, assets: every, log: 'available' },
  frozenOut: { ...ofMember, code: 2, assets: every, log: 'frozen' },
  frozenOrder: { ...ofMember, code: 3, assets: ['USDT', 'BTN'], log: 'frozen' },
  pledged: { ...ofMember, code: 4, assets: ['BTN'] },
  agentUnclaimed: { ...ofMember, code: 5, assets: ['USDT'] },

  'custody:vault': { ...ofSystem, code: 8, assets: every, floored: false, stripes: SPREAD },
  'custody:cold': { ...ofSystem, code: 9, assets: every, floored: false },
  'pool:loss': { ...ofSystem, code: 10, assets: every, floored: false },

  'pool:mining': { ...ofSystem, code: 12, assets: ['USDT'], stripes: SPREAD },
  'pool:liquidity': { ...ofSystem, code: 13, assets: ['USDT'], stripes: SPREAD },
  'pool:operations': { ...ofSystem, code: 14, assets: every, stripes: SPREAD },
  'pool:paying': { ...ofSystem, code: 15, assets: every },

  'reserve:airdrop': { ...paidOutOften, code: 16, assets: ['BTN'] },
  'reserve:promotion': { ...paidOutOften, code: 17, assets: ['BTN'] },
  'reserve:liquidity': { ...ofSystem, code: 18, assets: ['BTN'] },
  'reserve:mining': { ...ofSystem, code: 19, assets: ['BTN'] },

  'dividend:funded': { ...ofSystem, code: 20, assets: ['BTC'] },
  'dividend:payable': { ...paidOutOften, code: 21, assets: ['BTC'] },

  'partner:funded': { ...ofSystem, code: 24, assets: ['USDT'], stripes: SPREAD },
  'partner:payable': { ...ofSystem, code: 25, assets: ['USDT'] },

  'burn:due': { ...ofSystem, code: 28, assets: ['BTN'] },

  'suspense:address': { ...ofSystem, code: 32, holder: 'suspense', assets: every },
  'suspense:returning': { ...ofSystem, code: 33, assets: every },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export type KindsOf<Holder extends Kind['holder']> = {
  [K in KindName]: (typeof kinds)[K]['holder'] extends Holder ? K : never
}[KindName]
export type LoggedKind = { [K in KindName]: (typeof kinds)[K]['log'] extends null ? never : K }[KindName]

// ---- types of transaction ----------------------------------------------------------------------------------------------

export const roles = { api: 'lode_api', worker: 'lode_worker', signer: 'lode_signer' } as const

/**
 * The name space of a transaction's key. A key can be used once.
 * `member`: an operation of one member. The key is unique for that member.
 * `chain`: one chain log, `chain:<id>:<transaction>:<index>`. Every type that moves custody uses it, so a log that was
 * posted once cannot be posted again, neither as another type nor to another account.
 * The others are name spaces of system keys, such as `day:20405:dividend`. Only the worker may post these types, so
 * another role cannot block a due posting by using its key first.
 */
type KeySpace = 'member' | 'chain' | 'day' | 'pledge' | 'treasury' | 'suspense' | 'correction'

export type LogPhase = 'confirming' | 'confirmed' | 'canceled'

type TypeRule = {
  readonly code: number
  readonly roles: readonly (keyof typeof roles)[]
  readonly keys: KeySpace
  readonly debits: readonly KindName[]
  readonly credits: readonly KindName[]
  /** The phase of the log lines after this transaction. A line begins confirming or confirmed, and ends once. */
  readonly phase: LogPhase | null
  readonly logs: readonly LogType[]
  /** Whether this type may also credit other members. Otherwise all its member accounts belong to one member. */
  readonly creditsOthers: boolean
  /** Whether this type may credit only the member who registered the address of the debited suspense. */
  readonly sameAddress: boolean
  /** The type that this one reverses, with opposite amounts. Its key is the key of the reversed one plus `:undone`. */
  readonly undoes: string | null
}

const noLog = { phase: null, logs: [], creditsOthers: false, sameAddress: false, undoes: null } as const
const confirming = { ...noLog, phase: 'confirming' } as const
const confirmed = { ...noLog, phase: 'confirmed' } as const
const canceled = { ...noLog, phase: 'canceled' } as const

const api = ['api'] as const
const worker = ['worker'] as const
const both = ['api', 'worker'] as const

const pools = ['pool:mining', 'pool:liquidity', 'pool:operations'] as const
const reserves = ['reserve:airdrop', 'reserve:promotion', 'reserve:liquidity', 'reserve:mining'] as const
const partsOfPayment = [...pools, 'partner:funded', 'available', 'agentUnclaimed'] as const
const treasury = [...pools, 'reserve:liquidity', 'reserve:mining'] as const
const orders = ['upLevelByBalance', 'createPledge'] as const
/** What a reversal can give back or take back. Nothing but funding may lead into dividends, so they are left alone. */
const reversible = [
  'custody:vault',
  'custody:cold',
  'pool:loss',
  ...pools,
  'pool:paying',
  ...reserves,
  'partner:funded',
  'partner:payable',
  'burn:due',
  'suspense:address',
  'suspense:returning',
] as const
const promotions = ['upLevelByBalance', 'promotionReward', 'upLevelReward'] as const

// biome-ignore format: a table, one row a type
export const types = {
  // Money that comes in, moves to or from cold storage, or is burned on the chain.
  deposit:              { ...confirmed,  code: 1,  roles: worker, keys: 'chain',    debits: ['custody:vault'], credits: ['available'], logs: ['transferIn'] },
  suspenseDeposit:      { ...noLog,      code: 2,  roles: worker, keys: 'chain',    debits: ['custody:vault', 'custody:cold'], credits: ['suspense:address'] },
  dividendFunding:      { ...noLog,      code: 3,  roles: worker, keys: 'chain',    debits: ['custody:vault'], credits: ['dividend:funded'] },
  reserveFunding:       { ...noLog,      code: 4,  roles: worker, keys: 'chain',    debits: ['custody:vault'], credits: reserves },
  coldMove:             { ...noLog,      code: 5,  roles: worker, keys: 'chain',    debits: ['custody:cold'], credits: ['custody:vault'] },
  coldReturn:           { ...noLog,      code: 6,  roles: worker, keys: 'chain',    debits: ['custody:vault'], credits: ['custody:cold'] },
  burn:                 { ...noLog,      code: 7,  roles: worker, keys: 'chain',    debits: ['burn:due'], credits: ['custody:vault'] },

  // Orders: the part paid from the balance is frozen at once, and settled or unfrozen later.
  orderReserve:         { ...confirming, code: 10, roles: api,    keys: 'member',   debits: ['available'], credits: ['frozenOrder'], logs: orders },
  orderRelease:         { ...canceled,   code: 11, roles: both,   keys: 'member',   debits: ['frozenOrder'], credits: ['available'], logs: orders },
  promotionByBalance:   { ...confirmed,  code: 12, roles: both,   keys: 'member',   debits: ['frozenOrder'], credits: partsOfPayment, logs: promotions, creditsOthers: true },
  promotionPaid:        { ...confirmed,  code: 13, roles: worker, keys: 'chain',    debits: ['custody:vault', 'frozenOrder'], credits: partsOfPayment, logs: promotions, creditsOthers: true },
  pledgeByBalance:      { ...confirmed,  code: 14, roles: both,   keys: 'member',   debits: ['frozenOrder'], credits: ['pledged'], logs: ['createPledge'] },
  pledgePaid:           { ...confirmed,  code: 15, roles: worker, keys: 'chain',    debits: ['custody:vault', 'frozenOrder'], credits: ['pledged'], logs: ['createPledge'] },
  pledgeReturn:         { ...confirmed,  code: 16, roles: worker, keys: 'pledge',   debits: ['pledged'], credits: ['available'], logs: ['pledgeReturn'] },

  // Transfers out.
  transferRequest:      { ...confirming, code: 20, roles: both,   keys: 'member',   debits: ['available'], credits: ['frozenOut'], logs: ['transferOut'] },
  transferRelease:      { ...canceled,   code: 21, roles: both,   keys: 'member',   debits: ['frozenOut'], credits: ['available'], logs: ['transferOut'] },
  transferPaid:         { ...confirmed,  code: 22, roles: worker, keys: 'chain',    debits: ['frozenOut'], credits: ['custody:vault', 'pool:operations', 'burn:due'], logs: ['transferOut'] },

  // Rewards and dividends. The worker collects for a member only after a restore (payout/restore/collect-first.ts).
  agentReward:          { ...confirmed,  code: 30, roles: both,   keys: 'member',   debits: ['agentUnclaimed'], credits: ['available'], logs: ['agentReward'] },
  dividendClose:        { ...noLog,      code: 31, roles: worker, keys: 'day',      debits: ['dividend:funded'], credits: ['dividend:payable'] },
  pointReward:          { ...confirmed,  code: 32, roles: both,   keys: 'member',   debits: ['dividend:payable'], credits: ['available'], logs: ['pointReward'] },
  pledgeRest:           { ...confirmed,  code: 40, roles: worker, keys: 'pledge',   debits: ['dividend:payable'], credits: ['available'], logs: ['pointReward'] },
  partnerClose:         { ...noLog,      code: 33, roles: worker, keys: 'day',      debits: ['partner:funded'], credits: ['partner:payable'] },
  partnerUnshared:      { ...noLog,      code: 34, roles: worker, keys: 'day',      debits: ['partner:funded'], credits: ['pool:mining'] },
  partnerReward:        { ...confirmed,  code: 35, roles: both,   keys: 'member',   debits: ['partner:payable'], credits: ['available'], logs: ['partnerReward'] },
  airdropForActive:     { ...confirmed,  code: 36, roles: both,   keys: 'member',   debits: ['reserve:airdrop'], credits: ['available'], logs: ['airdropForActive'] },
  airdropForPromotion:  { ...confirmed,  code: 37, roles: both,   keys: 'member',   debits: ['reserve:promotion'], credits: ['available'], logs: ['airdropForPromotion'] },
  airdropForAgent:      { ...confirmed,  code: 38, roles: worker, keys: 'member',   debits: ['reserve:airdrop'], credits: ['available'], logs: ['airdropForAgent'] },
  airdropForPartner:    { ...confirmed,  code: 39, roles: worker, keys: 'member',   debits: ['reserve:airdrop'], credits: ['available'], logs: ['airdropForPartner'] },

  // Money from unregistered addresses.
  suspenseCredit:       { ...confirmed,  code: 50, roles: both,   keys: 'member',   debits: ['suspense:address'], credits: ['available'], logs: ['suspenseCredit'], sameAddress: true },
  suspenseReturn:       { ...noLog,      code: 51, roles: worker, keys: 'suspense', debits: ['suspense:address'], credits: ['suspense:returning'] },
  suspenseReturnPaid:   { ...noLog,      code: 52, roles: worker, keys: 'chain',    debits: ['suspense:returning'], credits: ['custody:vault'] },
  suspenseReturnUndone: { ...noLog,      code: 53, roles: worker, keys: 'suspense', debits: ['suspense:returning'], credits: ['suspense:address'], undoes: 'suspenseReturn' },

  // Payments from the pool's own accounts.
  treasuryPay:          { ...noLog,      code: 60, roles: worker, keys: 'treasury', debits: treasury, credits: ['pool:paying'] },
  treasuryPaid:         { ...noLog,      code: 61, roles: worker, keys: 'chain',    debits: ['pool:paying'], credits: ['custody:vault'] },
  treasuryUndone:       { ...noLog,      code: 62, roles: worker, keys: 'treasury', debits: ['pool:paying'], credits: treasury, undoes: 'treasuryPay' },

  // Corrections: money that left custody without a payout, what replaces it, and false postings that are undone.
  writeOff:             { ...noLog,      code: 70, roles: worker, keys: 'chain',    debits: ['custody:cold', 'pool:loss'], credits: ['custody:vault', 'custody:cold'] },
  lossFunding:          { ...noLog,      code: 71, roles: worker, keys: 'chain',    debits: ['custody:vault'], credits: ['pool:loss', 'suspense:address'] },
  lossFundingByPool:    { ...noLog,      code: 72, roles: worker, keys: 'correction', debits: ['pool:operations'], credits: ['pool:loss'] },
  reverse:              { ...confirmed,  code: 73, roles: worker, keys: 'correction', debits: [...reversible, 'available'], credits: reversible, logs: ['reversal'] },
} as const satisfies Record<string, TypeRule>

export type TypeName = keyof typeof types
type Rule<T extends TypeName> = (typeof types)[T]
export type DebitKind<T extends TypeName> = Rule<T>['debits'][number]
export type CreditKind<T extends TypeName> = Rule<T>['credits'][number]
export type LogTypeOf<T extends TypeName> = Rule<T>['logs'][number]
export type KeySpaceOf<T extends TypeName> = Rule<T>['keys']
