import { poolVaultAbi } from '@lode/contracts'
import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import type { AnnouncementArgument, AnnouncementKind } from '@lode/wire'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  keccak256,
  slice,
  stringToHex,
  toFunctionSelector,
  zeroHash,
} from 'viem'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'

/** What a call that was announced would do. */
export type AnnouncedCall = {
  readonly kind: AnnouncementKind
  readonly arguments: readonly {
    readonly name: AnnouncementArgument
    /** Addresses and hashes in full; amounts in whole coins if `symbol` says of which asset. */
    readonly value: string
    readonly symbol: Asset | null
  }[]
}

/**
 * Reads the call data of an announcement. The administrator can announce any bytes. What the vault would not accept as
 * an announced call is of the kind `other`, and is shown as it is.
 */
export function readAnnouncedCall(data: Hex, pool: PoolContracts): AnnouncedCall {
  const call = decodeExactly(data)
  return (call && describeCall(call, pool)) ?? { kind: 'other', arguments: [plain('callData', data)] }
}

type VaultCall = ReturnType<typeof decodeFunctionData<typeof poolVaultAbi>>

/** The functions that need an announcement, always or for some of their arguments. */
const announcedFunctions: ReadonlySet<string> = new Set([
  'setColdStorage',
  'moveToCold',
  'moveTo',
  'rescue',
  'setPayoutCap',
  'setBurnCap',
  'setPayoutGas',
  'reinstateEvidence',
  'grantRole',
  'revokeRole',
] satisfies VaultCall['functionName'][])

/** An ABI of one function for each: with the whole ABI, decoding one call takes 2 ms, and thousands can be announced. */
const abiBySelector = new Map(
  poolVaultAbi
    .filter((item) => item.type === 'function')
    .filter(({ name }) => announcedFunctions.has(name))
    .map((item) => [toFunctionSelector(item), [item] as const]),
)

/** A call that begins with another selector has no effect. One that begins with these may have one. */
export const announcedSelectors: readonly Hex[] = Array.from(abiBySelector.keys())

export const hasEffect = ({ kind }: AnnouncedCall): boolean => kind !== 'other'

/** Null if the vault would refuse the data: an unknown function, bytes after the arguments, or values out of range. */
function decodeExactly(data: Hex): VaultCall | null {
  const abi = abiBySelector.get(slice(data, 0, 4))
  if (!abi) return null
  try {
    const call = decodeFunctionData({ abi, data })
    return encodeFunctionData({ abi, ...call }) === data ? call : null
  } catch {
    return null
  }
}

/** Null if the call needs no announcement. */
function describeCall(call: VaultCall, pool: PoolContracts): AnnouncedCall | null {
  switch (call.functionName) {
    case 'setColdStorage':
      return { kind: 'setColdStorage', arguments: [plain('coldStorage', call.args[0])] }
    case 'moveToCold': {
      const [token, amount, cold] = call.args
      const moved = [tokenArgument(token, pool), coins('amount', amount, token, pool)]
      return { kind: 'moveToCold', arguments: [...moved, plain('coldStorage', cold)] }
    }
    case 'moveTo': {
      const [next, token] = call.args
      return { kind: 'moveTo', arguments: [plain('successor', next), tokenArgument(token, pool)] }
    }
    case 'rescue': {
      const [token, to, amount] = call.args
      const rescued = [tokenArgument(token, pool), coins('amount', amount, token, pool)]
      return { kind: 'rescue', arguments: [...rescued, plain('to', to)] }
    }
    case 'setPayoutCap': {
      const [token, cap] = call.args
      return { kind: 'setPayoutCap', arguments: [tokenArgument(token, pool), coins('cap', cap, token, pool)] }
    }
    case 'setBurnCap':
      return { kind: 'setBurnCap', arguments: [coins('cap', call.args[0], pool.tokens.BTN.address, pool)] }
    case 'setPayoutGas':
      return { kind: 'setPayoutGas', arguments: [plain('gas', String(call.args[0]))] }
    case 'reinstateEvidence': {
      const [txid, index] = call.args
      return {
        kind: 'reinstateEvidence',
        arguments: [plain('bitcoinTxid', txid), plain('bitcoinOutput', String(index))],
      }
    }
    case 'grantRole': {
      const kind = grants.get(call.args[0])
      return kind ? { kind, arguments: [plain('account', call.args[1])] } : null
    }
    case 'revokeRole':
      return call.args[0] === GUARDIAN ? { kind: 'revokeGuardian', arguments: [plain('account', call.args[1])] } : null
    default:
      return null
  }
}

const roleHash = (name: string): Hex => keccak256(stringToHex(name))
const GUARDIAN = roleHash('GUARDIAN')
const grants = new Map<Hex, AnnouncementKind>([
  [zeroHash, 'grantAdministrator'],
  [GUARDIAN, 'grantGuardian'],
  [roleHash('PAYER'), 'grantPayer'],
  [roleHash('FUNDER'), 'grantFunder'],
])

type Argument = AnnouncedCall['arguments'][number]

const plain = (name: AnnouncementArgument, value: string): Argument => ({ name, value, symbol: null })

const assetOf = (token: Address, pool: PoolContracts): Asset | null =>
  assets.find((asset) => isAddressEqual(pool.tokens[asset].address, token)) ?? null

const tokenArgument = (token: Address, pool: PoolContracts): Argument => ({
  name: 'token',
  value: token,
  symbol: assetOf(token, pool),
})

/** In whole coins of one of the pool's assets; in the smallest units of any other token. */
function coins(name: 'amount' | 'cap', value: bigint, token: Address, pool: PoolContracts): Argument {
  const symbol = assetOf(token, pool)
  return {
    name,
    value: symbol ? formatAmount(units(symbol, value), pool.tokens[symbol].decimals) : String(value),
    symbol,
  }
}

/** What each announced call can lead to, in the words of the worker's alarm and of the command line. */
export const announcementMeanings: Readonly<Record<AnnouncementKind, string>> = {
  setColdStorage: 'changes the address to which the administrator can move money out of the vault',
  moveToCold: 'moves money from the vault to the cold address',
  moveTo: 'moves all of a token to another vault, and this vault stops for ever',
  rescue: 'sends a foreign token, which came to the vault by mistake, to an address',
  setPayoutCap: 'changes how much can be paid out of a token in 24 hours',
  setBurnCap: 'changes how much BTN can be burned in 24 hours',
  setPayoutGas: 'changes how much gas one payout gets',
  grantAdministrator: 'hands the administration of the vault over to another account',
  grantGuardian: 'makes an account a guardian, who can pause the vault and withdraw announcements',
  grantPayer: 'makes an account a payer, who can pay out and burn within the caps',
  grantFunder: 'makes an account a funder, who brings in dividends and reserves',
  revokeGuardian: 'dismisses a guardian',
  reinstateEvidence: 'lets a Bitcoin output be named again as the source of a dividend',
  other: 'is no call that the vault accepts after an announcement; it has no effect',
}
