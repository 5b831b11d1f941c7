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
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'

/**
 * Interprets the logs of the pool's contracts. When money moves, the token emits a Transfer, and later in the same
 * chain transaction the vault emits its own event. Both logs stand for the same money:
 *
 *     7  Transfer   A → vault  100  ────────────────────┐ not paired: a plain transfer, which is a deposit too
 *     8  Transfer   A → vault  100  ──┐ paired          │
 *     9  Deposited  A          100  ──┘ a deposit       ▼
 *
 * Every vault event is paired with the nearest earlier Transfer of the same token, accounts and amount that is not
 * paired yet. A Transfer out of the vault or a cold address without a vault event is a reason to stop: money has left
 * that the ledger still counts.
 */

type Where = 'vault' | 'cold'

type Of = { readonly log: ChainLog; readonly asset: Asset; readonly amount: bigint }

type What =
  | { readonly kind: 'deposit'; readonly from: Address; readonly into: Where }
  | { readonly kind: 'payment'; readonly from: Address; readonly orderId: Hex }
  | { readonly kind: 'dividendFunding'; readonly from: Address; readonly day: number; readonly evidence: Evidence }
  | { readonly kind: 'reserveFunding'; readonly from: Address; readonly reserve: (typeof reserveKinds)[number] }
  | { readonly kind: 'coldMove' }
  | { readonly kind: 'coldReturn' }
  | { readonly kind: 'payout'; readonly to: Address; readonly payoutId: Hex }
  | { readonly kind: 'burn' }

/** What one log does to custody. */
export type Movement = Of &
  What & {
    /** If the log is a vault event: the log index of the Transfer that it is paired with. */
    readonly transferIndex?: number
  }

export type PayoutMovement = Extract<Movement, { readonly kind: 'payout' }>
export type PaymentMovement = Extract<Movement, { readonly kind: 'payment' }>

/** A payout that the vault did not make, and why. `repeated`: this payout was made before. */
export type NotPaid = {
  readonly log: ChainLog
  readonly payoutId: Hex
  readonly reason: Exclude<(typeof payoutOutcomes)[number], 'released'> | 'repeated'
}

type Evidence = { readonly txid: Hex; readonly output: number }

/** An address to which the vault gave a role. */
export type PoolAddress = {
  readonly address: Address
  readonly role: 'cold' | 'funder'
  readonly sinceBlock: bigint
}

export type Reading = {
  readonly movements: Movement[]
  readonly notPaid: NotPaid[]
  readonly poolAddresses: PoolAddress[]
  /** Logs that contradict the ledger or each other, in words. */
  readonly problems: { readonly log: ChainLog; readonly what: string }[]
}

export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const FUNDER_ROLE = keccak256(stringToHex('FUNDER'))

/** Events by their first topic. Searching the whole ABI makes decoding a log thirty times as slow. */
const vaultEvents = new Map(
  poolVaultAbi.filter((item) => item.type === 'event').map((event) => [toEventSelector(event), event]),
)

type Transfer = Of & {
  readonly from: Address
  readonly to: Address
  /** What the two addresses were at that moment: the vault, cold storage, or null for any other address. */
  readonly fromWhere: Where | null
  readonly toWhere: Where | null
}

/** What a vault event says about money. An earlier Transfer must match it. */
type Claim = {
  readonly from: Address
  readonly to: Address
  readonly token: Address
  readonly amount: bigint
  readonly what: What
}

/** Reads logs in chain order: by block and log index. `cold` has the cold addresses before the first log. */
export function readLogs(logs: readonly ChainLog[], pool: PoolContracts, cold: ReadonlySet<Address>): Reading {
  const vaultLogs = pool.vault.toLowerCase()
  const assetOf = new Map<string, Asset>(assets.map((asset) => [pool.tokens[asset].address.toLowerCase(), asset]))
  const coldNow = new Set(cold)
  const whereIs = (address: Address): Where | null =>
    address === pool.vault ? 'vault' : coldNow.has(address) ? 'cold' : null
  const reading: Reading = { movements: [], notPaid: [], poolAddresses: [], problems: [] }

  for (const ofOneTransaction of byTransaction(logs)) {
    const open: Transfer[] = []
    const movements: Movement[] = []
    for (const log of ofOneTransaction) {
      const asset = assetOf.get(log.address)
      if (asset) {
        const transfer = readTransfer(log, asset, whereIs)
        if (transfer) open.push(transfer)
      } else if (log.address === vaultLogs) {
        const event = decode(log)
        const named = poolAddressIn(event, log)
        if (named) reading.poolAddresses.push(named)
        if (named?.role === 'cold') coldNow.add(named.address)
        const notPaid = notPaidIn(event, log)
        if (notPaid) reading.notPaid.push(notPaid)
        const claim = claimIn(event, pool.vault)
        if (claim === null || (typeof claim === 'object' && claim.amount === 0n)) continue
        const movement = typeof claim === 'string' ? claim : pair(log, claim, open)
        if (typeof movement === 'string') reading.problems.push({ log, what: movement })
        else movements.push(movement)
      }
    }
    for (const transfer of open) {
      const movement = unpaired(transfer)
      if (typeof movement === 'string') reading.problems.push({ log: transfer.log, what: movement })
      else if (movement) movements.push(movement)
    }
    reading.movements.push(...movements.sort((one, other) => one.log.logIndex - other.log.logIndex))
  }
  return reading
}

/** Removes the Transfer that matches the claim from `open` and returns the movement, or says that none matches. */
function pair(log: ChainLog, claim: Claim, open: Transfer[]): Movement | string {
  const place = open.findLastIndex(
    (transfer) =>
      transfer.log.address === claim.token.toLowerCase() &&
      transfer.amount === claim.amount &&
      transfer.from === claim.from &&
      transfer.to === claim.to,
  )
  const [transfer] = place < 0 ? [] : open.splice(place, 1)
  if (!transfer) return 'the vault tells of money that no Transfer before it moved'
  // Money from a cold address belonged to the pool before, so it is never a deposit or funding.
  const what: What = transfer.fromWhere === 'cold' ? { kind: 'coldReturn' } : claim.what
  return { log, asset: transfer.asset, amount: transfer.amount, transferIndex: transfer.log.logIndex, ...what }
}

/** What the event claims; null if it moves no money; a string if something is wrong with it. */
function claimIn(event: VaultEvent, vault: Address): Claim | string | null {
  switch (event?.eventName) {
    case 'Deposited': {
      const { from, token, amount } = event.args
      return { from, to: vault, token, amount, what: { kind: 'deposit', from, into: 'vault' } }
    }
    case 'Paid': {
      const { payer: from, token, amount, orderId } = event.args
      return { from, to: vault, token, amount, what: { kind: 'payment', from, orderId } }
    }
    case 'DividendFunded': {
      const { funder: from, token, amount, day, txid, outputIndex } = event.args
      const evidence = { txid, output: outputIndex }
      return { from, to: vault, token, amount, what: { kind: 'dividendFunding', from, day, evidence } }
    }
    case 'ReserveFunded': {
      const { funder: from, token, amount, kind } = event.args
      const reserve = reserveKinds[kind]
      return reserve
        ? { from, to: vault, token, amount, what: { kind: 'reserveFunding', from, reserve } }
        : `there is no reserve ${kind}`
    }
    case 'PayoutReleased': {
      const { id, to, token, amount } = event.args
      return { from: vault, to, token, amount, what: { kind: 'payout', to, payoutId: id } }
    }
    case 'Burned': {
      const { token, amount } = event.args
      return { from: vault, to: zeroAddress, token, amount, what: { kind: 'burn' } }
    }
    case 'MovedToCold': {
      // If the token took a fee, less arrived than was sent. No ledger account bears that difference, so people must
      // decide. None of the three tokens takes a fee today; if one did, payments would revert.
      const { token, coldStorage: to, sent, arrived } = event.args
      return sent === arrived
        ? { from: vault, to, token, amount: sent, what: { kind: 'coldMove' } }
        : `of ${sent} sent to cold storage ${arrived} arrived`
    }
    default:
      return null
  }
}

function notPaidIn(event: VaultEvent, log: ChainLog): NotPaid | null {
  if (event?.eventName === 'PayoutRepeated') return { log, payoutId: event.args.id, reason: 'repeated' }
  if (event?.eventName !== 'PayoutSkipped') return null
  const reason = payoutOutcomes[event.args.reason]
  // An unknown reason counts as `token`, like every failure that the vault did not detect itself.
  return { log, payoutId: event.args.id, reason: reason === undefined || reason === 'released' ? 'token' : reason }
}

function poolAddressIn(event: VaultEvent, { blockNumber: sinceBlock }: ChainLog): PoolAddress | null {
  if (event?.eventName === 'ColdStorageChanged') return { address: event.args.current, role: 'cold', sinceBlock }
  if (event?.eventName === 'RoleGranted' && event.args.role === FUNDER_ROLE)
    return { address: event.args.account, role: 'funder', sinceBlock }
  return null
}

/** Null if the Transfer moves nothing. */
function readTransfer(log: ChainLog, asset: Asset, whereIs: (address: Address) => Where | null): Transfer | null {
  const [topic, fromTopic, toTopic] = log.topics
  if (topic !== TRANSFER || !fromTopic || !toTopic) return null
  const amount = BigInt(log.data)
  if (amount === 0n) return null
  const [from, to] = [addressOf(fromTopic), addressOf(toTopic)]
  return { log, asset, amount, from, to, fromWhere: whereIs(from), toWhere: whereIs(to) }
}

/** What a Transfer without a vault event means: nothing for the ledger (null), a movement, or an error in words. */
function unpaired({ fromWhere, toWhere, log, asset, amount, from, to }: Transfer): Movement | string | null {
  if (fromWhere === toWhere) return null
  if (fromWhere === null && toWhere !== null) return { log, asset, amount, kind: 'deposit', from, into: toWhere }
  if (fromWhere === 'cold' && toWhere === 'vault') return { log, asset, amount, kind: 'coldReturn' }
  return `${amount} ${asset} left ${from} for ${to}, and nothing says why`
}

type VaultEvent = DecodeEventLogReturnType<typeof poolVaultAbi> | null

function decode(log: ChainLog): VaultEvent {
  const [topic, ...more] = log.topics
  const event = topic && vaultEvents.get(topic)
  return event
    ? decodeEventLog({ abi: [event] as unknown as typeof poolVaultAbi, topics: [topic, ...more], data: log.data })
    : null
}

function byTransaction(logs: readonly ChainLog[]): ChainLog[][] {
  const groups: ChainLog[][] = []
  let last: ChainLog | undefined
  for (const log of logs) {
    if (last?.tx === log.tx && last.blockHash === log.blockHash) groups.at(-1)?.push(log)
    else groups.push([log])
    last = log
  }
  return groups
}

/** The cold addresses that these vault logs name. Their Transfers must be read too. */
export const coldNamedIn = (logs: readonly ChainLog[]): Address[] =>
  logs.flatMap((log) => {
    const named = poolAddressIn(decode(log), log)
    return named?.role === 'cold' ? [named.address] : []
  })

const addressOf = (topic: Hex): Address => getAddress(`0x${topic.slice(-40)}`)
