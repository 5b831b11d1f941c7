import { type Asset, assets } from '@lode/kernel'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { formatNumber } from './amounts.ts'

/**
 * The reason of a stop, with its amounts in whole coins. The stored text has smallest units, and decisions name it by
 * its hash, so it cannot be stored in another form.
 */
export function describeStopReason(reason: string, contracts: PoolContracts): string {
  const symbols = assets.join('|')
  const coins = (asset: string, amount: string): string => formatNumber(contracts, asset as Asset, BigInt(amount))
  return reason
    .replaceAll(
      new RegExp(`\\b(\\d+) (${symbols})\\b(, but the ledger with the logs of .*? says )(\\d+)`, 'g'),
      (_all, held: string, asset: string, words: string, ledger: string) =>
        `${coins(asset, held)}\u00a0${asset}${words}${coins(asset, ledger)}\u00a0${asset}`,
    )
    .replaceAll(
      new RegExp(`\\bof (\\d+) (${symbols})( sent to .*? )(\\d+) arrived`, 'g'),
      (_all, sent: string, asset: string, words: string, arrived: string) =>
        `of ${coins(asset, sent)}\u00a0${asset}${words}${coins(asset, arrived)}\u00a0${asset} arrived`,
    )
    .replaceAll(
      new RegExp(`\\b(\\d+) (${symbols})\\b`, 'g'),
      (_all, amount: string, asset: string) => `${coins(asset, amount)} ${asset}`,
    )
    .replaceAll('\u00a0', ' ')
}
