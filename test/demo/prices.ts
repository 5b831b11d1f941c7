import { Random } from '../sim/random.ts'
import type { Size } from './lives.ts'

/** What one coin costs on a day, in USDT. */
export type DayPrices = { readonly btc: string; readonly btn: string }

/**
 * Around these levels the prices move. Level 1 costs 100 USDT and brings 12,000 BTN: at 0.005 USDT they are worth 60, less
 * than what was paid for them.
 */
const LEVELS = { btc: 66_000, btn: 0.005 }
/** At most so much a day, up or down; and each day a price comes back by a part of its distance from its level. */
const MOVES = { btc: 0.018, btn: 0.025 }
const RETURNS = 0.06

/** The prices of each day from the first to the last, drawn from the seed. */
export function pricesOf({ seed, days }: Size): DayPrices[] {
  const random = new Random(seed, 'prices')
  const next = (price: number, coin: keyof typeof LEVELS): number => {
    const move = (random.next() * 2 - 1) * MOVES[coin]
    return price * (1 + move) + (LEVELS[coin] - price) * RETURNS
  }
  const prices: DayPrices[] = []
  let { btc, btn } = LEVELS
  for (let day = 0; day <= days; day += 1) {
    prices.push({ btc: btc.toFixed(2), btn: btn.toFixed(6) })
    btc = next(btc, 'btc')
    btn = next(btn, 'btn')
  }
  return prices
}
