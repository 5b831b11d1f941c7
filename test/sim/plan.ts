import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset } from '@lode/kernel'
import { parseUnits } from 'viem'

/** What the pool under test goes by: sizes so near to each other that a run gets to all of them. */
export const planFile = join(import.meta.dirname, 'plan.json')

type Terms = Readonly<Record<'min' | 'max' | 'fee' | 'reviewAbove' | 'decisionAbove', bigint>>
type File = {
  readonly transfer: Readonly<Record<Asset, Readonly<Record<keyof Terms, string>>>>
  readonly levels: readonly { readonly quotas: Readonly<Record<Asset, string>> }[]
}

export const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 } as const

const written = JSON.parse(readFileSync(planFile, 'utf8')) as File
const perAsset = <T>(make: (asset: Asset) => T): Readonly<Record<Asset, T>> => ({
  ...{ USDT: make('USDT'), BTN: make('BTN'), BTC: make('BTC') },
})

export const plan = {
  version: 1,
  transfer: perAsset((asset): Terms => {
    const amount = (name: keyof Terms) => parseUnits(written.transfer[asset][name], DECIMALS[asset])
    return {
      ...{ min: amount('min'), max: amount('max'), fee: amount('fee') },
      ...{ reviewAbove: amount('reviewAbove'), decisionAbove: amount('decisionAbove') },
    }
  }),
  /** Of a member who was never promoted. */
  quota: perAsset((asset) => parseUnits(written.levels[0]?.quotas[asset] ?? '0', DECIMALS[asset])),
}
