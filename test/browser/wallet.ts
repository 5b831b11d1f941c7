import type { BrowserContext } from '@playwright/test'
import { type Address, createWalletClient, defineChain, type Hex, http, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { injectWallets, type WalletAnswer, type WalletLook } from './injected-wallets.ts'

export type WalletRequest = { readonly method: string; readonly params: readonly unknown[] }

/** Who the wallet shows, and what signs for it: the same for a plain account, the owner's key for a contract. */
export type WalletAccount = { readonly address: Address; readonly key: LocalAccount }

/** What a wallet does instead of what it is asked for. */
export type Misbehaviour = 'refuses' | 'has-one-pending' | 'hangs' | 'does-not-know-the-chain' | 'fails'

type Options = Partial<Omit<WalletLook, 'id'>> & {
  readonly account?: WalletAccount
  readonly chainId?: number
}

const CODES = {
  refuses: { code: 4001, message: 'User rejected the request.' },
  'has-one-pending': { code: -32002, message: 'Request of this type already pending.' },
  'does-not-know-the-chain': { code: 4902, message: 'Unrecognized chain ID.' },
  fails: { code: -32603, message: 'Internal error' },
} as const

/** A plain account of its own, for which its own key signs. */
export function newAccount(): WalletAccount {
  const key = privateKeyToAccount(generatePrivateKey())
  return { address: key.address, key }
}

/**
 * A wallet in the page, backed by a real key and the run's own chain. It remembers everything that it was asked, shows its
 * account only after it was connected, and misbehaves as it is told to.
 */
export class MemberWallet {
  readonly look: WalletLook
  readonly requests: WalletRequest[] = []
  chainId: number
  /** Chains that it can switch to without being told of them. */
  readonly knownChains: Set<number>
  connected = false
  #account: WalletAccount
  #rpcUrl: string
  #homeChainId: number
  readonly #misbehaviours = new Map<string, { what: Misbehaviour; times: number }>()
  #context: BrowserContext | undefined

  constructor(chain: { rpcUrl: string; chainId: number }, options: Options = {}) {
    const { brand = 'generic', announced = true, injected = true, afterMs = 0 } = options
    this.look = { id: `${brand}-${Math.random().toString(36).slice(2)}`, brand, announced, injected, afterMs }
    this.#account = options.account ?? newAccount()
    this.chainId = options.chainId ?? chain.chainId
    this.knownChains = new Set([chain.chainId, this.chainId])
    this.#rpcUrl = chain.rpcUrl
    this.#homeChainId = chain.chainId
  }

  get address(): Address {
    return this.#account.address
  }

  get account(): WalletAccount {
    return this.#account
  }

  /** Only what opened the wallet: the questions that a person had to answer. */
  get prompts(): string[] {
    const silent = new Set(['eth_accounts', 'eth_chainId', 'net_version'])
    return this.requests.map(({ method }) => method).filter((method) => !silent.has(method))
  }

  asked(method: string): number {
    return this.requests.filter((request) => request.method === method).length
  }

  /** From now on, or for so many times. */
  will(what: Misbehaviour, method: string, times = Number.POSITIVE_INFINITY): void {
    this.#misbehaviours.set(method, { what, times })
  }

  behaves(): void {
    this.#misbehaviours.clear()
  }

  async switchAccount(account: WalletAccount): Promise<void> {
    this.#account = account
    await this.#tell('accountsChanged', this.connected ? [account.address] : [])
  }

  async switchChain(chainId: number): Promise<void> {
    this.chainId = chainId
    await this.#tell('chainChanged', hex(chainId))
  }

  async disconnect(): Promise<void> {
    this.connected = false
    await this.#tell('accountsChanged', [])
  }

  belongsTo(context: BrowserContext): void {
    this.#context = context
  }

  async answer(method: string, params: readonly unknown[]): Promise<WalletAnswer> {
    this.requests.push({ method, params })
    const told = this.#misbehaviours.get(method)
    if (told && told.times > 0) {
      told.times -= 1
      if (told.what === 'hangs') return new Promise(() => {})
      return { error: CODES[told.what] }
    }
    switch (method) {
      case 'eth_requestAccounts':
        this.connected = true
        return { result: [this.address.toLowerCase()] }
      case 'eth_accounts':
        return { result: this.connected ? [this.address.toLowerCase()] : [] }
      case 'eth_chainId':
        return { result: hex(this.chainId) }
      case 'net_version':
        return { result: String(this.chainId) }
      case 'wallet_requestPermissions':
        this.connected = true
        return { result: [{ parentCapability: 'eth_accounts' }] }
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params[0] as { chainId: string }).chainId)
        if (!this.knownChains.has(wanted)) return { error: CODES['does-not-know-the-chain'] }
        await this.switchChain(wanted)
        return { result: null }
      }
      case 'wallet_addEthereumChain':
        this.knownChains.add(Number((params[0] as { chainId: string }).chainId))
        return { result: null }
      case 'personal_sign': {
        const [message, address] = params as [Hex, Address]
        if (address.toLowerCase() !== this.address.toLowerCase()) return { error: CODES.fails }
        return { result: await this.#account.key.signMessage({ message: { raw: message } }) }
      }
      case 'eth_sendTransaction':
        return { result: await this.#send(params[0] as { to: Address; data?: Hex; value?: Hex }) }
      default:
        return this.#askNode(method, params)
    }
  }

  #send({ to, data, value }: { to: Address; data?: Hex; value?: Hex }): Promise<Hex> {
    const chain = defineChain({
      id: this.#homeChainId,
      name: 'test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [this.#rpcUrl] } },
    })
    const client = createWalletClient({ account: this.#account.key, chain, transport: http() })
    return client.sendTransaction({ to, ...(data ? { data } : {}), ...(value ? { value: BigInt(value) } : {}) })
  }

  async #askNode(method: string, params: readonly unknown[]): Promise<WalletAnswer> {
    const response = await fetch(this.#rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await response.json()) as WalletAnswer
  }

  async #tell(event: string, payload: unknown): Promise<void> {
    const told = (this.#context?.pages() ?? []).map((page) =>
      page.evaluate(([id, name, value]) => window.walletTells(id, name, value), [
        this.look.id,
        event,
        payload,
      ] as const),
    )
    await Promise.all(told)
  }
}

/** Puts wallets into every page that this context opens from now on. */
export async function install(context: BrowserContext, wallets: readonly MemberWallet[]): Promise<void> {
  const byId = new Map(wallets.map((wallet) => [wallet.look.id, wallet]))
  await context.exposeBinding('askWallet', (_source, id: string, method: string, params: readonly unknown[]) => {
    const wallet = byId.get(id)
    if (!wallet) throw new Error(`No wallet ${id}`)
    return wallet.answer(method, params)
  })
  for (const wallet of wallets) wallet.belongsTo(context)
  await context.addInitScript(
    injectWallets,
    wallets.map(({ look }) => look),
  )
}

const hex = (value: number): Hex => `0x${value.toString(16)}`
