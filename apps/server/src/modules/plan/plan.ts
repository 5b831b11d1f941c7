import { readFileSync } from 'node:fs'
import { type Asset, assets, mulDivFloor, parseAmount, type Units, units } from '@lode/kernel'
import * as z from 'zod'
import type { Decimals } from '../../platform/config/pool-contracts.ts'

/**
 * What a transfer out may be and costs, by version: a transfer keeps the version that it was asked for under. The versions come
 * from a file, and the highest is in force. A pool without one has no plan, and lets nothing be ordered.
 */
export type Plans = {
  readonly inForce: Plan | null
  byVersion(version: number): Plan | undefined
}

export type Plan = {
  readonly version: number
  readonly transfer: { readonly [A in Asset]: TransferTerms<A> }
  /** By level, the lowest first: what may be transferred out in any 24 hours. Whoever is above the last has the last. */
  readonly quotas: readonly [Quota, ...Quota[]]
  /** The part of a fee in BTN that is burned. */
  readonly burnBasisPoints: number
}

type TransferTerms<A extends Asset> = {
  readonly min: Units<A>
  readonly max: Units<A>
  readonly fee: Units<A>
  /** Above it the operators look at a transfer; above the second two of them must decide. */
  readonly reviewAbove: Units<A>
  readonly decisionAbove: Units<A>
}

type Quota = { readonly [A in Asset]: Units<A> }
export const quotaAt = ({ quotas }: Plan, level: number): Quota => quotas[level] ?? quotas.at(-1) ?? quotas[0]

/** What of a transfer's fee is burned. Nothing but the pool's own token can be. */
export const burnedOf = <A extends Asset>({ transfer, burnBasisPoints }: Plan, asset: A): Units<A> =>
  asset === 'BTN' ? mulDivFloor(transfer[asset].fee, BigInt(burnBasisPoints), 10_000n) : units(asset, 0n)

/** Throws, with every objection in words, where the file cannot be what somebody meant. */
export function readPlans(path: string | null, decimals: Decimals): Plans {
  if (path === null) return { inForce: null, byVersion: () => undefined }
  const parsed = fileOf(decimals).safeParse(contentOf(path))
  if (!parsed.success) {
    const objections = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`the plan in ${path} cannot be used:\n${objections.join('\n')}`)
  }
  const { versions } = parsed.data
  const byVersion = new Map(versions.map((plan) => [plan.version, plan]))
  const highest = byVersion.get(Math.max(...byVersion.keys()))
  return { inForce: highest ?? null, byVersion: (version) => byVersion.get(version) }
}

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`the plan in ${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function fileOf(decimals: Decimals) {
  const amountOf = <A extends Asset>(asset: A) =>
    z.string().transform((text, context): Units<A> => {
      const amount = parseAmount(asset, decimals[asset], text)
      if (amount.ok) return amount.value
      context.addIssue(`"${text}" is no amount of ${asset}, which has ${decimals[asset]} decimals (${amount.error})`)
      return z.NEVER
    })
  const termsOf = <A extends Asset>(asset: A) => {
    const amount = amountOf(asset)
    return z
      .strictObject({ min: amount, max: amount, fee: amount, reviewAbove: amount, decisionAbove: amount })
      .superRefine(({ min, max, reviewAbove, decisionAbove }, context) => {
        if (min === 0n) context.addIssue('min must be above zero')
        if (min > max) context.addIssue('min must not be above max')
        if (reviewAbove > decisionAbove) context.addIssue('reviewAbove must not be above decisionAbove')
      })
  }
  const quota = z.strictObject({ USDT: amountOf('USDT'), BTN: amountOf('BTN'), BTC: amountOf('BTC') })
  const version = z.strictObject({
    version: z.int().min(1),
    transfer: z.strictObject({ USDT: termsOf('USDT'), BTN: termsOf('BTN'), BTC: termsOf('BTC') }),
    quotas: z.tuple([quota], quota).superRefine((quotas, context) => {
      for (const [level, lower] of quotas.entries())
        for (const asset of assets)
          if ((quotas[level + 1]?.[asset] ?? lower[asset]) < lower[asset])
            context.addIssue(`level ${level + 1} must not have less ${asset} than level ${level}`)
    }),
    burnBasisPoints: z.int().min(0).max(10_000),
  })
  return z.strictObject({
    versions: z
      .array(version)
      .min(1)
      .refine((all) => new Set(all.map((plan) => plan.version)).size === all.length, 'a version stands there twice'),
  })
}
