import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import type { DataOf, Envelope } from '@lode/wire'
import { createWalletClient, erc20Abi, http, parseUnits } from 'viem'
import { foundry } from 'viem/chains'
import { decimals, giveCoins, makeFinal, tokenOf } from '../../browser/chain.ts'
import { chooseFundPassword, getAs, type Member, registerMember } from '../../browser/member.ts'
import type { BrowserStack } from '../../browser/stack.ts'
import { query } from '../../sim/query.ts'

const FUND_PASSWORD = 'maple47'
const DEPOSIT = '400000000'
/** The smallest pledge, in BTN. */
const QUANTITY = '10001'
const CREDITED_WITHIN_MS = 60_000
/** How long the app's own request may take before the member presses again. */
const ANSWER_WITHIN_MS = 20_000
const PRESS_AGAIN_AFTER_MS = 200

/** What the api answered with 200, in the order of the answers. */
type Acknowledged = { readonly id: string; readonly member: Member; readonly at: number }

/**
 * Members who pledge from their balance without pause, each pledge with a key of its own. If no answer comes, or the
 * answer is that the pool is unavailable, the member presses again with the same key, as the app does.
 */
export class MoneyLoad {
  readonly acknowledged: Acknowledged[] = []
  /** Answers that a member could misread: neither the order nor "unavailable". */
  readonly falseAnswers: string[] = []
  /** How often a member was told that the pool is unavailable, or got no answer. */
  pressedAgain = 0
  readonly #stack: BrowserStack
  readonly #members: readonly Member[]
  #running: Promise<unknown> = Promise.resolve()
  #isEnding = false

  private constructor(stack: BrowserStack, members: readonly Member[]) {
    this.#stack = stack
    this.#members = members
  }

  /** Registers members whose deposits the worker has credited. */
  static async prepare(stack: BrowserStack, count: number): Promise<MoneyLoad> {
    const members: Member[] = []
    for (let made = 0; made < count; made += 1) members.push(await registerWithDeposit(stack))
    await makeFinal(stack)
    const deadline = Date.now() + CREDITED_WITHIN_MS
    for (const member of members)
      while (Number((await readBtn(stack, member)) ?? 0) === 0) {
        if (Date.now() > deadline) throw new Error('The worker does not credit the deposits')
        await sleep(200)
      }
    return new MoneyLoad(stack, members)
  }

  start(): void {
    this.#isEnding = false
    this.#running = Promise.all(this.#members.map((member) => this.#pledgeUntilEnd(member)))
  }

  /** Waits until every key has been answered. */
  async stop(): Promise<void> {
    this.#isEnding = true
    await this.#running
  }

  /** The longest time without an answer of 200 after the given moment, in seconds. */
  longestGapSince(moment: number): number {
    const times = this.acknowledged.map(({ at }) => at).filter((at) => at >= moment)
    const gaps = [moment, ...times].map((at, place) => (times[place] ?? at) - at)
    return Math.max(0, ...gaps) / 1_000
  }

  async #pledgeUntilEnd(member: Member): Promise<void> {
    while (!this.#isEnding) {
      const key = randomUUID()
      for (;;) {
        const id = await this.#press(member, key)
        if (id !== null) {
          this.acknowledged.push({ id, member, at: Date.now() })
          break
        }
        this.pressedAgain += 1
        await sleep(PRESS_AGAIN_AFTER_MS)
      }
    }
  }

  async #press(member: Member, key: string): Promise<string | null> {
    const order = { key, planVersion: 1, quantity: QUANTITY, termDays: 360, balancePart: QUANTITY }
    let status = 0
    let text = ''
    try {
      const response = await fetch(`${this.#stack.origin}/api/pledge/order`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${member.token}` },
        body: JSON.stringify({ account: member.account.address, ...order, password: FUND_PASSWORD }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      status = response.status
      text = await response.text()
    } catch {
      return null
    }
    if (status === 503 || status === 502 || status === 504) return null
    if (status === 200) return (JSON.parse(text) as Envelope<DataOf<'pledge/order'>> & { data: { id: string } }).data.id
    this.falseAnswers.push(`${status} ${text}`)
    return null
  }

  /** What the database holds against what was acknowledged. */
  async findDifferences(): Promise<string[]> {
    const differences: string[] = []
    for (const member of this.#members) {
      const rows = await query<{ id: string }>(
        this.#stack.ownerUrl,
        `select pay_order.id from lode.pay_order join lode.member on member.id = member_id
         where account = decode($1, 'hex')`,
        [member.account.address.slice(2)],
      )
      const stored = new Set(rows.map(({ id }) => id))
      const told = new Set(this.acknowledged.filter((one) => one.member === member).map(({ id }) => id))
      for (const id of told) if (!stored.has(id)) differences.push(`acknowledged and lost: ${id}`)
      for (const id of stored) if (!told.has(id)) differences.push(`made twice, or never asked for: ${id}`)
    }
    return differences
  }
}

async function readBtn(stack: BrowserStack, member: Member): Promise<string | undefined> {
  const { items } = await getAs(stack, 'wallet/assets', member)
  return items.find(({ symbol }) => symbol === 'BTN')?.balance
}

async function registerWithDeposit(stack: BrowserStack): Promise<Member> {
  const member = await registerMember(stack)
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  await giveCoins(stack, member.account.address, { BTN: DEPOSIT })
  const { rpcUrl, chainId } = stack.chain
  const account = member.account.key
  const wallet = createWalletClient({ account, chain: { ...foundry, id: chainId }, transport: http(rpcUrl) })
  const [token, units] = [tokenOf(stack, 'BTN'), parseUnits(DEPOSIT, decimals.BTN)]
  const { vault } = stack.contracts
  await wallet.writeContract({ address: token, abi: erc20Abi, functionName: 'approve', args: [vault, units] })
  await wallet.writeContract({ address: vault, abi: poolVaultAbi, functionName: 'deposit', args: [token, units] })
  return member
}
