import { poolVaultAbi } from '@lode/contracts'
import { payoutOutcomes, reserveKinds } from '@lode/contracts/terms'
import { type Asset, assets } from '@lode/kernel'
import {
  type Address,
  type DecodeEventLogReturnType,
  decodeEventLog,
  getAddress,
  type Hex,
  keccak256,
  stringToHex,
  toEventSelector,
  zeroAddress,
} from 'viem'
import type { ChainLog } from '../../platform/chain/node.ts'
import { allVaultsOf, formatCoins, type PoolContracts } from '../../platform/config/pool-contracts.ts'

/**
 * Interprets the logs of the pool's contracts. When money moves, the token emits a Transfer, and later in the same
 * chain transaction the vault emits its own event. Both logs stand for the same money:
 *
 *     7  Transfer   A → vault  100  ────────────────────┐ not paired: a plain transfer, which is a deposit too
 *     8  Transfer   A → vault  100  ──┐ paired          │
 *     9  Deposited  A          100  ──┘ a deposit       ▼
 *
 * Every vault event is paired with the nearest earlier Transfer of the same token, accounts and amount that is not
 * paired yet. A Transfer from a cold address to the vault, or to another cold address, needs no vault event. Any other
 * Transfer out of the vault or of a cold address without a vault event is a problem, which stops its asset if it lasts:
 * the ledger still counts money that has left. Two operators can write it off.
 *
 * If the pool has moved to another vault, both are "the vault" here: a Transfer from one to the other changes nothing.
 */

export type CustodyPlace = 'vault' | 'cold'

/** Money that left custody without a payout. */
export type Loss = {
  readonly asset: Asset
  readonly amount: bigint
  readonly place: CustodyPlace
  /** What cold storage received, if a move from the vault arrived in part; otherwise 0. */
  readonly arrived: bigint
}

type LoggedAmount = { readonly log: ChainLog; readonly asset: Asset; readonly amount: bigint }

type MovementDetails =
  | { readonly kind: 'deposit'; readonly from: Address; readonly into: CustodyPlace }
  | { readonly kind: 'payment'; readonly from: Address; readonly orderId: Hex }
  | { readonly kind: 'dividendFunding'; readonly from: Address; readonly day: number; readonly evidence: BitcoinOutput }
  | { readonly kind: 'reserveFunding'; readonly from: Address; readonly reserve: (typeof reserveKinds)[number] }
  | { readonly kind: 'coldMove' }
  | { readonly kind: 'coldReturn' }
  | { readonly kind: 'payout'; readonly to: Address; readonly payoutId: Hex }
  | { readonly kind: 'burn' }
  /** Two operators wrote it off. The field amount is what is missing. */
  | {
      readonly kind: 'writeOff'
      readonly place: CustodyPlace
      readonly arrived: bigint
      /** Whether the money was burned. */
      readonly isBurn: boolean
    }

/** What one log does to custody. */
export type Movement = LoggedAmount &
  MovementDetails & {
    /** If the log is a vault event: the log index of the Transfer that it is paired with. */
    readonly transferIndex?: number
  }

export type PayoutMovement = Extract<Movement, { readonly kind: 'payout' }>
export type PaymentMovement = Extract<Movement, { readonly kind: 'payment' }>

/** A payout that the vault did not make, with the reason. `repeated`: the vault made this payout before. */
export type UnpaidPayout = {
  readonly log: ChainLog
  readonly payoutId: Hex
  readonly reason: Exclude<(typeof payoutOutcomes)[number], 'released'> | 'repeated'
}

type BitcoinOutput = { readonly txid: Hex; readonly output: number }

/** An address to which the vault gave a role. */
export type PoolAddress = {
  readonly address: Address
  readonly role: 'cold' | 'funder'
  readonly sinceBlock: bigint
}

export type InterpretedLogs = {
  readonly movements: readonly Movement[]
  readonly notPaid: readonly UnpaidPayout[]
  readonly poolAddresses: readonly PoolAddress[]
  /** Logs that contradict each other or that the ledger cannot post, each with an error text. */
  readonly problems: readonly LogProblem[]
}

/** `loss` is null if the log does not say that money left custody. */
export type LogProblem = { readonly log: ChainLog; readonly text: string; readonly loss: Loss | null }

export const TRANSFER_TOPIC = toEventSelector('Transfer(address,address,uint256)')
const FUNDER_ROLE = keccak256(stringToHex('FUNDER'))

/** Events by their first topic. Searching the whole ABI makes decoding a log thirty times as slow. */
const vaultEvents = new Map(
  poolVaultAbi.filter((item) => item.type === 'event').map((event) => [toEventSelector(event), event]),
)

type TokenTransfer = LoggedAmount & {
  readonly from: Address
  readonly to: Address
  /** Whether each address was the vault or cold storage at that moment; null for any other address. */
  readonly fromPlace: CustodyPlace | null
  readonly toPlace: CustodyPlace | null
}

/** The Transfer that a vault event implies. It must come before the event. */
type ExpectedTransfer = {
  readonly from: Address
  readonly to: Address
  readonly token: Address
  readonly amount: bigint
  readonly details: MovementDetails
}

/** The logs must be in chain order: by block and log index. `cold` has the cold addresses before the first log. */
export function interpretLogs(
  logs: readonly ChainLog[],
  pool: PoolContracts,
  cold: ReadonlySet<Address>,
): InterpretedLogs {
  const vaultOf = new Map<string, Address>(allVaultsOf(pool).map((vault) => [vault.toLowerCase(), vault]))
  const assetOf = new Map<string, Asset>(assets.map((asset) => [pool.tokens[asset].address.toLowerCase(), asset]))
  const coldNow = new Set(cold)
  const custodyPlaceOf = (address: Address): CustodyPlace | null =>
    vaultOf.has(address.toLowerCase()) ? 'vault' : coldNow.has(address) ? 'cold' : null
  const result = {
    movements: [] as Movement[],
    notPaid: [] as UnpaidPayout[],
    poolAddresses: [] as PoolAddress[],
    problems: [] as LogProblem[],
  }

  for (const transactionLogs of groupByTransaction(logs)) {
    const unpairedTransfers: TokenTransfer[] = []
    const movements: Movement[] = []
    for (const log of transactionLogs) {
      const asset = assetOf.get(log.address)
      const vault = vaultOf.get(log.address)
      if (asset) {
        const transfer = readTransfer(log, asset, custodyPlaceOf)
        if (transfer) unpairedTransfers.push(transfer)
      } else if (vault) {
        const event = decodeVaultEvent(log)
        const poolAddress = readPoolAddress(event, log)
        if (poolAddress) result.poolAddresses.push(poolAddress)
        if (poolAddress?.role === 'cold') coldNow.add(poolAddress.address)
        const notPaid = readUnpaidPayout(event, log)
        if (notPaid) result.notPaid.push(notPaid)
        const shortMove = readShortMove(event, assetOf, pool)
        if (shortMove) {
          removeTransfersOf(shortMove, vault, unpairedTransfers)
          result.problems.push({ log, text: shortMove.text, loss: shortMove.loss })
          continue
        }
        const expected = readExpectedTransfer(event, vault)
        if (expected === null || (typeof expected === 'object' && expected.amount === 0n)) continue
        const movement = typeof expected === 'string' ? expected : pairWithTransfer(log, expected, unpairedTransfers)
        if (typeof movement === 'string') result.problems.push({ log, text: movement, loss: null })
        else movements.push(...movement)
      }
    }
    for (const transfer of unpairedTransfers) {
      const movement = interpretUnpairedTransfer(transfer, pool)
      if (typeof movement === 'string')
        result.problems.push({ log: transfer.log, text: movement, loss: lossOf(transfer) })
      else if (movement) movements.push(movement)
    }
    result.movements.push(...movements.sort((one, other) => one.log.logIndex - other.log.logIndex))
  }
  return result
}

/** Removes the matching Transfer from `unpairedTransfers` and returns its movements, or an error text if none matches. */
function pairWithTransfer(
  log: ChainLog,
  expected: ExpectedTransfer,
  unpairedTransfers: TokenTransfer[],
): Movement[] | string {
  const index = unpairedTransfers.findLastIndex(
    (transfer) =>
      transfer.log.address === expected.token.toLowerCase() &&
      transfer.amount === expected.amount &&
      transfer.from === expected.from &&
      transfer.to === expected.to,
  )
  const [transfer] = index < 0 ? [] : unpairedTransfers.splice(index, 1)
  if (!transfer) return 'a vault event has no matching Transfer before it'
  // Money from a cold address belonged to the pool before, so it is never a deposit or funding.
  const movementDetails: MovementDetails = transfer.fromPlace === 'cold' ? { kind: 'coldReturn' } : expected.details
  const { asset, amount } = transfer
  // A payout from one vault of the pool to another is paid, and its Transfer brings the same money in again.
  if (movementDetails.kind === 'payout' && transfer.toPlace === 'vault')
    return [
      { log: transfer.log, asset, amount, kind: 'deposit', from: transfer.from, into: 'vault' },
      { log, asset, amount, ...movementDetails },
    ]
  return [{ log, asset, amount, transferIndex: transfer.log.logIndex, ...movementDetails }]
}

/** The Transfer that the event implies; null if it moves no money; an error text if the event is wrong. */
function readExpectedTransfer(event: VaultEvent, vault: Address): ExpectedTransfer | string | null {
  switch (event?.eventName) {
    case 'Deposited': {
      const { from, token, amount } = event.args
      return { from, to: vault, token, amount, details: { kind: 'deposit', from, into: 'vault' } }
    }
    case 'Paid': {
      const { payer: from, token, amount, orderId } = event.args
      return { from, to: vault, token, amount, details: { kind: 'payment', from, orderId } }
    }
    case 'DividendFunded': {
      const { funder: from, token, amount, day, txid, outputIndex } = event.args
      const evidence = { txid, output: outputIndex }
      return { from, to: vault, token, amount, details: { kind: 'dividendFunding', from, day, evidence } }
    }
    case 'ReserveFunded': {
      const { funder: from, token, amount, kind } = event.args
      const reserve = reserveKinds[kind]
      return reserve
        ? { from, to: vault, token, amount, details: { kind: 'reserveFunding', from, reserve } }
        : `there is no reserve ${kind}`
    }
    case 'PayoutReleased': {
      const { id, to, token, amount } = event.args
      return { from: vault, to, token, amount, details: { kind: 'payout', to, payoutId: id } }
    }
    case 'Burned': {
      const { token, amount } = event.args
      return { from: vault, to: zeroAddress, token, amount, details: { kind: 'burn' } }
    }
    case 'MovedToCold': {
      const { token, coldStorage: to, sent } = event.args
      return { from: vault, to, token, amount: sent, details: { kind: 'coldMove' } }
    }
    default:
      return null
  }
}

type ShortMove = { readonly text: string; readonly loss: Loss; readonly to: Address; readonly arrived: bigint }

/**
 * If the token took a fee, less arrived in cold storage or in the next vault than was sent. No ledger account bears that
 * difference, so people must decide. None of the three tokens takes a fee today; if one did, payments would revert.
 */
function readShortMove(event: VaultEvent, assetOf: ReadonlyMap<string, Asset>, pool: PoolContracts): ShortMove | null {
  if (event?.eventName !== 'MovedToCold' && event?.eventName !== 'MovedToSuccessor') return null
  const { token, sent, arrived } = event.args
  const asset = assetOf.get(token.toLowerCase())
  if (!asset || sent <= arrived) return null
  const loss = { asset, amount: sent - arrived, place: 'vault' } as const
  const coins = (amount: bigint): string => formatCoins(pool, asset, amount)
  return event.eventName === 'MovedToCold'
    ? {
        text: `of ${coins(sent)} sent to cold storage ${coins(arrived)} arrived`,
        loss: { ...loss, arrived },
        to: event.args.coldStorage,
        arrived,
      }
    : {
        text: `of ${coins(sent)} sent to the next vault ${coins(arrived)} arrived`,
        loss: { ...loss, arrived: 0n },
        to: event.args.successor,
        arrived,
      }
}

/** Removes the Transfers of a move that arrived in part: to its receiver, and of the token's fee. */
function removeTransfersOf({ loss, to, arrived }: ShortMove, vault: Address, unpairedTransfers: TokenTransfer[]): void {
  const { asset, amount } = loss
  const remove = (matches: (transfer: TokenTransfer) => boolean): void => {
    const index = unpairedTransfers.findLastIndex((transfer) => transfer.asset === asset && matches(transfer))
    if (index >= 0) unpairedTransfers.splice(index, 1)
  }
  const amounts = [arrived, arrived + amount]
  remove((transfer) => transfer.from === vault && transfer.to === to && amounts.includes(transfer.amount))
  // Some tokens take the fee from the sender, others from what the receiver got.
  const isPayerOfFee = (address: Address): boolean => address === vault || address === to
  remove((transfer) => isPayerOfFee(transfer.from) && transfer.toPlace === null && transfer.amount === amount)
}

const lossOf = ({ asset, amount, fromPlace, toPlace }: TokenTransfer): Loss | null =>
  fromPlace === null || toPlace !== null ? null : { asset, amount, place: fromPlace, arrived: 0n }

function readUnpaidPayout(event: VaultEvent, log: ChainLog): UnpaidPayout | null {
  if (event?.eventName === 'PayoutRepeated') return { log, payoutId: event.args.id, reason: 'repeated' }
  if (event?.eventName !== 'PayoutSkipped') return null
  const reason = payoutOutcomes[event.args.reason]
  // A reason that this program does not know counts as `token`, like all failures that the vault did not detect itself.
  return { log, payoutId: event.args.id, reason: reason === undefined || reason === 'released' ? 'token' : reason }
}

function readPoolAddress(event: VaultEvent, { blockNumber: sinceBlock }: ChainLog): PoolAddress | null {
  if (event?.eventName === 'ColdStorageChanged') return { address: event.args.current, role: 'cold', sinceBlock }
  if (event?.eventName === 'RoleGranted' && event.args.role === FUNDER_ROLE)
    return { address: event.args.account, role: 'funder', sinceBlock }
  return null
}

/** Returns null if the log is no Transfer, or if its amount is zero. */
function readTransfer(
  log: ChainLog,
  asset: Asset,
  custodyPlaceOf: (address: Address) => CustodyPlace | null,
): TokenTransfer | null {
  const [topic, fromTopic, toTopic] = log.topics
  if (topic !== TRANSFER_TOPIC || !fromTopic || !toTopic) return null
  const amount = BigInt(log.data)
  if (amount === 0n) return null
  const [from, to] = [addressFromTopic(fromTopic), addressFromTopic(toTopic)]
  return { log, asset, amount, from, to, fromPlace: custodyPlaceOf(from), toPlace: custodyPlaceOf(to) }
}

/** Returns the movement of a Transfer without a vault event, null if it does not change custody, or an error text. */
function interpretUnpairedTransfer(
  { fromPlace, toPlace, log, asset, amount, from, to }: TokenTransfer,
  pool: PoolContracts,
): Movement | string | null {
  if (fromPlace === toPlace) return null
  if (fromPlace === null && toPlace !== null) return { log, asset, amount, kind: 'deposit', from, into: toPlace }
  if (fromPlace === 'cold' && toPlace === 'vault') return { log, asset, amount, kind: 'coldReturn' }
  return `${formatCoins(pool, asset, amount)} left ${from} and went to ${to}, without a vault event`
}

type VaultEvent = DecodeEventLogReturnType<typeof poolVaultAbi> | null

function decodeVaultEvent(log: ChainLog): VaultEvent {
  const [topic, ...more] = log.topics
  const event = topic && vaultEvents.get(topic)
  return event
    ? decodeEventLog({ abi: [event] as unknown as typeof poolVaultAbi, topics: [topic, ...more], data: log.data })
    : null
}

function groupByTransaction(logs: readonly ChainLog[]): ChainLog[][] {
  const groups: ChainLog[][] = []
  let last: ChainLog | undefined
  for (const log of logs) {
    if (last?.tx === log.tx && last.blockHash === log.blockHash) groups.at(-1)?.push(log)
    else groups.push([log])
    last = log
  }
  return groups
}

/** The addresses to which these vault logs give this role. The caller must also read the Transfers of cold addresses. */
export const findPoolAddresses = (logs: readonly ChainLog[], role: PoolAddress['role']): Address[] =>
  logs.flatMap((log) => {
    const named = readPoolAddress(decodeVaultEvent(log), log)
    return named?.role === role ? [named.address] : []
  })

/** A move of the whole balance of a token to the next vault. */
export type VaultMove = { readonly blockNumber: bigint; readonly from: Address; readonly successor: Address }

/** The first of these logs by which a vault moves to a vault that is not the pool's; undefined if there is none. */
export function findUnknownMove(logs: readonly ChainLog[], pool: PoolContracts): VaultMove | undefined {
  const vaults = allVaultsOf(pool)
  for (const log of logs) {
    const from = vaults.find((vault) => vault.toLowerCase() === log.address)
    const event = from ? decodeVaultEvent(log) : null
    if (from && event?.eventName === 'MovedToSuccessor' && !vaults.includes(event.args.successor))
      return { blockNumber: log.blockNumber, from, successor: event.args.successor }
  }
  return undefined
}

const addressFromTopic = (topic: Hex): Address => getAddress(`0x${topic.slice(-40)}`)
