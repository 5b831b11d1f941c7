import { type Asset, assets } from '@lode/kernel'
import { incomePeriods, receivedTypes } from '@lode/wire'
import { parseUnits } from 'viem'
import { expect } from 'vitest'
import { mapConcurrently } from './call-route.ts'
import { Member } from './member.ts'
import { type DemoSize, drawMemberScripts } from './member-scripts.ts'

const MEMBERS = 200
const CONCURRENCY = 4
/** More decimals than any asset has. */
const DECIMALS = 18
const DAY_MS = 86_400_000

const unitsOf = (amount: string): bigint => parseUnits(amount, DECIMALS)
const isReceived = (type: string): boolean => receivedTypes.some((received) => received === type)

/**
 * For members from all ages of the demo, 200 if it has so many: each total of what they earned on Home and on the page of
 * their income is the sum of their log lines, and what they earned in all is what the statement calls received. Returns
 * how many earned something.
 */
export async function checkIncome(origin: string, size: DemoSize): Promise<number> {
  const scripts = drawMemberScripts(size)
  const step = Math.max(1, Math.floor(scripts.length / MEMBERS))
  const chosen = scripts.filter((_, place) => place % step === 0).slice(0, MEMBERS)
  const earned = await mapConcurrently(chosen, CONCURRENCY, async (script) => {
    const member = new Member(origin, size.seed, script)
    await member.signIn({ exit: script.role === 'disabled' })
    return checkMember(member)
  })
  return earned.filter(Boolean).length
}

async function checkMember(member: Member): Promise<boolean> {
  const [home, statement] = await Promise.all([member.call('account/home', {}), member.call('wallet/statement', {})])
  const incomes = await Promise.all(incomePeriods.map((period) => member.call('account/income', { period })))
  const today = Math.floor(Date.parse(home.at) / DAY_MS)
  let hasEarned = false
  for (const symbol of assets) {
    const lines = await readReceivedLines(member, symbol)
    const sumSince = (days: number): bigint =>
      lines.filter(({ day }) => day > today - days).reduce((sum, { amount }) => sum + amount, 0n)
    const all = sumSince(Number.POSITIVE_INFINITY)
    const shown = home.earned.items.find((item) => item.symbol === symbol)
    expect(
      shown && {
        today: unitsOf(shown.today),
        yesterday: unitsOf(shown.yesterday),
        month: unitsOf(shown.month),
        all: unitsOf(shown.all),
      },
      `${member.wallet.address} ${symbol}`,
    ).toEqual({ today: sumSince(1), yesterday: sumSince(2) - sumSince(1), month: sumSince(30), all })
    const received = statement.accounts.find((account) => account.symbol === symbol)?.received.amount
    expect(unitsOf(received ?? '0'), `${member.wallet.address} ${symbol} in the statement`).toBe(all)
    for (const { period, from, to, symbols, sources, bars } of incomes) {
      const expected = lines.filter(({ day }) => from <= day && day <= to).reduce((sum, { amount }) => sum + amount, 0n)
      const sumOf = (sums: readonly { symbol: Asset; amount: string }[]): bigint =>
        sums.filter((one) => one.symbol === symbol).reduce((sum, { amount }) => sum + unitsOf(amount), 0n)
      expect(
        [sumOf(symbols), sumOf(sources), sumOf(bars.flatMap((bar) => bar.symbols))],
        `${member.wallet.address} ${symbol}, income of ${period} by symbol, source and bar`,
      ).toEqual([expected, expected, expected])
      if (period === 'all') expect(expected).toBe(all)
    }
    hasEarned ||= all > 0n
  }
  return hasEarned
}

type ReceivedLine = { readonly day: number; readonly amount: bigint }

/** All log lines of an asset by which the pool paid something to the member. */
async function readReceivedLines(member: Member, symbol: Asset): Promise<ReceivedLine[]> {
  const received: ReceivedLine[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { symbol, limit: '100', ...(cursor === undefined ? {} : { cursor }) }
    const { lines, next } = await member.call('wallet/log', page)
    for (const { type, direction, at, amount } of lines)
      if (direction === 'in' && isReceived(type))
        received.push({ day: Math.floor(Date.parse(at) / DAY_MS), amount: unitsOf(amount) })
    cursor = next
  }
  return received
}
