import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext } from '@playwright/test'
import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  type TypedDataDefinition,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { injectWallets, type WalletAnswer, type WalletInjection } from './injected-wallets.ts'

export type WalletRequest = { readonly method: string; readonly params: readonly unknown[] }

/** The wallet's address and the key that signs for it: the same for a plain account, the owner's key for a contract. */
export type WalletAccount = { readonly address: Address; readonly key: LocalAccount }

/**
 * Misbehavior of a wallet. It can wait until the test lets it continue. It can also claim that it sent a transaction
 * and hold it back until the test releases it, send one and report an error, or return the hash of a transaction that
 * does not exist.
 */
export type Misbehavior =
  | 'refuses'
  | 'has-one-pending'
  | 'hangs'
  | 'waits'
  | 'does-not-know-the-chain'
  | 'does-not-know-how'
  | 'fails'
  | 'sends-and-fails'
  | 'holds-back'
  | 'lies'

/** A transaction that a wallet has signed, and sent or held back. */
export type SignedTransaction = { readonly hash: Hex; readonly raw: Hex; readonly nonce: number; readonly call: Call }
type Call = { readonly to: Address; readonly data?: Hex; readonly value?: Hex }

type Options = Partial<Omit<WalletInjection, 'id'>> & {
  readonly account?: WalletAccount
  readonly chainId?: number
}

const RPC_ERRORS = {
  refuses: { code: 4001, message: 'User rejected the request.' },
  'has-one-pending': { code: -32002, message: 'Request of this type already pending.' },
  'does-not-know-the-chain': { code: 4902, message: 'Unrecognized chain ID.' },
  'does-not-know-how': { code: 4200, message: 'Unsupported method.' },
  fails: { code: -32603, message: 'Internal error' },
} as const

/** Enough for every call here. A fixed limit lets a failing call be sent too, which a node's estimate would refuse. */
const GAS = 500_000n

/** A new plain account with its own key. */
export function newAccount(): WalletAccount {
  const key = privateKeyToAccount(generatePrivateKey())
  return { address: key.address, key }
}

/**
 * A wallet in the page, with a real key on the run's chain. It records every request, shows its account only after it
 * was connected, and misbehaves as the test tells it.
 */
export class MemberWallet {
  readonly injection: WalletInjection
  readonly requests: WalletRequest[] = []
  readonly transactions: SignedTransaction[] = []
  /** How long its node takes for an answer. */
  nodeDelayMs = 0
  /** Lets a waiting wallet continue. */
  stopWaiting: () => void = () => {}
  /** Called before a transaction is signed, while the person still sees it. */
  beforeSending: () => Promise<void> = async () => {}
  chainId: number
  /** Chains that it can switch to without adding them first. */
  readonly knownChains: Set<number>
  connected = false
  #account: WalletAccount
  #rpcUrl: string
  readonly #chainOfNode: number
  readonly #misbehaviors = new Map<string, { what: Misbehavior; times: number; after: number }>()
  #context: BrowserContext | undefined

  constructor(chain: { rpcUrl: string; chainId: number }, options: Options = {}) {
    const { brand = 'generic', announced = true, injected = true, afterMs = 0 } = options
    this.injection = { id: `${brand}-${Math.random().toString(36).slice(2)}`, brand, announced, injected, afterMs }
    this.#account = options.account ?? newAccount()
    this.chainId = options.chainId ?? chain.chainId
    this.knownChains = new Set([chain.chainId, this.chainId])
    this.#rpcUrl = chain.rpcUrl
    this.#chainOfNode = chain.chainId
  }

  /** The id under which the app remembers the wallet. */
  get rdns(): string {
    return {
      onekey: 'so.onekey.app.wallet',
      trust: 'com.trustwallet.app',
      bitkeep: 'com.bitget.web3',
      generic: 'org.example.plain',
    }[this.injection.brand]
  }

  get address(): Address {
    return this.#account.address
  }

  get account(): WalletAccount {
    return this.#account
  }

  /** Only the requests that opened the wallet for the person. */
  get prompts(): string[] {
    const opens = /^(eth_requestAccounts|eth_send|eth_sign|personal_|wallet_)/
    return this.requests.map(({ method }) => method).filter((method) => opens.test(method))
  }

  countRequests(method: string): number {
    return this.requests.filter((request) => request.method === method).length
  }

  /** Sets a misbehavior for a method: from now on or this many times, and at once or after this many good answers. */
  setMisbehavior(what: Misbehavior, method: string, times = Number.POSITIVE_INFINITY, after = 0): void {
    this.#misbehaviors.set(method, { what, times, after })
  }

  /** The wallet's node rejects every read that a payment needs. */
  failNodeReads(): void {
    for (const read of ['eth_call', 'eth_getBalance', 'eth_getCode', 'eth_getBlockByNumber'])
      this.setMisbehavior('fails', read)
  }

  clearMisbehaviors(): void {
    this.#misbehaviors.clear()
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

  attachTo(context: BrowserContext): void {
    this.#context = context
  }

  async answer(method: string, params: readonly unknown[]): Promise<WalletAnswer> {
    this.requests.push({ method, params })
    const told = this.#misbehaviors.get(method)
    if (told && told.after > 0) told.after -= 1
    else if (told && told.times > 0) {
      told.times -= 1
      switch (told.what) {
        case 'hangs':
          return new Promise(() => {})
        case 'waits':
          await new Promise<void>((resolve) => {
            this.stopWaiting = resolve
          })
          break
        case 'holds-back':
          return { result: (await this.#sign(params[0] as Call)).hash }
        case 'sends-and-fails':
          await this.broadcast(await this.#sign(params[0] as Call))
          return { error: RPC_ERRORS.fails }
        case 'lies':
          return { result: keccak256(`0x${this.requests.length.toString(16).padStart(8, '0')}`) }
        default:
          return { error: RPC_ERRORS[told.what] }
      }
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
        if (!this.knownChains.has(wanted)) return { error: RPC_ERRORS['does-not-know-the-chain'] }
        await this.switchChain(wanted)
        return { result: null }
      }
      case 'wallet_addEthereumChain':
        this.knownChains.add(Number((params[0] as { chainId: string }).chainId))
        return { result: null }
      case 'personal_sign': {
        const [message, address] = params as [Hex, Address]
        if (address.toLowerCase() !== this.address.toLowerCase()) return { error: RPC_ERRORS.fails }
        return { result: await this.#account.key.signMessage({ message: { raw: message } }) }
      }
      case 'eth_signTypedData_v4': {
        const [address, data] = params as [Address, string]
        if (address.toLowerCase() !== this.address.toLowerCase()) return { error: RPC_ERRORS.fails }
        return { result: await this.#account.key.signTypedData(JSON.parse(data) as TypedDataDefinition) }
      }
      case 'eth_sendTransaction': {
        const sent = await this.#sign(params[0] as Call)
        await this.broadcast(sent)
        return { result: sent.hash }
      }
      default:
        if (this.nodeDelayMs > 0) await sleep(this.nodeDelayMs)
        return this.#askNode(method, params)
    }
  }

  /** The last transaction that it signed. */
  get lastTransaction(): SignedTransaction {
    const lastTransaction = this.transactions.at(-1)
    if (!lastTransaction) throw new Error('The wallet has signed no transaction')
    return lastTransaction
  }

  /** The person approves a request, by default the last one, for whose answer the page no longer waits. */
  async approveAbandonedRequest(
    request = this.requests.findLast(({ method }) => method === 'eth_sendTransaction'),
  ): Promise<Hex> {
    if (!request) throw new Error('The wallet was not asked to send anything')
    const sent = await this.#sign(request.params[0] as Call)
    await this.broadcast(sent)
    return sent.hash
  }

  /** Whether a transaction succeeded; null while it is in no block. */
  async succeeded(hash: Hex): Promise<boolean | null> {
    const answer = await this.#askNode('eth_getTransactionReceipt', [hash])
    const receipt = 'result' in answer ? (answer.result as { status: Hex } | null) : null
    return receipt && receipt.status === '0x1'
  }

  /** Sends a signed transaction that was held back. */
  async broadcast(transaction: SignedTransaction = this.lastTransaction): Promise<void> {
    const sent = await this.#askNode('eth_sendRawTransaction', [transaction.raw])
    if ('error' in sent) throw new Error(sent.error.message)
  }

  /** “Speed up” and “cancel”: another transaction with the same nonce and a higher fee. */
  async replace(transaction: SignedTransaction, how: 'speed-up' | 'cancel'): Promise<SignedTransaction> {
    const call = how === 'cancel' ? { to: this.address } : transaction.call
    const replacement = await this.#sign(call, { nonce: transaction.nonce, feeFactor: 3n })
    await this.broadcast(replacement)
    return replacement
  }

  async #sign(call: Call, again?: { nonce: number; feeFactor: bigint }): Promise<SignedTransaction> {
    await this.beforeSending()
    const chain = createPublicClient({ transport: http(this.#rpcUrl) })
    const nonce =
      again?.nonce ?? (await chain.getTransactionCount({ address: this.#account.key.address, blockTag: 'pending' }))
    const fee = 10n ** 9n * (again?.feeFactor ?? 1n)
    const { to, data, value } = call
    const raw = await this.#account.key.signTransaction({
      type: 'eip1559',
      chainId: this.#chainOfNode,
      nonce,
      gas: GAS,
      to,
      maxFeePerGas: 5n * fee,
      maxPriorityFeePerGas: fee,
      ...(data ? { data } : {}),
      ...(value ? { value: BigInt(value) } : {}),
    })
    const signed = { hash: keccak256(raw), raw, nonce, call }
    this.transactions.push(signed)
    return signed
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
        this.injection.id,
        event,
        payload,
      ] as const),
    )
    await Promise.all(told)
  }
}

/** Puts wallets into every page that this context opens from now on. */
export async function installWallets(context: BrowserContext, wallets: readonly MemberWallet[]): Promise<void> {
  const byId = new Map(wallets.map((wallet) => [wallet.injection.id, wallet]))
  await context.exposeBinding('askWallet', (_source, id: string, method: string, params: readonly unknown[]) => {
    const wallet = byId.get(id)
    if (!wallet) throw new Error(`No wallet ${id}`)
    return wallet.answer(method, params)
  })
  for (const wallet of wallets) wallet.attachTo(context)
  await context.addInitScript(
    injectWallets,
    wallets.map(({ injection }) => injection),
  )
}

const hex = (value: number): Hex => `0x${value.toString(16)}`
