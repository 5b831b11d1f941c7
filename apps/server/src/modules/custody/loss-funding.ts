import { type Asset, least } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { amountOf, readSystemBalances, type Transaction } from '../ledger/index.ts'
import type { Movement, PoolAddress } from './interpret-logs.ts'
import { chainLogKey, chainLogTerms } from './movement-transaction.ts'

type DepositMovement = Extract<Movement, { readonly kind: 'deposit' }>

type PostedRun = { readonly movements: readonly Movement[]; readonly poolAddresses: readonly PoolAddress[] }

/**
 * While something is missing in an asset, a plain transfer of a funder to the vault replaces it. If the transfer is more
 * than is missing, the rest waits in the suspense of the funder's address, and operators can return it. Returns the
 * transaction of such a transfer, and null for every other movement.
 */
export async function prepareLossFunding(
  trx: Database,
  chainId: number,
  { movements, poolAddresses }: PostedRun,
  isMember: (address: Address) => boolean,
): Promise<(movement: Movement) => Transaction | null> {
  const none = () => null
  // An event of the vault says what the money is for; only a plain transfer has no event.
  const plain = movements.filter(
    (one): one is DepositMovement =>
      one.kind === 'deposit' && one.into === 'vault' && one.transferIndex === undefined && !isMember(one.from),
  )
  if (plain.length === 0) return none
  const missing = await readMissing(trx)
  if (plain.every(({ asset }) => missing[asset] <= 0n)) return none
  const funders = await loadFunders(trx, poolAddresses)
  const keyOf = ({ log }: Movement) => chainLogKey(chainId, log.tx, log.logIndex)
  const fromFunders = plain.filter(({ from }) => funders.has(from))
  const posted = await loadPostedKeys(trx, fromFunders.map(keyOf))
  const parts = new Map<Movement, bigint>()
  for (const movement of fromFunders) {
    const { asset, amount } = movement
    const part = least(amount, missing[asset])
    if (part <= 0n || posted.has(keyOf(movement))) continue
    missing[asset] -= part
    parts.set(movement, part)
  }
  return (movement) => {
    const part = parts.get(movement)
    if (part === undefined || movement.kind !== 'deposit') return null
    const { asset, amount, from: address } = movement
    const filled = { ...amountOf(asset, part), from: 'custody:vault', to: 'pool:loss' } as const
    const to = { kind: 'suspense:address', address } as const
    const rest = { ...amountOf(asset, amount - part), from: 'custody:vault', to } as const
    return {
      type: 'lossFunding',
      key: keyOf(movement),
      terms: chainLogTerms(movement),
      moves: amount > part ? [filled, rest] : [filled],
    }
  }
}

/** What is missing, in smallest units. The write-offs of this run are posted before. */
async function readMissing(trx: Database): Promise<Record<Asset, bigint>> {
  const balance = await readSystemBalances(trx)
  const missing = (asset: Asset): bigint => -balance('pool:loss', asset)
  return { USDT: missing('USDT'), BTN: missing('BTN'), BTC: missing('BTC') }
}

async function loadFunders(trx: Database, poolAddresses: readonly PoolAddress[]): Promise<Set<Address>> {
  const { rows } = await sql<{ address: Buffer }>`
    select address from lode.pool_address where role = 'funder'`.execute(trx)
  return new Set([
    ...rows.map(({ address }) => addressFromColumn(address)),
    ...poolAddresses.flatMap(({ role, address }) => (role === 'funder' ? [address] : [])),
  ])
}

async function loadPostedKeys(trx: Database, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from lode.ledger_transaction where member = 0 and key = any (${keys}::text[])`.execute(trx)
  return new Set(rows.map(({ key }) => key))
}
