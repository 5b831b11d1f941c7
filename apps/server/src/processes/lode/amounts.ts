import { type Asset, assets, formatAmount, parseAmount, type Units, units } from '@lode/kernel'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { StartUpRefusal } from '../start-up.ts'

export function assetOrRefuse(text: string): Asset {
  const asset = assets.find((one) => one === text)
  if (!asset) throw new StartUpRefusal(`${text} is no symbol: ${assets.join(', ')}.`)
  return asset
}

export function amountOrRefuse<A extends Asset>({ tokens }: PoolContracts, asset: A, text: string): Units<A> {
  const amount = parseAmount(asset, tokens[asset].decimals, text)
  if (!amount.ok || amount.value === 0n)
    throw new StartUpRefusal(
      `${text} is no amount of ${asset}: digits, and at most ${tokens[asset].decimals} after a point.`,
    )
  return amount.value
}

export const inCoins = ({ tokens }: PoolContracts, asset: Asset, amount: bigint): string =>
  `${formatAmount(units(asset, amount), tokens[asset].decimals)} ${asset}`
