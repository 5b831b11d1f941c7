import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { devAggregatorAbi, devUsdtAbi } from '@lode/contracts/dev'
import { developmentKeys } from '@lode/contracts/dev/deploy'
import type { Asset } from '@lode/kernel'
import type { DeployedContracts } from '@lode/scripts/server'
import type { DataOf } from '@lode/wire'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  maxUint256,
  parseEther,
  parseUnits,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DayPrices } from './prices.ts'

export type Quote = NonNullable<DataOf<'promotion/order'>['quote'] | DataOf<'pledge/order'>['quote']>

const GAS = 250_000n
const FEE_PER_GAS = 100_000_000_000n
/** Decimals of the development chain's price feeds. */
const FEED_DECIMALS = 8
/** `finalized` is two blocks behind `latest`. */
const BLOCKS_TO_FINALITY = 2

/** The development chain. Transactions wait until `goOn()` and are mined in the order in which they were sent. */
export class Chain {
  readonly #rpcUrl: string
  readonly #chainId: number
  readonly #contracts: DeployedContracts
  readonly #nonces = new Map<Address, number>()
  readonly #unlimited: ReadonlySet<Address>
  readonly #approvedUnlimited = new Set<string>()
  readonly #funder = privateKeyToAccount(developmentKeys().funder)
  /** On the development chain anybody may mint USDT. */
  readonly #giver = privateKeyToAccount(developmentKeys().administrator)

  /** Every payment has an exact approval. Accounts in `unlimited` approve once without a limit. */
  constructor(rpcUrl: string, chainId: number, contracts: DeployedContracts, unlimited: readonly Address[]) {
    this.#rpcUrl = rpcUrl
    this.#chainId = chainId
    this.#contracts = contracts
    this.#unlimited = new Set(unlimited)
  }

  /** From now on blocks come only on request, with the time that was set. */
  async stopMining(): Promise<void> {
    await this.request('evm_setAutomine', [false])
  }

  async mineEvery(seconds: number): Promise<void> {
    await this.request('evm_setIntervalMining', [seconds])
  }

  async setTime(at: Date): Promise<void> {
    await this.request('evm_setTime', [Math.floor(at.getTime() / 1_000)])
  }

  /** Makes everything that was sent final. Returns the number of the last final block. */
  async mineUntilFinal(): Promise<number> {
    do await this.request('anvil_mine', ['0x1'])
    while (await this.#hasWaiting())
    await this.request('anvil_mine', [toHex(BLOCKS_TO_FINALITY)])
    const final = (await this.request('eth_getBlockByNumber', ['finalized', false])) as { number: Hex }
    return Number(final.number)
  }

  /** Mints USDT for a member outside the development wallet. */
  async giveUsdt(to: Address, amount: bigint): Promise<void> {
    await this.giveEther(to)
    const data = encodeFunctionData({ abi: devUsdtAbi, functionName: 'mint', args: [to, amount] })
    await this.#send(this.#giver, this.#contracts.usdt, data)
  }

  /** BTN that the buyer gets from the market. New BTN cannot be made. */
  async sellBtn(market: LocalAccount, to: Address, amount: bigint): Promise<void> {
    await this.giveEther(to)
    const data = encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args: [to, amount] })
    await this.#send(market, this.#contracts.btn, data)
  }

  /** Ether for the network's fees. */
  async giveEther(to: Address): Promise<void> {
    await this.request('anvil_setBalance', [to, toHex(parseEther('10'))])
  }

  /** Sets the price feeds, with the time of their block. */
  async setPrices({ btc, btn }: DayPrices): Promise<void> {
    const { btcPriceFeed, btnPriceFeed } = this.#contracts
    for (const [feed, price] of [[btcPriceFeed, btc] as const, [btnPriceFeed, btn] as const]) {
      const args = [parseUnits(price, FEED_DECIMALS)] as const
      const data = encodeFunctionData({ abi: devAggregatorAbi, functionName: 'setAnswer', args })
      await this.#send(this.#giver, feed, data)
    }
  }

  async deposit(from: LocalAccount, asset: Asset, amount: bigint): Promise<void> {
    await this.#approve(from, asset, amount)
    const args = [this.#tokenOf(asset), amount] as const
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'deposit', args })
    await this.#send(from, this.#contracts.vault, data)
  }

  async pay(from: LocalAccount, asset: Asset, { signature, ...quote }: Quote): Promise<void> {
    await this.#approve(from, asset, BigInt(quote.amount))
    const terms = {
      orderId: quote.orderId as Hex,
      payer: quote.payer as Address,
      token: quote.token as Address,
      amount: BigInt(quote.amount),
      deadline: BigInt(quote.deadline),
    }
    const args = [terms, signature as Hex] as const
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pay', args })
    await this.#send(from, this.#contracts.vault, data)
  }

  async fundDividend(day: number, amount: bigint, txid: Hex): Promise<void> {
    await this.#approve(this.#funder, 'BTC', amount)
    const args = [day, amount, { txid, index: 0 }] as const
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args })
    await this.#send(this.#funder, this.#contracts.vault, data)
  }

  async #approve(from: LocalAccount, asset: Asset, amount: bigint): Promise<void> {
    const isUnlimited = this.#unlimited.has(from.address)
    const what = `${from.address} ${asset}`
    if (this.#approvedUnlimited.has(what)) return
    if (isUnlimited) this.#approvedUnlimited.add(what)
    const args = [this.#contracts.vault, isUnlimited ? maxUint256 : amount] as const
    const data = encodeFunctionData({ abi: btnTokenAbi, functionName: 'approve', args })
    await this.#send(from, this.#tokenOf(asset), data)
  }

  #tokenOf(asset: Asset): Address {
    const { usdt, btn, btc } = this.#contracts
    return { USDT: usdt, BTN: btn, BTC: btc }[asset]
  }

  async #send(from: LocalAccount, to: Address, data: Hex): Promise<void> {
    const known = this.#nonces.get(from.address)
    const nonce = known ?? Number(await this.request('eth_getTransactionCount', [from.address, 'pending']))
    this.#nonces.set(from.address, nonce + 1)
    const raw = await from.signTransaction({
      chainId: this.#chainId,
      nonce,
      to,
      data,
      gas: GAS,
      type: 'eip1559',
      maxFeePerGas: FEE_PER_GAS,
      maxPriorityFeePerGas: 1n,
    })
    await this.request('eth_sendRawTransaction', [raw])
  }

  async #hasWaiting(): Promise<boolean> {
    const last = (await this.request('eth_getBlockReceipts', ['latest'])) as { status: Hex; transactionHash: Hex }[]
    const reverted = last.find(({ status }) => status !== '0x1')
    if (reverted) throw new Error(`${reverted.transactionHash} reverted`)
    const { pending } = (await this.request('txpool_status')) as { pending: Hex }
    return BigInt(pending) > 0n
  }

  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const response = await fetch(this.#rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
}
