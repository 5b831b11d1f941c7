import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import type { Asset } from '@lode/kernel'
import type { Envelope } from '@lode/wire'
import { createWalletClient, erc20Abi, http, parseUnits } from 'viem'
import { foundry } from 'viem/chains'
import { decimals, giveCoins, makeFinal, tokenOf } from '../../browser/chain.ts'
import { chooseFundPassword, getAs, type Member, registerMember } from '../../browser/member.ts'
import type { BrowserStack } from '../../browser/stack.ts'
import { query } from '../../sim/query.ts'

const FUND_PASSWORD = 'maple47'
const DEPOSITS = { BTN: '400000000', USDT: '500' } as const
/** The smallest pledge, in BTN. */
const QUANTITY = '10001'
/** Of a member without a level, who may take out 100 USDT a day. */
const TRANSFER = '15'
const CREDITED_WITHIN_MS = 60_000
/** How long the app's own request may take before the member presses again. */
const ANSWER_WITHIN_MS = 20_000
const PAUSE_MS = 300
const PRESS_AGAIN_AFTER_MS = 1_000
/** However long the pool is away: after this, a key counts as never answered. */
const ANSWERED_WITHIN_MS = 180_000
const PAID_WITHIN_MS = 120_000

/** What the api answered with 200, in the order of the answers. */
type Acknowledged = { readonly id: string; readonly member: Member; readonly path: string; readonly at: number }

/**
 * Members who pledge from their balance, three times a second, and sometimes take something out, each time with a key of its own.
 * If no answer comes, or the answer is that the pool is unavailable, the member presses again with the same key, as the
 * app does.
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
  #transfersDue = 0
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
      const isTransfer = this.#transfersDue > 0
      if (isTransfer) this.#transfersDue -= 1
      await this.#pressUntilAnswered(member, isTransfer ? transferOf(member) : PLEDGE)
      await sleep(PAUSE_MS)
    }
  }

  async #pressUntilAnswered(member: Member, command: MoneyCommand): Promise<void> {
    const key = randomUUID()
    for (const deadline = Date.now() + ANSWERED_WITHIN_MS; Date.now() < deadline; ) {
      const answer = await this.#press(member, command, key)
      if (answer.kind === 'acknowledged')
        this.acknowledged.push({ id: answer.id, member, path: command.path, at: Date.now() })
      if (answer.kind === 'false') this.falseAnswers.push(answer.text)
      if (answer.kind !== 'unavailable') return
      this.pressedAgain += 1
      await sleep(PRESS_AGAIN_AFTER_MS)
    }
    this.falseAnswers.push(`${command.path}: no answer within ${ANSWERED_WITHIN_MS / 1_000} s`)
  }

  async #press(member: Member, { path, input }: MoneyCommand, key: string): Promise<Answer> {
    let status = 0
    let text = ''
    try {
      const response = await fetch(`${this.#stack.origin}/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${member.token}` },
        body: JSON.stringify({
          account: member.account.address,
          key,
          ...input,
          planVersion: 1,
          password: FUND_PASSWORD,
        }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      status = response.status
      text = await response.text()
    } catch {
      return { kind: 'unavailable' }
    }
    if ([429, 502, 503, 504].includes(status)) return { kind: 'unavailable' }
    const id = status === 200 ? (JSON.parse(text) as Envelope<{ readonly id: string }>).data.id : null
    return id === null ? { kind: 'false', text: `${path}: ${status} ${text}` } : { kind: 'acknowledged', id }
  }

  /** Two of the next commands take money out. A member without a level may take out little, so only a few can. */
  takeOut(): void {
    this.#transfersDue += 2
  }

  /** Waits until every acknowledged transfer is paid and final. */
  async waitUntilPaid(): Promise<void> {
    const transfers = this.acknowledged.filter(({ path }) => path === 'transfer/order').map(({ id }) => id)
    const unpaid = "select id from lode.payout where id = any ($1::uuid[]) and ended is distinct from 'final'"
    for (const deadline = Date.now() + PAID_WITHIN_MS; ; await sleep(500)) {
      const left = await query(this.#stack.ownerUrl, unpaid, [transfers])
      if (left.length === 0) return
      if (Date.now() > deadline) throw new Error(`${left.length} of ${transfers.length} transfers are not paid`)
    }
  }

  /** What the database holds, and what members are shown, against what was acknowledged. */
  async findDifferences(): Promise<string[]> {
    const stored = await readStoredIds(this.#stack.ownerUrl)
    const ids = this.acknowledged.map(({ id }) => id)
    const told = new Set(ids)
    const differences = [
      ...ids.filter((id) => !stored.has(id)).map((id) => `acknowledged and lost: ${id}`),
      ...Array.from(stored)
        .filter((id) => !told.has(id))
        .map((id) => `made twice, or never asked for: ${id}`),
      ...(told.size < ids.length ? [`${ids.length - told.size} keys were answered with the order of another key`] : []),
    ]
    for (const member of this.#members) {
      const pledges = this.acknowledged.filter((one) => one.member === member && one.path === PLEDGE.path).length
      const due = Number(DEPOSITS.BTN) - pledges * Number(QUANTITY)
      const shown = Number(await readBtn(this.#stack, member))
      if (shown !== due) differences.push(`a member is shown ${shown} BTN, and ${pledges} pledges leave ${due}`)
    }
    return differences
  }
}

type Answer =
  | { readonly kind: 'acknowledged'; readonly id: string }
  | { readonly kind: 'unavailable' }
  /** What a member could misread: neither the order nor "unavailable". */
  | { readonly kind: 'false'; readonly text: string }

/** The ids of all orders and transfers. Nobody but the load makes any. */
export async function readStoredIds(ownerUrl: string): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    ownerUrl,
    'select id from lode.pay_order union all select id from lode.payout',
  )
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) throw new Error('An order and a transfer share an id')
  return new Set(rows.map(({ id }) => id))
}

type MoneyCommand = { readonly path: string; readonly input: Readonly<Record<string, string | number>> }

const PLEDGE: MoneyCommand = {
  path: 'pledge/order',
  input: { quantity: QUANTITY, termDays: 360, balancePart: QUANTITY },
}

const transferOf = ({ account }: Member): MoneyCommand => ({
  path: 'transfer/order',
  input: { address: account.address, symbol: 'USDT', amount: TRANSFER },
})

async function readBtn(stack: BrowserStack, member: Member): Promise<string | undefined> {
  const { items } = await getAs(stack, 'wallet/assets', member)
  return items.find(({ symbol }) => symbol === 'BTN')?.balance
}

async function registerWithDeposit(stack: BrowserStack): Promise<Member> {
  const member = await registerMember(stack)
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  await giveCoins(stack, member.account.address, DEPOSITS)
  const { rpcUrl, chainId } = stack.chain
  const account = member.account.key
  const wallet = createWalletClient({ account, chain: { ...foundry, id: chainId }, transport: http(rpcUrl) })
  const { vault } = stack.contracts
  let nonce = 0
  for (const [symbol, amount] of Object.entries(DEPOSITS) as [Asset, string][]) {
    const [address, units] = [tokenOf(stack, symbol), parseUnits(amount, decimals[symbol])]
    await wallet.writeContract({ address, abi: erc20Abi, functionName: 'approve', args: [vault, units], nonce })
    const deposit = { address: vault, abi: poolVaultAbi, functionName: 'deposit', args: [address, units] } as const
    // The gas is not estimated, because the approval is in no block yet.
    await wallet.writeContract({ ...deposit, nonce: nonce + 1, gas: 300_000n })
    nonce += 2
  }
  return member
}
