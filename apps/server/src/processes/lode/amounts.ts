import { type Asset, assets, parseAmount, type Units } from '@lode/kernel'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'

export function assetOrRefuse(text: string): Asset {
  const asset = assets.find((one) => one === text.toUpperCase())
  if (!asset) throw new ExpectedFailure(`${text} is not an asset. Use one of: ${assets.join(', ')}.`)
  return asset
}

export function amountOrRefuse<A extends Asset>({ tokens }: PoolContracts, asset: A, text: string): Units<A> {
  const amount = parseAmount(asset, tokens[asset].decimals, text)
  if (!amount.ok || amount.value === 0n)
    throw new ExpectedFailure(
      `${text} is not an amount of ${asset}. Use digits, with at most ${tokens[asset].decimals} decimals.`,
    )
  return amount.value
}
