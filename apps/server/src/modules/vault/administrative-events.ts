import { poolVaultAbi } from '@lode/contracts'
import { type Address, decodeEventLog, getAddress, type Hex, toEventSelector } from 'viem'
import type { ChainLog } from '../../platform/chain/node.ts'

/**
 * The vault's events, and whether each is about its administration. Administrative events are stored and reported. The
 * ledger reads the events about money; two kinds of move are both. An event that is missing here does not compile.
 */
export const vaultEvents = {
  Paid: 'money',
  Deposited: 'money',
  DividendFunded: 'money',
  ReserveFunded: 'money',
  PayoutReleased: 'money',
  PayoutSkipped: 'money',
  PayoutRepeated: 'money',
  Burned: 'money',
  Announced: 'administration',
  AnnouncementUsed: 'administration',
  AnnouncementWithdrawn: 'administration',
  AllAnnouncementsWithdrawn: 'administration',
  RoleGranted: 'administration',
  RoleRevoked: 'administration',
  RoleAccepted: 'administration',
  RoleAdminChanged: 'administration',
  DismissalAgreed: 'administration',
  DismissalAgreementWithdrawn: 'administration',
  Paused: 'administration',
  Unpaused: 'administration',
  QuoteSignerChanged: 'administration',
  ColdStorageChanged: 'administration',
  PayoutCapChanged: 'administration',
  BurnCapChanged: 'administration',
  PayoutGasChanged: 'administration',
  EvidenceReinstated: 'administration',
  MovedToCold: 'administration',
  MovedToSuccessor: 'administration',
  Rescued: 'administration',
  EIP712DomainChanged: 'administration',
} as const satisfies Record<VaultEventName, 'money' | 'administration'>

type VaultEventName = Extract<(typeof poolVaultAbi)[number], { type: 'event' }>['name']

export type AdministrativeEvent = {
  readonly log: Pick<ChainLog, 'tx' | 'logIndex' | 'blockNumber'>
  readonly vault: Address
  readonly name: VaultEventName
  /** All values as text, so that they can be stored as JSON. */
  readonly arguments: Readonly<Record<string, string>>
}

const administrativeEvents = new Map(
  poolVaultAbi
    .filter((item) => item.type === 'event')
    .filter(({ name }) => vaultEvents[name] === 'administration')
    .map((event) => [toEventSelector(event), event]),
)

/** The administrative events among the logs, in the order of the logs. */
export const readAdministrativeEvents = (logs: readonly ChainLog[], vault: Address): AdministrativeEvent[] =>
  logs.flatMap((log) => {
    const [topic, ...more] = log.topics
    const event = topic && administrativeEvents.get(topic)
    if (!event || log.address !== vault.toLowerCase()) return []
    const { args } = decodeEventLog({ abi: [event], topics: [topic, ...more], data: log.data })
    return [{ log, vault: getAddress(vault), name: event.name, arguments: toTexts(args ?? {}) }]
  })

const toTexts = (args: object): Record<string, string> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]))

/** The hash of the announced call, for an event about one announcement. */
export const callHashOf = ({ arguments: { callHash } }: AdministrativeEvent): Hex | null =>
  callHash === undefined ? null : (callHash as Hex)
