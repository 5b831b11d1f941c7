import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import { toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { ChainLog } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { amountOf, post } from '../ledger/index.ts'
import type { BalanceDifference } from './balance-check.ts'
import type { BlockRef } from './chain-state.ts'
import type { CustodyPlace, LogProblem, Loss, Movement } from './interpret-logs.ts'

/**
 * Write-offs that two operators decided. The watcher posts exactly the log, or the fall of a balance, that the decision
 * names: the same asset, amount and place. Anything else stays a contradiction.
 */

type LossRow = { asset: Asset; amount: string; place: CustodyPlace; arrived: string }

const toLoss = ({ asset, amount, place, arrived }: LossRow): Loss => ({
  asset,
  amount: BigInt(amount),
  place,
  arrived: BigInt(arrived),
})

const logName = ({ tx, logIndex }: Pick<ChainLog, 'tx' | 'logIndex'>): string => `${tx}:${logIndex}`

/** The write-offs of these logs, by `transaction:index`. */
async function loadWriteOffs(trx: Database, logs: readonly ChainLog[]): Promise<Map<string, Loss>> {
  if (logs.length === 0) return new Map()
  const { rows } = await sql<LossRow & { tx: Buffer; log_index: number }>`
    select tx, log_index, asset, amount, place, arrived from lode.correction
    where kind = 'write-off' and tx = any (${logs.map(({ tx }) => bytesOf(tx))}::bytea[])`.execute(trx)
  return new Map(rows.map((row) => [logName({ tx: toHex(row.tx), logIndex: row.log_index }), toLoss(row)]))
}

/** Whether the vault burned tokens, also if more than was due. */
export const isBurned = (movement: Movement): boolean =>
  movement.kind === 'burn' || (movement.kind === 'writeOff' && movement.isBurn)

/** What a movement out of custody loses if no payout or burn explains it. */
export const lossOfMovement = ({ kind, asset, amount }: Movement): Loss | null =>
  kind === 'payout' || kind === 'burn' ? { asset, amount, place: 'vault', arrived: 0n } : null

const isSameLoss = (one: Loss | null, other: Loss | undefined): boolean =>
  one !== null &&
  other !== undefined &&
  one.asset === other.asset &&
  one.amount === other.amount &&
  one.place === other.place &&
  one.arrived === other.arrived

/**
 * Replaces what was written off by movements of the kind `writeOff`, in chain order. Returns the problems that are left.
 */
export async function applyWriteOffs(
  trx: Database,
  movements: readonly Movement[],
  problems: readonly LogProblem[],
): Promise<{ readonly movements: readonly Movement[]; readonly problems: readonly LogProblem[] }> {
  const suspects = [...movements.filter((movement) => lossOfMovement(movement) !== null), ...problems]
  const writeOffs = await loadWriteOffs(
    trx,
    suspects.map(({ log }) => log),
  )
  if (writeOffs.size === 0) return { movements, problems }
  const asWriteOff = (log: ChainLog, loss: Loss | null, isBurn = false): Movement | null =>
    loss !== null && isSameLoss(loss, writeOffs.get(logName(log))) ? { log, kind: 'writeOff', ...loss, isBurn } : null
  const replaced = movements.map((one): Movement => {
    const writeOff = asWriteOff(one.log, lossOfMovement(one), one.kind === 'burn')
    if (!writeOff) return one
    return one.transferIndex === undefined ? writeOff : { ...writeOff, transferIndex: one.transferIndex }
  })
  const answered = problems.flatMap(({ log, loss }) => asWriteOff(log, loss) ?? [])
  return {
    movements: [...replaced, ...answered].toSorted(
      (one, other) => Number(one.log.blockNumber - other.log.blockNumber) || one.log.logIndex - other.log.logIndex,
    ),
    problems: problems.filter(({ log, loss }) => asWriteOff(log, loss) === null),
  }
}

/**
 * Posts the write-offs of balances that fell without a log. Returns whether it posted any. A decision that was not needed,
 * because custody agreed with the ledger after the block that it names, must not answer a later fall of the same amount.
 * The same if the decision has expired.
 */
export async function postBalanceWriteOffs(
  trx: Database,
  differences: readonly BalanceDifference[],
  { number }: BlockRef,
): Promise<boolean> {
  if (differences.length === 0) return false
  const { rows } = await sql<LossRow & { key: `chain:${string}` }>`
    select key, asset, amount, place, arrived from lode.correction
    where kind = 'write-off' and tx is null and block_number <= ${number} and not lode.has_false_posting(asset)
      and not exists (select from lode.ledger_transaction where member = 0 and key = correction.key)
      and not exists (select from lode.chain_state where checked_number > correction.block_number)
      and exists (select from lode.decision where id = correction.decision_id and expires_at > lode.now())
    order by number`.execute(trx)
  let hasPosted = false
  for (const { place, asset, chain, ledger } of differences) {
    const decided = rows.find(
      (row) => row.place === place && row.asset === asset && BigInt(row.amount) === ledger - chain,
    )
    if (!decided) continue
    const moves = [{ ...amountOf(asset, ledger - chain), from: 'pool:loss', to: `custody:${place}` }] as const
    const [outcome] = await post(trx, [{ type: 'writeOff', key: decided.key, moves }])
    if (outcome?.outcome !== 'posted') throw new Error(`the ledger did not post ${decided.key}: ${outcome?.outcome}`)
    hasPosted = true
  }
  return hasPosted
}
