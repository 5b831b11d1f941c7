import { ok, type Result, refused } from './result.ts'

export const assets = ['USDT', 'BTN', 'BTC'] as const
export type Asset = (typeof assets)[number]

declare const assetBrand: unique symbol

/**
 * An amount in the smallest units of one asset. The brand exists only for the compiler: USDT cannot be added to BTC,
 * and a bare bigint becomes an amount only with its asset. Never negative: a debit is a subtraction, not a minus sign.
 */
export type Units<A extends Asset> = bigint & { readonly [assetBrand]: A }

export type AmountError = 'not-canonical' | 'too-precise' | 'too-large'

/** As BTN this is 3.4e20 coins, far above any supply. The product of two amounts still fits SQL's numeric. */
export const MAX_UNITS = 2n ** 128n - 1n

/**
 * The canonical spelling of an amount: no sign, exponent, grouping, leading or trailing zeros; ASCII digits only.
 * Because each amount has one spelling, amounts can be compared, hashed and signed as text.
 */
const CANONICAL_PATTERN = /^(0|[1-9][0-9]{0,38})(?:\.([0-9]{0,37}[1-9]))?$/

export function units<A extends Asset>(_asset: A, value: bigint): Units<A> {
  if (value < 0n || value > MAX_UNITS) throw new RangeError('An amount must be between 0 and MAX_UNITS')
  return value as Units<A>
}

export function parseAmount<A extends Asset>(asset: A, decimals: number, text: string): Result<Units<A>, AmountError> {
  const match = CANONICAL_PATTERN.exec(text)
  if (!match) return refused('not-canonical')
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) return refused('too-precise')
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return value > MAX_UNITS ? refused('too-large') : ok(units(asset, value))
}

export function formatAmount(amount: Units<Asset>, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}

export function add<A extends Asset>(left: Units<A>, right: Units<NoInfer<A>>): Units<A> {
  const sum = left + right
  if (sum > MAX_UNITS) throw new RangeError('An amount must be at most MAX_UNITS')
  return sum as Units<A>
}

/** The smaller of two numbers. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The larger of two numbers. */
export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** The smallest of the numbers that are given, and never less than zero. */
export function minNotNegative(...numbers: readonly (bigint | undefined)[]): bigint {
  const given = numbers.filter((number) => number !== undefined)
  return given.length === 0 ? 0n : larger(0n, given.reduce(least))
}

/** The caller must compare first. A negative difference is a bug, not a refusal. */
export function subtract<A extends Asset>(left: Units<A>, right: Units<NoInfer<A>>): Units<A> {
  if (right > left) throw new RangeError('The difference of two amounts must not be negative')
  return (left - right) as Units<A>
}

/** amount × numerator ÷ denominator, rounded down, so that the shares together never exceed the amount. */
export function mulDivFloor<A extends Asset>(amount: Units<A>, numerator: bigint, denominator: bigint): Units<A> {
  if (numerator < 0n || denominator <= 0n)
    throw new RangeError('The numerator must not be negative, and the denominator must be positive')
  const share = (amount * numerator) / denominator
  if (share > MAX_UNITS) throw new RangeError('An amount must be at most MAX_UNITS')
  return share as Units<A>
}

export function compare<A extends Asset>(left: Units<A>, right: Units<NoInfer<A>>): -1 | 0 | 1 {
  if (left < right) return -1
  return left > right ? 1 : 0
}
