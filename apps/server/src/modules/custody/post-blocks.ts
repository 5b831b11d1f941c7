import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import { type Block, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { post, type Transaction } from '../ledger/index.ts'
import { type AdministrativeEvent, storeAdministrativeEvents } from '../vault/index.ts'
import { lockAddresses } from './address-lock.ts'
import { AssetMustStop, readAssetStops } from './asset-stop.ts'
import {
  type BalanceDifference,
  type CustodyBalances,
  CustodyDiffers,
  compareCustodyWithLedger,
} from './balance-check.ts'
import { type BlockRef, lockStateAt, markBlockChecked, setHighestPosted, setPostedBlock } from './chain-state.ts'
import type { LogProblem, Loss, Movement, PayoutMovement, PoolAddress, UnpaidPayout } from './interpret-logs.ts'
import { prepareLossFunding } from './loss-funding.ts'
import { buildMovementTransaction, chainLogKey } from './movement-transaction.ts'
import { dividePayments, isPayment, type PaymentPart } from './parts-of-run.ts'
import type { SettledPayments, SettledPayouts, Settlements } from './settlements.ts'
import { applyWriteOffs, isBurned, lossOfMovement, postBalanceWriteOffs } from './write-offs.ts'

/**
 * The chain contradicts the ledger or the configuration, so the watcher must stop. If the error is thrown while blocks
 * are posted, it rolls back the posting transaction, and the watcher stops only if it lasts (see `errorForClaim`).
 */
export class WatcherMustStop extends Error {}

/** A run of final blocks, with everything that the nodes agree on about them. */
export type RunToPost = {
  readonly after: BlockRef
  readonly last: Block
  /** Whether the run begins with the pool's first block. */
  readonly isFirst: boolean
  readonly movements: readonly Movement[]
  readonly notPaid: readonly UnpaidPayout[]
  /** Logs by which money left custody without a payout. */
  readonly problems: readonly LogProblem[]
  readonly poolAddresses: readonly PoolAddress[]
  /** What the administrator, guardians and role holders did in the vault. */
  readonly administrativeEvents: readonly AdministrativeEvent[]
  /** The times of the blocks that have logs. */
  readonly timeOf: (blockNumber: bigint) => Date
  readonly node: string
  /** What the vault and cold storage hold at the last block; null if the nodes no longer have that state. */
  readonly custody: CustodyBalances | null
}

/**
 * `checked`: custody agrees with the ledger, except for `differences`, which are of stopped assets. `unchecked`: they
 * could not be compared. `elsewhere`: nothing was posted, because another worker posted these blocks first, or because
 * of a stop or a rewind in the meantime.
 */
type PostBlocksResult =
  | { readonly outcome: 'checked'; readonly differences: readonly BalanceDifference[] }
  | { readonly outcome: 'unchecked' | 'elsewhere' }

/** Enough for one block with ten thousand logs on a busy machine. Elsewhere a statement may take 5 seconds. */
const POSTING_TIMEOUT = '120s'

type PoolChain = { readonly id: number; readonly contracts: PoolContracts }

/**
 * Posts final blocks: the ledger transaction of every log, and then the new posted block. If the run has many payments,
 * it is posted in several database transactions, so that none holds its locks for long. After a crash in between, the
 * run is read again. What is in the ledger already stays as it is.
 */
export async function postBlocks(
  db: Database,
  chain: PoolChain,
  run: RunToPost,
  settlements: Settlements,
): Promise<PostBlocksResult> {
  const context = { db, chain, settlements }
  const parts = dividePayments(run.movements)
  const [lastPayments] = parts.splice(-1)
  if (lastPayments) {
    if (!(await postAllButPayments(context, run))) return { outcome: 'elsewhere' }
    for (const part of parts) if (!(await postPayments(context, run, part))) return { outcome: 'elsewhere' }
  }
  const result = await postLastPart(context, run, lastPayments)
  faultPoint('worker:after-commit')
  return result
}

type PostingContext = { readonly db: Database; readonly chain: PoolChain; readonly settlements: Settlements }

/** Returns false if nothing was posted, for one of the reasons of the outcome `elsewhere`. */
const postAllButPayments = ({ db, chain, settlements }: PostingContext, run: RunToPost): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const selecting = await beginPosting(trx, run, settlements)
    if (!selecting) return false
    const blocks = await selectPostable(trx, chain.id, run, selecting)
    const movements = blocks.movements.filter((movement) => !isPayment(movement))
    await postMovements(trx, chain.id, { ...blocks, movements }, settlements)
    await storeChainRecords(trx, blocks, selecting.highestPosted)
    await setHighestPosted(trx, run.last.number)
    return true
  })

/** Returns false if nothing was posted, as above. */
const postPayments = (
  { db, chain, settlements }: PostingContext,
  run: RunToPost,
  part: PaymentPart,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const selecting = await beginPosting(trx, run, settlements)
    if (!selecting) return false
    await postPart(trx, chain.id, await selectPostable(trx, chain.id, run, selecting), { part, settlements })
    return true
  })

/** Posts what is left of the run: all of it, or the last payments. Then moves the posted block. */
const postLastPart = (
  { db, chain, settlements }: PostingContext,
  run: RunToPost,
  lastPayments: PaymentPart | undefined,
): Promise<PostBlocksResult> =>
  db.transaction().execute(async (trx) => {
    const selecting = await beginPosting(trx, run, settlements)
    if (!selecting) return { outcome: 'elsewhere' }
    const { stopped, highestPosted } = selecting
    const blocks = await selectPostable(trx, chain.id, run, selecting)
    if (lastPayments) await postPart(trx, chain.id, blocks, { part: lastPayments, settlements })
    else {
      await postMovements(trx, chain.id, blocks, settlements)
      await storeChainRecords(trx, blocks, highestPosted)
    }
    // The rows that showed these blocks as not final are no longer needed.
    await sql`delete from lode.chain_block where number <= ${blocks.last.number}`.execute(trx)
    faultPoint('worker:before-posted-block')
    await setPostedBlock(trx, blocks.last)
    // After a rewind the ledger is ahead of the posted block. They can be compared once the posted block has caught up.
    if (!blocks.custody || blocks.last.number < highestPosted) return { outcome: 'unchecked' }
    return compareCustody(trx, chain.contracts, { ...blocks, custody: blocks.custody }, stopped)
  })

/** Posts these payments. What the run says about payouts was posted with its other movements. */
const postPart = (
  trx: Database,
  chainId: number,
  blocks: RunToPost,
  { part, settlements }: { readonly part: PaymentPart; readonly settlements: Settlements },
): Promise<void> =>
  postMovements(
    trx,
    chainId,
    { ...blocks, movements: blocks.movements.filter((movement) => part.has(movement)), notPaid: [] },
    settlements,
  )

/** Returns null if these blocks must not be posted now: then the outcome is `elsewhere`. */
async function beginPosting(
  trx: Database,
  { after }: RunToPost,
  { payouts }: Settlements,
): Promise<SelectingContext | null> {
  await sql`
    select set_config('statement_timeout', ${POSTING_TIMEOUT}, true),
           set_config('lock_timeout', ${POSTING_TIMEOUT}, true),
           set_config('idle_in_transaction_session_timeout', ${POSTING_TIMEOUT}, true)`.execute(trx)
  const state = await lockStateAt(trx, after)
  if (!state) return null
  const stopped = new Set((await readAssetStops(trx)).keys())
  return { stopped, highestPosted: state.highestPosted, payouts }
}

/**
 * Leaves out the logs of stopped assets: they are read again when the stop ends. A log that two operators wrote off
 * becomes a movement. If another one cannot be explained, its asset must stop.
 */
async function selectPostable(
  trx: Database,
  chainId: number,
  run: RunToPost,
  { stopped, highestPosted, payouts }: SelectingContext,
): Promise<RunToPost> {
  const { movements, problems } = await applyWriteOffs(trx, run.movements, run.problems)
  const problem = problems.find(({ loss }) => loss && !stopped.has(loss.asset))
  if (problem?.loss) throw await explainProblem(trx, payouts, problem, problem.loss)
  const unposted = await omitPostedVaultEvents(trx, chainId, { ...run, movements }, highestPosted)
  return { ...run, movements: unposted.filter(({ asset }) => !stopped.has(asset)) }
}

type SelectingContext = Pick<Settlements, 'payouts'> & {
  readonly stopped: ReadonlySet<Asset>
  readonly highestPosted: bigint
}

/**
 * Money that left without a vault event is a loss. But if it left in one of our own releases, the vault has emitted the
 * event, and the nodes do not return it. If two operators could write that off, its payout would never end.
 */
async function explainProblem(
  trx: Database,
  payouts: Settlements['payouts'],
  { log, text }: LogProblem,
  loss: Loss,
): Promise<AssetMustStop> {
  const { tx, logIndex } = log
  const release = await payouts.releaseOf(trx, tx)
  const found = { asset: loss.asset, reason: `${text} (log ${tx}:${logIndex})`, loss, at: log }
  if (release === null) return new AssetMustStop(found)
  const reason = `${found.reason}. It is a transaction of release ${release}, so the nodes left out a log: resume once they have it`
  return new AssetMustStop({ ...found, reason, loss: null })
}

/** Posts the ledger transaction of every movement. */
async function postMovements(
  trx: Database,
  chainId: number,
  blocks: RunToPost,
  settlements: Settlements,
): Promise<void> {
  const senders = blocks.movements.flatMap((movement) => ('from' in movement ? [movement.from] : []))
  await lockAddresses(trx, senders)
  const members = await loadMembersByAddress(trx, senders)
  const payouts = await settlePayouts(trx, chainId, blocks, settlements)
  const payments = await settlePayments(trx, chainId, blocks, settlements)
  // First, because a transfer in the same run may replace what is written off here.
  await postWriteOffs(trx, chainId, blocks.movements)
  const lossFundingOf = await prepareLossFunding(trx, chainId, blocks, (address) => members.has(address))
  const movementTransactions = blocks.movements.filter(isNeitherPayoutNorWriteOff).flatMap((movement) => {
    const settlement = movement.kind === 'payment' ? payments.transactionsFor(movement) : undefined
    if (settlement) return settlement
    const funding = lossFundingOf(movement)
    if (funding) return [funding]
    const movementTransaction = buildMovementTransaction(movement, chainId, (address) => members.get(address))
    if ('unpostable' in movementTransaction) throw contradictionOf(movement, movementTransaction.unpostable)
    return [movementTransaction]
  })
  // A burn comes last: the fees that it burns may come from payouts of the same run.
  const isBurn = ({ type }: Transaction): boolean => type === 'burn'
  const all = [
    ...movementTransactions.filter((transaction) => !isBurn(transaction)),
    ...payouts.payoutTransactions,
    ...payments.furtherTransactions,
    ...movementTransactions.filter(isBurn),
  ]
  if (all.length > 0) {
    faultPoint('worker:before-credit')
    await postAll(trx, all, { chainId, movements: blocks.movements, payouts, payments })
    faultPoint('worker:after-credit')
  }
  await payouts.finish()
  await payments.finish()
}

async function postWriteOffs(trx: Database, chainId: number, movements: readonly Movement[]): Promise<void> {
  const writeOffs = movements.flatMap((movement) => {
    if (movement.kind !== 'writeOff') return []
    const built = buildMovementTransaction(movement, chainId, () => undefined)
    if ('unpostable' in built) throw contradictionOf(movement, built.unpostable)
    return [built]
  })
  for (const [index, { outcome }] of (writeOffs.length > 0 ? await post(trx, writeOffs) : []).entries())
    if (outcome !== 'posted' && outcome !== 'repeated')
      throw new WatcherMustStop(`the ledger answers "${outcome}" to ${writeOffs[index]?.key}`)
}

/** Compares custody with the ledger. A balance that fell without a log may have been written off; then that is posted. */
async function compareCustody(
  trx: Database,
  contracts: PoolContracts,
  { last, node, custody }: Pick<RunToPost, 'last' | 'node'> & { readonly custody: CustodyBalances },
  stopped: ReadonlySet<Asset>,
): Promise<PostBlocksResult> {
  let differences = await compareCustodyWithLedger(trx, custody)
  if (await postBalanceWriteOffs(trx, differences.filter(isNotStopped(stopped)), last))
    differences = await compareCustodyWithLedger(trx, custody)
  const unexplained = differences.filter(isNotStopped(stopped))
  if (unexplained.length > 0) throw new CustodyDiffers(contracts, last.number, node, unexplained)
  if (stopped.size === 0) await markBlockChecked(trx, last)
  return { outcome: 'checked', differences }
}

const isNotStopped =
  (stopped: ReadonlySet<Asset>) =>
  ({ asset }: { readonly asset: Asset }): boolean =>
    !stopped.has(asset)

/** The error for a movement that the ledger cannot post. */
const contradictionOf = (movement: Movement, text: string): AssetMustStop =>
  new AssetMustStop({
    asset: movement.asset,
    reason: `${text} (log ${movement.log.tx}:${movement.log.logIndex})`,
    loss: lossOfMovement(movement),
    at: movement.log,
  })

const isPayout = (movement: Movement): movement is PayoutMovement => movement.kind === 'payout'
const isNeitherPayoutNorWriteOff = (movement: Movement): movement is Exclude<Movement, PayoutMovement> =>
  !isPayout(movement) && movement.kind !== 'writeOff'

const NO_PAYOUTS: SettledPayouts = { payoutTransactions: [], paymentOf: () => undefined, finish: async () => {} }

async function settlePayouts(
  trx: Database,
  chainId: number,
  { movements, notPaid, timeOf }: RunToPost,
  settlements: Settlements,
): Promise<SettledPayouts> {
  const paid = movements.filter(isPayout)
  if (paid.length + notPaid.length === 0) return NO_PAYOUTS
  const settled = await settlements.payouts.settle(trx, chainId, { paid, notPaid, timeOf })
  if ('impossible' in settled) throw contradictionOf(settled.movement, settled.impossible)
  return settled
}

function settlePayments(
  trx: Database,
  chainId: number,
  { movements, timeOf }: RunToPost,
  settlements: Settlements,
): Promise<SettledPayments> {
  const payments = movements.filter(isPayment)
  return settlements.payments.settle(trx, chainId, { payments, timeOf })
}

/**
 * After a rewind, blocks are read again, and the same money must not be posted twice. If the first node left out a
 * vault event, only its Transfer was posted. This function removes such an event if it appears now. If the
 * ledger has a log of the same chain transactions that the node does not return now, the node leaves out logs; unless
 * the posting was undone, or the signer's nodes do not have the log either, because somebody invented it.
 */
async function omitPostedVaultEvents(
  trx: Database,
  chainId: number,
  { movements, node }: RunToPost,
  highestPosted: bigint,
): Promise<readonly Movement[]> {
  const repeatedMovements = movements.filter(({ log }) => log.blockNumber <= highestPosted)
  if (repeatedMovements.length === 0) return movements
  const transactions = Array.from(new Set(repeatedMovements.map(({ log }) => `chain:${chainId}:${log.tx}`)))
  const { rows } = await sql<{ key: string; is_false: boolean }>`
    select spent.key, exists (select from lode.correction where answers = spent.id)
                      or exists (select from lode.missing_log missing where missing.key = spent.key) as is_false
    from unnest(${transactions}::text[]) as given (transaction)
    join lode.ledger_transaction spent
      on spent.member = 0 and spent.key > given.transaction || ':' and spent.key < given.transaction || ';'`.execute(
    trx,
  )
  const transferKey = ({ log, transferIndex }: Movement): string =>
    chainLogKey(chainId, log.tx, transferIndex ?? log.logIndex)
  const returnedKeys = new Set(
    repeatedMovements.flatMap((one) => [chainLogKey(chainId, one.log.tx, one.log.logIndex), transferKey(one)]),
  )
  const missing = rows.find(({ key, is_false }) => !is_false && !returnedKeys.has(key))
  if (missing) throw new NodeContradiction(`${node} does not return the log ${missing.key}, which is in the ledger`)
  const postedKeys = new Set(rows.map(({ key }) => key))
  return movements.filter((one) => one.transferIndex === undefined || !postedKeys.has(transferKey(one)))
}

/** What the transactions of a run come from. */
type PostingOrigins = {
  readonly chainId: number
  readonly movements: readonly Movement[]
  readonly payouts: SettledPayouts
  readonly payments: SettledPayments
}

/** Posts all transactions. Only one for which `mayBeInsufficient` is true may stay unposted for lack of money. */
async function postAll(
  trx: Database,
  ledgerTransactions: readonly Transaction[],
  { chainId, movements, payouts, payments }: PostingOrigins,
): Promise<void> {
  const outcomes = await post(trx, ledgerTransactions)
  outcomes.forEach(({ outcome }, index) => {
    const ledgerTransaction = ledgerTransactions[index]
    if (!ledgerTransaction || outcome === 'posted' || outcome === 'repeated') return
    if (outcome === 'insufficient' && payments.mayBeInsufficient(ledgerTransaction)) return
    // Ledger and chain disagree. For example, more was burned than was due, or the key was used with other terms.
    const text = `the ledger answers "${outcome}" to ${ledgerTransaction.type} ${ledgerTransaction.key}`
    const movement =
      movements.find(({ log }) => chainLogKey(chainId, log.tx, log.logIndex) === ledgerTransaction.key) ??
      payouts.paymentOf(ledgerTransaction)
    if (!movement) throw new WatcherMustStop(text)
    // A key that was used with other terms is no loss: the ledger has something else for this log.
    const contradiction = contradictionOf(movement, text)
    throw outcome === 'insufficient' ? contradiction : new AssetMustStop({ ...contradiction.contradiction, loss: null })
  })
}

async function loadMembersByAddress(trx: Database, addresses: readonly Address[]): Promise<Map<Address, bigint>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where account = any (${addresses.map(bytesOf)}::bytea[])`.execute(trx)
  return new Map(rows.map(({ id, account }) => [addressFromColumn(account), id]))
}

async function storeChainRecords(
  trx: Database,
  { after, last, isFirst, movements, poolAddresses, administrativeEvents, timeOf }: RunToPost,
  highestPosted: bigint,
): Promise<void> {
  for (const { address, role, sinceBlock } of poolAddresses)
    await sql`
      insert into lode.pool_address (address, role, since_block) values (${bytesOf(address)}, ${role}, ${sinceBlock})
      on conflict do nothing`.execute(trx)
  const storedBlocks = { first: isFirst ? 0n : after.number + 1n, last: last.number, highestPosted }
  await storeAdministrativeEvents(trx, storedBlocks, administrativeEvents, timeOf)
  for (const movement of movements) {
    if (isBurned(movement))
      await sql`
        insert into lode.chain_burn (tx, log_index, amount)
        values (${bytesOf(movement.log.tx)}, ${movement.log.logIndex}, ${String(movement.amount)}::numeric)
        on conflict do nothing`.execute(trx)
    if (movement.kind !== 'dividendFunding') continue
    const { log, day, from, amount, evidence } = movement
    await sql`
      insert into lode.dividend_funding
        (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
      values (${bytesOf(log.tx)}, ${log.logIndex}, ${log.blockNumber}, ${timeOf(log.blockNumber)}, ${day},
              ${bytesOf(from)}, ${String(amount)}::numeric, ${bytesOf(evidence.txid)}, ${evidence.output})
      on conflict (tx, log_index) do nothing`.execute(trx)
  }
}
