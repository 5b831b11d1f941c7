import { createWalletClient, custom, type Hex, hexToString, isHex, type TypedDataDefinition, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { ProviderError, type WalletPorts, type WalletState } from './wallet-state.ts'

export const MAIN_NET = 1

export type WalletRequest = { method: string; params?: readonly unknown[] }

type Rpc = WalletPorts['rpc']

/** Answers a page's EIP-1193 request. Requests that are not about the wallet go to the development chain. */
export async function answerRequest(
  state: WalletState,
  rpc: Rpc,
  { method, params = [] }: WalletRequest,
): Promise<unknown> {
  switch (method) {
    case 'eth_accounts':
      return state.shown()
    case 'eth_chainId':
      return state.chainId()
    case 'net_version':
      return String(Number(await state.chainId()))
    case 'eth_requestAccounts':
      if (!state.kept().connected) await connect(state)
      return state.shown()
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
  await state.approve({ kind: 'sign', title: 'Sign typed data', details: readable(typed) })
  return account.signTypedData(typed)
}

type Terms = { from?: unknown; to?: Hex; data?: Hex; value?: Hex; gas?: Hex }

async function sendTransaction(state: WalletState, rpc: Rpc, params: readonly unknown[]): Promise<Hex> {
  const terms = (params[0] ?? {}) as Terms
  const account = state.signer(terms.from)
  if (state.kept().elsewhere !== null) throw new ProviderError(4901, 'The wallet is on another chain')
  await state.approve({ kind: 'transaction', details: readable(terms) })
  return signAndSend(account, rpc, terms)
}

function signAndSend(account: HDAccount, rpc: Rpc, { to, data, value, gas }: Terms): Promise<Hex> {
  const transport = custom({ request: ({ method, params }: WalletRequest) => rpc(method, params ?? []) })
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
  if (![await state.homeChain(), MAIN_NET, ...state.kept().added].includes(target)) {
    throw new ProviderError(4902, `Unrecognized chain ID ${target}`)
  }
  if (Number(await state.chainId()) === target) return null
  await state.approve({ kind: 'network', details: `Switch to chain ${target}` })
  await state.goTo(target)
  return null
}

async function addChain(state: WalletState, params: readonly unknown[]): Promise<null> {
  const target = chainIdIn(params)
  await state.approve({ kind: 'network', details: readable(params[0]) })
  state.keep({ added: [...new Set([...state.kept().added, target])] })
  await state.goTo(target)
  return null
}

const readable = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part), 2)
