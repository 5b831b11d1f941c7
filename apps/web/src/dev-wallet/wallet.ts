import { createWalletClient, custom, type Hex, hexToString, isHex, type TypedDataDefinition, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'

/** What the sheet shows and the person decides. `account` is the place of the account in the list. */
export type Approval =
  | { readonly kind: 'connect' }
  | { readonly kind: 'sign'; readonly title: string; readonly details: string }
  | { readonly kind: 'transaction'; readonly details: string }
  | { readonly kind: 'network'; readonly details: string }

export type Kept = {
  readonly account: number
  readonly connected: boolean
  /** Null while the wallet is on the development chain. */
  readonly elsewhere: number | null
  /** Chains that were added by the page, beside the development chain and the main net. */
  readonly added: readonly number[]
}

export type WalletPorts = {
  readonly accounts: readonly HDAccount[]
  readonly rpc: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** True where the person approves. */
  readonly approve: (approval: Approval) => Promise<boolean>
  readonly load: () => Partial<Kept>
  readonly save: (kept: Kept) => void
}

export const MAIN_NET = 1

export class ProviderError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Listener = (payload: unknown) => void
type Call = { method: string; params?: readonly unknown[] }

/** A whole wallet of an EIP-1193 kind, with keys that everybody knows, for development. */
export function createDevWallet(ports: WalletPorts) {
  const listeners = new Map<string, Set<Listener>>()
  // Not the first account: that one is the pool's first member already, and has nothing to register.
  let kept: Kept = { account: 1, connected: false, elsewhere: null, added: [], ...ports.load() }
  let open = false

  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload)
  }
  const keep = (change: Partial<Kept>) => {
    kept = { ...kept, ...change }
    ports.save(kept)
  }
  const current = (): HDAccount => {
    const account = ports.accounts[kept.account] ?? ports.accounts[0]
    if (!account) throw new Error('The development wallet has no accounts')
    return account
  }
  const shown = () => (kept.connected ? [current().address.toLowerCase()] : [])
  const homeChain = async () => Number(await ports.rpc('eth_chainId', []))
  const chainId = async () => toHex(kept.elsewhere ?? (await homeChain()))

  /** One question at a time, as real wallets have it. */
  async function approve(approval: Approval): Promise<void> {
    if (open) throw new ProviderError(-32002, 'A request is already open in the development wallet')
    open = true
    try {
      if (!(await ports.approve(approval))) throw new ProviderError(4001, 'User rejected the request.')
    } finally {
      open = false
    }
  }

  function signer(address: unknown): HDAccount {
    const account = current()
    if (!kept.connected || String(address).toLowerCase() !== account.address.toLowerCase()) {
      throw new ProviderError(4100, 'This account is not shown to this page')
    }
    return account
  }

  function chooseAccount(place: number): void {
    if (place === kept.account) return
    keep({ account: place })
    if (kept.connected) emit('accountsChanged', shown())
  }

  async function goTo(target: number): Promise<void> {
    const home = await homeChain()
    const before = kept.elsewhere ?? home
    keep({ elsewhere: target === home ? null : target })
    if (before !== target) emit('chainChanged', toHex(target))
  }

  async function request({ method, params = [] }: Call): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
        return shown()
      case 'eth_chainId':
        return chainId()
      case 'net_version':
        return String(Number(await chainId()))
      case 'eth_requestAccounts':
        if (!kept.connected) {
          await approve({ kind: 'connect' })
          keep({ connected: true })
          emit('accountsChanged', shown())
        }
        return shown()
      case 'wallet_requestPermissions':
        await approve({ kind: 'connect' })
        keep({ connected: true })
        emit('accountsChanged', shown())
        return [{ parentCapability: 'eth_accounts' }]
      case 'wallet_revokePermissions':
        keep({ connected: false })
        emit('accountsChanged', [])
        return null
      case 'personal_sign': {
        const [data, address] = params
        const account = signer(address)
        const raw = isHex(data) ? data : toHex(String(data))
        await approve({ kind: 'sign', title: 'Sign a message', details: hexToString(raw) })
        return account.signMessage({ message: { raw } })
      }
      case 'eth_signTypedData_v4': {
        const [address, data] = params
        const account = signer(address)
        const typed = (typeof data === 'string' ? JSON.parse(data) : data) as TypedDataDefinition
        await approve({ kind: 'sign', title: 'Sign typed data', details: readable(typed) })
        return account.signTypedData(typed)
      }
      case 'eth_sendTransaction': {
        const terms = (params[0] ?? {}) as { from?: unknown; to?: Hex; data?: Hex; value?: Hex; gas?: Hex }
        const account = signer(terms.from)
        if (kept.elsewhere !== null) throw new ProviderError(4901, 'The wallet is on another chain')
        await approve({ kind: 'transaction', details: readable(terms) })
        return send(account, terms)
      }
      case 'wallet_switchEthereumChain': {
        const target = Number((params[0] as { chainId?: unknown } | undefined)?.chainId)
        if (![await homeChain(), MAIN_NET, ...kept.added].includes(target)) {
          throw new ProviderError(4902, `Unrecognized chain ID ${target}`)
        }
        if (Number(await chainId()) === target) return null
        await approve({ kind: 'network', details: `Switch to chain ${target}` })
        await goTo(target)
        return null
      }
      case 'wallet_addEthereumChain': {
        const target = Number((params[0] as { chainId?: unknown } | undefined)?.chainId)
        await approve({ kind: 'network', details: readable(params[0]) })
        keep({ added: [...new Set([...kept.added, target])] })
        await goTo(target)
        return null
      }
      default:
        return ports.rpc(method, params)
    }
  }

  async function send(account: HDAccount, terms: { to?: Hex; data?: Hex; value?: Hex; gas?: Hex }): Promise<unknown> {
    const transport = custom({ request: ({ method, params }: Call) => ports.rpc(method, params ?? []) })
    return createWalletClient({ account, transport }).sendTransaction({
      chain: null,
      ...(terms.to === undefined ? {} : { to: terms.to }),
      ...(terms.data === undefined ? {} : { data: terms.data }),
      ...(terms.value === undefined ? {} : { value: BigInt(terms.value) }),
      ...(terms.gas === undefined ? {} : { gas: BigInt(terms.gas) }),
    })
  }

  return {
    provider: {
      request,
      on: (event: string, listener: Listener) => {
        const heard = listeners.get(event) ?? new Set()
        listeners.set(event, heard.add(listener))
      },
      removeListener: (event: string, listener: Listener) => {
        listeners.get(event)?.delete(listener)
      },
    },
    accounts: ports.accounts,
    state: () => kept,
    chooseAccount,
    goTo,
    homeChain,
    disconnect: () => {
      keep({ connected: false })
      emit('accountsChanged', [])
    },
  }
}

export type DevWallet = ReturnType<typeof createDevWallet>

const readable = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part), 2)
