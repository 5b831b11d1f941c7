import { createWalletClient, custom, type Hex, hexToString, isHex, type TypedDataDefinition, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { ProviderError, type WalletPorts, type WalletState } from './wallet-state.ts'

export const MAIN_NET = 1

export type ProviderRequest = { method: string; params?: readonly unknown[] }

type Rpc = WalletPorts['rpc']

/** Answers a page's EIP-1193 request. Requests that do not concern the wallet go to the development chain. */
export async function answerRequest(
  state: WalletState,
  rpc: Rpc,
  { method, params = [] }: ProviderRequest,
): Promise<unknown> {
  switch (method) {
    case 'eth_accounts':
      return state.visibleAccounts()
    case 'eth_chainId':
      return state.chainId()
    case 'net_version':
      return String(Number(await state.chainId()))
    case 'eth_requestAccounts':
      if (!state.stored().connected) await connect(state)
      return state.visibleAccounts()
    case 'wallet_requestPermissions':
      await connect(state)
      return [{ parentCapability: 'eth_accounts' }]
    case 'wallet_revokePermissions':
      state.setConnected(false)
      return null
    case 'personal_sign':
      return signMessage(state, params)
    case 'eth_signTypedData_v4':
      return signTypedData(state, params)
    case 'eth_sendTransaction':
      return sendTransaction(state, rpc, params)
    case 'wallet_switchEthereumChain':
      return switchChain(state, params)
    case 'wallet_addEthereumChain':
      return addChain(state, params)
    default:
      return rpc(method, params)
  }
}

async function connect(state: WalletState): Promise<void> {
  await state.approve({ kind: 'connect' })
  state.setConnected(true)
}

async function signMessage(state: WalletState, [data, address]: readonly unknown[]): Promise<Hex> {
  const account = state.signer(address)
  const raw = isHex(data) ? data : toHex(String(data))
  await state.approve({ kind: 'sign', title: 'Sign a message', details: hexToString(raw) })
  return account.signMessage({ message: { raw } })
}

async function signTypedData(state: WalletState, [address, data]: readonly unknown[]): Promise<Hex> {
  const account = state.signer(address)
  const typed = (typeof data === 'string' ? JSON.parse(data) : data) as TypedDataDefinition
  await state.approve({ kind: 'sign', title: 'Sign typed data', details: toReadableJson(typed) })
  return account.signTypedData(typed)
}

type TransactionTerms = { from?: unknown; to?: Hex; data?: Hex; value?: Hex; gas?: Hex }

async function sendTransaction(state: WalletState, rpc: Rpc, params: readonly unknown[]): Promise<Hex> {
  const terms = (params[0] ?? {}) as TransactionTerms
  const account = state.signer(terms.from)
  if (state.stored().elsewhere !== null) throw new ProviderError(4901, 'The wallet is on another chain')
  await state.approve({ kind: 'transaction', details: toReadableJson(terms) })
  return signAndSend(account, rpc, terms)
}

function signAndSend(account: HDAccount, rpc: Rpc, { to, data, value, gas }: TransactionTerms): Promise<Hex> {
  const transport = custom({ request: ({ method, params }: ProviderRequest) => rpc(method, params ?? []) })
  return createWalletClient({ account, transport }).sendTransaction({
    chain: null,
    ...(to === undefined ? {} : { to }),
    ...(data === undefined ? {} : { data }),
    ...(value === undefined ? {} : { value: BigInt(value) }),
    ...(gas === undefined ? {} : { gas: BigInt(gas) }),
  })
}

const chainIdIn = ([chain]: readonly unknown[]): number => Number((chain as { chainId?: unknown } | undefined)?.chainId)

async function switchChain(state: WalletState, params: readonly unknown[]): Promise<null> {
  const target = chainIdIn(params)
  if (![await state.homeChain(), MAIN_NET, ...state.stored().added].includes(target)) {
    throw new ProviderError(4902, `Unrecognized chain ID ${target}`)
  }
  if (Number(await state.chainId()) === target) return null
  await state.approve({ kind: 'network', details: `Switch to chain ${target}` })
  await state.setChain(target)
  return null
}

async function addChain(state: WalletState, params: readonly unknown[]): Promise<null> {
  const target = chainIdIn(params)
  await state.approve({ kind: 'network', details: toReadableJson(params[0]) })
  state.update({ added: [...new Set([...state.stored().added, target])] })
  await state.setChain(target)
  return null
}

const toReadableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part), 2)
