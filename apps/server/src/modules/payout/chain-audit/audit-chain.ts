import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Address } from 'viem'
import type { ChainNode } from '../../../platform/chain/node.ts'
import type { OperatorConfig } from '../../../platform/config/config.ts'
import { formatCoins } from '../../../platform/config/pool-contracts.ts'
import type { Database } from '../../../platform/db/database.ts'
import { readInSnapshot } from '../../../platform/db/read-in-snapshot.ts'
import { applyWriteOffs, type ChainState, interpretLogs, readChainState, readPoolLogs } from '../../custody/index.ts'
import { type AccountVersions, type Finding, Findings, readNewPostings, readVersions } from '../../ledger/index.ts'
import { readPayouts } from '../payout-row.ts'
import { CUSTODY_ACCOUNTS, isBalanceWriteOff } from '../proof.ts'
import { readReversalOf } from '../reversed-postings.ts'
import type { ChainAudit } from './audit-context.ts'
import { addRecords, type ChainRecords, compareRecords, emptyRecords } from './chain-records.ts'
import { compareCustody } from './compare-custody.ts'
import { compareLogs } from './compare-logs.ts'
import { NumberSet } from './number-set.ts'

export type ChainAuditReport = {
  readonly findings: readonly Finding[]
  /** What could not be compared, and why. */
  readonly notCompared: readonly string[]
  readonly summary: string
}

type Chain = Pick<OperatorConfig, 'chainId' | 'contracts' | 'finality'>

const ROWS_PER_BATCH = 1_000

/** The worker posts a run of blocks with many payments in parts, which takes some seconds. */
const SECONDS_FOR_A_RUN = 20

/**
 * Compares the database with the chain, as the auditor's own node shows it. It trusts nothing that the worker stored:
 * it reads every log of the pool from the vault's first block to the last final one.
 *
 *     every final log ──► its ledger transaction, its payout, its record     (missing, twice, or another amount: wrong)
 *     every ledger transaction of custody, every paid payout, every record ──► was its log among them?
 *     the balances of vault and cold storage at the posted block ──► the ledger's custody accounts
 *
 * All of it is compared with one read-only snapshot of the database, which stays open while the node is asked. It locks
 * nothing. The caller has checked that the node is on the pool's chain, and that the worker has begun the ledger.
 */
export async function auditChain(
  db: Database,
  node: ChainNode,
  { chainId, contracts, finality }: Chain,
): Promise<ChainAuditReport> {
  // Read before the snapshot, so that the snapshot has the payout of every payment up to this block.
  const { finalized } = await node.head(finality)
  for (let secondsLeft = SECONDS_FOR_A_RUN; ; secondsLeft -= 1) {
    const report = await readInSnapshot(db, async (snapshot) => {
      const state = await readChainState(snapshot)
      if (!state) throw new Error('the ledger has not begun')
      if (isBetweenParts(state) && secondsLeft > 0) return null
      return auditSnapshot(snapshot, state, node, { chainId, contracts, finality, finalized: finalized.number })
    })
    if (report) return report
    await setTimeout(1_000)
  }
}

/** Also after a rewind, until the worker has read the blocks again. Then the ledger has everything. */
const isBetweenParts = ({ postedNumber, highestPosted }: ChainState): boolean => postedNumber < highestPosted

async function auditSnapshot(
  db: Database,
  state: ChainState,
  node: ChainNode,
  { chainId, contracts, finality, finalized }: Chain & { readonly finalized: bigint },
): Promise<ChainAuditReport> {
  // After a rewind the posted block is lower, but the ledger still has everything up to the highest. The highest is 0
  // until the first blocks are posted.
  const posted = state.highestPosted === 0n ? state.postedNumber : state.highestPosted
  const last = finalized < posted ? await readLastUpTo(node, finality, posted) : finalized
  const audit: ChainAudit = {
    db,
    node,
    chainId,
    contracts,
    posted,
    findings: new Findings(),
    foundTransactions: new NumberSet(),
    foundPayouts: new NumberSet(),
  }
  const records = emptyRecords()
  const { cold, logs } = await compareBlocks(audit, records, last)
  const notCompared = await compareLedgerWithChain(audit, { state, records, cold, last })
  const reading = `blocks ${state.postedNumber + 1n} to ${posted} are being read by the worker: what they lack may come`
  return {
    findings: audit.findings.list(),
    notCompared: isBetweenParts(state) ? [reading, ...notCompared] : notCompared,
    summary: `${logs} movements in blocks ${contracts.firstBlock} to ${last} of ${node.name}; posted up to ${posted}`,
  }
}

/** The worker may have posted a block that became final after the node was asked. So the node is asked once more. */
async function readLastUpTo(node: ChainNode, finality: Chain['finality'], posted: bigint): Promise<bigint> {
  const { finalized } = await node.head(finality)
  return finalized.number < posted ? finalized.number : posted
}

/** Reads all logs of the pool up to block `last` and compares them. Returns the cold addresses that the vault named. */
async function compareBlocks(
  audit: ChainAudit,
  records: ChainRecords,
  last: bigint,
): Promise<{ cold: ReadonlySet<Address>; logs: number }> {
  const { node, contracts, posted } = audit
  const cold = new Set<Address>()
  let logs = 0
  for (let from = contracts.firstBlock; from <= last; ) {
    const { to, value } = await node.readRange(from, last, (first, end) =>
      readPoolLogs(node, contracts, cold, first, end),
    )
    const found = interpretLogs(value, contracts, cold)
    const interpreted = { ...found, ...(await applyWriteOffs(audit.db, found.movements, found.problems)) }
    for (const { role, address } of interpreted.poolAddresses) if (role === 'cold') cold.add(address)
    await compareLogs(audit, interpreted)
    addRecords(records, interpreted, posted)
    logs += interpreted.movements.length
    from = to + 1n
  }
  return { cold, logs }
}

/**
 * Looks for what the database has and the chain lacks. If the node is behind, its logs may come later, so nothing of
 * this is wrong yet. Returns what could not be compared.
 */
async function compareLedgerWithChain(
  audit: ChainAudit,
  chain: { state: ChainState; records: ChainRecords; cold: ReadonlySet<Address>; last: bigint },
): Promise<string[]> {
  const { node, findings, posted } = audit
  const { onlyInDatabase, onlyOnChain } = await compareRecords(audit.db, chain.records)
  findings.addMany('the database lacks a record of the chain', BigInt(onlyOnChain.length), onlyOnChain)
  const lacking = new Findings()
  await findTransactionsWithoutLog(audit, lacking)
  await findPayoutsWithoutPayment(audit, lacking)
  lacking.addMany(
    'the database has a record that the chain does not have',
    BigInt(onlyInDatabase.length),
    onlyInDatabase,
  )
  if (chain.last < posted)
    return [
      `the last final block of ${node.name} is ${chain.last}, and the ledger is posted up to block ${posted}`,
      'the balances of vault and cold storage',
      ...lacking.list().map(({ wrong, count }) => `whether ${wrong}: ${count}`),
    ]
  for (const { wrong, count, examples } of lacking.list()) findings.addMany(wrong, count, examples)
  await comparePostedBlock(audit, chain.state)
  const compared = await compareCustody(audit, chain.cold)
  return compared
    ? []
    : [`the balances of vault and cold storage: ${node.name} has no state of block ${posted} any more`]
}

async function comparePostedBlock({ node, findings }: ChainAudit, { posted }: ChainState): Promise<void> {
  if (!posted) return
  const found = await node.block(posted.number)
  if (found?.hash !== posted.hash)
    findings.add(
      'the posted block is another block on the chain',
      `block ${posted.number} is ${posted.hash} in the database and ${found?.hash} on the chain`,
    )
}

async function findTransactionsWithoutLog({ db, foundTransactions }: ChainAudit, lacking: Findings): Promise<void> {
  const until = await readVersions(db, CUSTODY_ACCOUNTS)
  let seen: AccountVersions = new Map()
  for (;;) {
    const steps = await readNewPostings(db, seen, until, ROWS_PER_BATCH)
    for (const { transactionId, transaction } of steps) {
      // A balance that fell without a log has none, and neither has a reversal or what it undid. The decisions about
      // them are among the causes, and the balances are compared.
      if (foundTransactions.has(transactionId) || isBalanceWriteOff(transaction) || transaction.type === 'reverse')
        continue
      if ((await readReversalOf(db, transaction)) !== null) continue
      lacking.add(
        'a ledger transaction moves custody, and the chain has no such log',
        `${transaction.type} ${transaction.key}`,
      )
      // A transaction between vault and cold storage has a posting in each, and counts once.
      foundTransactions.add(transactionId)
    }
    if (steps.length < ROWS_PER_BATCH) return
    seen = new Map([...seen, ...steps.map(({ account, version }) => [account, version] as const)])
  }
}

async function findPayoutsWithoutPayment(
  { db, contracts, foundPayouts }: ChainAudit,
  lacking: Findings,
): Promise<void> {
  for (let after = 0n; ; ) {
    const rows = await readPayouts(
      db,
      sql`where ended = 'final' and number > ${after} order by number limit ${ROWS_PER_BATCH}`,
    )
    for (const { id, number, amount, asset, address } of rows)
      if (!foundPayouts.has(number))
        lacking.add(
          'a payout is called paid, and the vault did not pay it',
          `payout ${id} of ${formatCoins(contracts, asset, amount)} to ${address}`,
        )
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < ROWS_PER_BATCH) return
    after = lastRow.number
  }
}
