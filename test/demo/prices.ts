import { Random } from '../sim/random.ts'
import type { DemoSize } from './member-scripts.ts'

/** The prices of the coins on one day, in USDT. */
export type DayPrices = { readonly btc: string; readonly btn: string }

/**
 * The prices move around these levels. Level 1 costs 100 USDT and gives 12,000 BTN, which are worth 60 USDT at 0.005
 * USDT: less than the price.
 */
const LEVELS = { btc: 66_000, btn: 0.005 }
/**
 * The largest change in a day, up or down, and the part of its distance from the level by which a price returns each
 * day.
 */
const MOVES = { btc: 0.018, btn: 0.025 }
const RETURNS = 0.06

/** The prices of each day, drawn from the seed. */
export function pricesOf({ seed, days }: DemoSize): DayPrices[] {
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
