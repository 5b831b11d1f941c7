import { type Hex, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'

/** A request that the wallet's panel shows and the person approves or refuses. */
export type Approval =
  | { readonly kind: 'connect' }
  | { readonly kind: 'sign'; readonly title: string; readonly details: string }
  | { readonly kind: 'transaction'; readonly details: string }
  | { readonly kind: 'network'; readonly details: string }

/** What the wallet stores between two visits. */
export type StoredState = {
  /** The index of the chosen account in the list. */
  readonly account: number
  readonly connected: boolean
  /** The id of the wallet's current chain. Null while it is on the development chain. */
  readonly elsewhere: number | null
  /** Chains that the page added, besides the development chain and the main net. */
  readonly added: readonly number[]
}

export type WalletPorts = {
  readonly accounts: readonly HDAccount[]
  readonly rpc: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** True if the person approves. */
  readonly approve: (approval: Approval) => Promise<boolean>
  readonly load: () => Partial<StoredState>
  readonly save: (stored: StoredState) => void
}

export class ProviderError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type Listener = (payload: unknown) => void

export type WalletState = ReturnType<typeof createState>

/** The wallet's account, network and connection. Reports their changes to the page as events. */
export function createState(ports: WalletPorts) {
  const listeners = new Map<string, Set<Listener>>()
  // Not the first account, which is already the pool's first member and cannot register.
  let stored: StoredState = { account: 1, connected: false, elsewhere: null, added: [], ...ports.load() }
  let isAsking = false

  const emit = (event: string, payload: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(payload)
  }
  const update = (change: Partial<StoredState>): void => {
    stored = { ...stored, ...change }
    ports.save(stored)
  }
  const current = (): HDAccount => {
    const account = ports.accounts[stored.account] ?? ports.accounts[0]
    if (!account) throw new Error('The development wallet has no accounts')
    return account
  }
  /** The accounts that the page may see. */
  const visibleAccounts = (): string[] => (stored.connected ? [current().address.toLowerCase()] : [])
  const homeChain = async (): Promise<number> => Number(await ports.rpc('eth_chainId', []))

  return {
    stored: (): StoredState => stored,
    update,
    visibleAccounts,
    homeChain,
    chainId: async (): Promise<Hex> => toHex(stored.elsewhere ?? (await homeChain())),

    /** Asks the person, and throws if the person refuses. One question at a time, as in real wallets. */
    async approve(approval: Approval): Promise<void> {
      if (isAsking) throw new ProviderError(-32002, 'A request is already open in the development wallet')
      isAsking = true
      try {
        if (!(await ports.approve(approval))) throw new ProviderError(4001, 'User rejected the request.')
      } finally {
        isAsking = false
      }
    },

    /** The account with this address. Throws if the page may not see it. */
    signer(address: unknown): HDAccount {
      const account = current()
      if (!stored.connected || String(address).toLowerCase() !== account.address.toLowerCase()) {
        throw new ProviderError(4100, 'This account is not shown to this page')
      }
      return account
    },

    setConnected(connected: boolean): void {
      update({ connected })
      emit('accountsChanged', visibleAccounts())
    },

    chooseAccount(index: number): void {
      if (index === stored.account) return
      update({ account: index })
      if (stored.connected) emit('accountsChanged', visibleAccounts())
    },

    async setChain(target: number): Promise<void> {
      const home = await homeChain()
      const before = stored.elsewhere ?? home
      update({ elsewhere: target === home ? null : target })
      if (before !== target) emit('chainChanged', toHex(target))
    },

    on(event: string, listener: Listener): void {
      const registered = listeners.get(event) ?? new Set()
      listeners.set(event, registered.add(listener))
    },
    removeListener(event: string, listener: Listener): void {
      listeners.get(event)?.delete(listener)
    },
  }
}
