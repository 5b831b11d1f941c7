import { type Hex, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'

/** A question that the sheet shows and the person answers. */
export type Approval =
  | { readonly kind: 'connect' }
  | { readonly kind: 'sign'; readonly title: string; readonly details: string }
  | { readonly kind: 'transaction'; readonly details: string }
  | { readonly kind: 'network'; readonly details: string }

/** What the wallet stores between two visits. */
export type Kept = {
  /** The index of the chosen account in the list. */
  readonly account: number
  readonly connected: boolean
  /** Null while the wallet is on the development chain. */
  readonly elsewhere: number | null
  /** Chains that the page added, besides the development chain and the main net. */
  readonly added: readonly number[]
}

export type WalletPorts = {
  readonly accounts: readonly HDAccount[]
  readonly rpc: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** True if the person approves. */
  readonly approve: (approval: Approval) => Promise<boolean>
  readonly load: () => Partial<Kept>
  readonly save: (kept: Kept) => void
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

/** The wallet's account, network and connection, and the events that tell a page about their changes. */
export function createState(ports: WalletPorts) {
  const listeners = new Map<string, Set<Listener>>()
  // Not the first account, which is already the pool's first member and cannot register.
  let kept: Kept = { account: 1, connected: false, elsewhere: null, added: [], ...ports.load() }
  let isAsking = false

  const emit = (event: string, payload: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(payload)
  }
  const keep = (change: Partial<Kept>): void => {
    kept = { ...kept, ...change }
    ports.save(kept)
  }
  const current = (): HDAccount => {
    const account = ports.accounts[kept.account] ?? ports.accounts[0]
    if (!account) throw new Error('The development wallet has no accounts')
    return account
  }
  /** The accounts that the page may see. */
  const shown = (): string[] => (kept.connected ? [current().address.toLowerCase()] : [])
  const homeChain = async (): Promise<number> => Number(await ports.rpc('eth_chainId', []))

  return {
    kept: (): Kept => kept,
    keep,
    shown,
    homeChain,
    chainId: async (): Promise<Hex> => toHex(kept.elsewhere ?? (await homeChain())),

    /** Asks the person. One question at a time, as in real wallets. */
    async approve(approval: Approval): Promise<void> {
      if (isAsking) throw new ProviderError(-32002, 'A request is already open in the development wallet')
      isAsking = true
      try {
        if (!(await ports.approve(approval))) throw new ProviderError(4001, 'User rejected the request.')
      } finally {
        isAsking = false
      }
    },

    /** The account with this address, if the page may see it. */
    signer(address: unknown): HDAccount {
      const account = current()
      if (!kept.connected || String(address).toLowerCase() !== account.address.toLowerCase()) {
        throw new ProviderError(4100, 'This account is not shown to this page')
      }
      return account
    },

    setConnected(connected: boolean): void {
      keep({ connected })
      emit('accountsChanged', shown())
    },

    chooseAccount(place: number): void {
      if (place === kept.account) return
      keep({ account: place })
      if (kept.connected) emit('accountsChanged', shown())
    },

    async goTo(target: number): Promise<void> {
      const home = await homeChain()
      const before = kept.elsewhere ?? home
      keep({ elsewhere: target === home ? null : target })
      if (before !== target) emit('chainChanged', toHex(target))
    },

    on(event: string, listener: Listener): void {
      const heard = listeners.get(event) ?? new Set()
      listeners.set(event, heard.add(listener))
    },
    removeListener(event: string, listener: Listener): void {
      listeners.get(event)?.delete(listener)
    },
  }
}
