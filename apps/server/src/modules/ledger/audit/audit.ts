import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { NumberRange } from '../seal-chain.ts'
import {
  auditAccountCount,
  auditAccountRows,
  auditBalances,
  auditHolders,
  auditTotals,
  postingsOfPartition,
  postingsOfWindow,
} from './accounts.ts'
import { CAUSE_EXAMPLES, findUncaused } from './causes.ts'
import { auditChart } from './chart.ts'
import { type Checkpoint, findNewHistory, planReread, type Reread } from './checkpoint.ts'
import { auditDaySumCount, auditDaySums } from './day-sums.ts'
import type { Finding, Findings } from './findings.ts'
import { auditGuards } from './guards.ts'
import { auditClosingCount, auditLogLines, linesOfMembers, linesOfWindow } from './log-lines.ts'
import { ALL_OWNERS, divideIntoWindows, EVERYTHING, listPartitions, MAX_BIGINT } from './ranges.ts'
import {
  auditSealChain,
  auditSealHashes,
  BEGINNING,
  type ChainStart,
  divideSeals,
  readFirstHash,
  type SealsReport,
} from './seals.ts'
import { inOneSnapshot } from './snapshot.ts'
import { runSteps, type Step } from './steps.ts'
import { auditTransactions } from './transactions.ts'

/** The numbers of rows are those that the audit has read. */
export type AuditReport = {
  readonly findings: readonly Finding[]
  /** What the causes and the other modules' checks found. */
  readonly otherFindings: readonly string[]
  readonly transactions: bigint
  readonly postings: bigint
  readonly accounts: bigint
  readonly lines: bigint
  readonly seals: SealsReport
  /** Null if the audit read everything. */
  readonly incremental: { readonly sinceSeal: bigint; readonly run: number; readonly millisecondsForNew: number } | null
  /** What to keep for the next audit if nothing is wrong; null while nothing is sealed. */
  readonly checkpoint: Checkpoint | null
}

/** A check outside the ledger. Returns texts of findings. */
type Check = (db: Database) => Promise<string[]>

export type AuditOptions = {
  /** The hash of a seal that an operator noted earlier. The chain of seals must still contain it. For full audits only. */
  readonly seal?: string | undefined
  /** An earlier audit's checkpoint: this audit reads what is new since then, and a thirtieth of the rest. */
  readonly checkpoint?: Checkpoint | undefined
  /** How many connections share the work. */
  readonly connections?: number | undefined
  /** Whether every transaction must have a cause. */
  readonly causes?: boolean
  /** The checks of the other modules. A full audit runs all; each incremental one runs the next of them. */
  readonly checks?: readonly Check[]
}

/**
 * Replays the ledger in one snapshot while the pool keeps running. It writes nothing. It reads window by window and
 * partition by partition, so memory does not grow with the ledger. At a billion postings, run a full audit on a standby,
 * so that the long snapshot does not keep dead rows on the primary.
 */
export const audit = (db: Database, options: AuditOptions = {}): Promise<AuditReport> =>
  inOneSnapshot(db, options.connections ?? 1, (transactions) => auditInTransactions(transactions, options))

/** The same as audit(), inside a transaction of the caller. */
export const auditInTransaction = (trx: Database, options: AuditOptions = {}): Promise<AuditReport> =>
  auditInTransactions([trx], options)

async function auditInTransactions(transactions: readonly Database[], options: AuditOptions): Promise<AuditReport> {
  const [trx] = transactions
  if (!trx) throw new Error('an audit needs a connection')
  for (const each of transactions) {
    await sql`set local jit = off`.execute(each)
    // The connections are the parallel work, as many as the operator wants.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(each)
  }
  const audit = new Audit(trx, options)
  return options.checkpoint ? audit.runIncremental(transactions, options.checkpoint) : audit.runFull(transactions)
}

/** One run: its steps add to the counts. */
class Audit {
  readonly #trx: Database
  readonly #options: AuditOptions
  readonly #counts = { transactions: 0n, postings: 0n, accounts: 0n, lines: 0n, closings: 0n, sums: 0n }
  readonly #uncaused: string[][] = []
  readonly #checked: string[][] = []
  #seals: SealsReport | undefined

  constructor(trx: Database, options: AuditOptions) {
    this.#trx = trx
    this.#options = options
  }

  async runFull(transactions: readonly Database[]): Promise<AuditReport> {
    const steps = [
      ...this.#guardSteps(),
      ...this.#checkSteps(this.#options.checks ?? []),
      ...(await listPartitions(this.#trx, 'posting')).map(
        (partition): Step =>
          async (trx, findings) => {
            const { accounts } = await auditBalances(trx, findings, postingsOfPartition(partition))
            this.#counts.accounts += accounts
          },
      ),
      ...(await this.#memberSteps(EVERYTHING)),
      auditTotals,
      (trx: Database, findings: Findings) => auditHolders(trx, findings, ALL_OWNERS),
      ...(await this.#sealSteps(BEGINNING, null)),
      // The shortest steps come last, so that no connection waits long for another one at the end.
      ...(await this.#transactionSteps(EVERYTHING)),
    ]
    const findings = await runSteps(transactions, steps)
    this.#counts.accounts = await auditAccountCount(this.#trx, findings, this.#counts.accounts)
    await this.#compareCounts(findings, EVERYTHING)
    return this.#report(findings, null, { run: 0, rereadSeals: 0n, rereadOwners: null })
  }

  async runIncremental(transactions: readonly Database[], checkpoint: Checkpoint): Promise<AuditReport> {
    const start = await findNewHistory(this.#trx, checkpoint)
    const reread = await planReread(this.#trx, checkpoint)
    const beganAt = performance.now()
    const findings = await runSteps(transactions, [...this.#guardSteps(), ...(await this.#newSteps(start))])
    const millisecondsForNew = Math.round(performance.now() - beganAt)
    findings.merge(await runSteps(transactions, await this.#rereadSteps(reread, checkpoint.run)))
    await this.#compareCounts(findings, reread.owners.members)
    const sinceSeal = checkpoint.seal.number
    return this.#report(findings, { sinceSeal, run: checkpoint.run + 1, millisecondsForNew }, reread.next)
  }

  /** Everything after the checkpoint's seal, to the end of the ledger. */
  async #newSteps(start: ChainStart): Promise<Step[]> {
    const first = (start.seal?.complete ?? -MAX_BIGINT) + 1n
    return [
      ...(await this.#transactionSteps({ first, last: MAX_BIGINT }, async (trx, findings, window) => {
        await auditBalances(trx, findings, postingsOfWindow(window))
        await auditLogLines(trx, findings, linesOfWindow(window))
      })),
      ...(await this.#sealSteps(start, null)),
    ]
  }

  async #rereadSteps({ after, upToSeal, transactions, owners }: Reread, run: number): Promise<Step[]> {
    const { checks = [] } = this.#options
    return [
      ...this.#checkSteps(checks.filter((_, place) => place === run % checks.length)),
      ...(await this.#memberSteps(owners.members)),
      ...[owners.accounts, owners.suspenseAccounts].map(
        (range): Step =>
          async (trx, findings) => {
            // Not `+= await`, which would lose what another connection adds meanwhile.
            const accounts = await auditAccountRows(trx, findings, range)
            this.#counts.accounts += accounts
          },
      ),
      (trx, findings) => auditHolders(trx, findings, owners),
      ...(await this.#transactionSteps(transactions, async (trx, findings, window) => {
        await auditBalances(trx, findings, postingsOfWindow(window))
      })),
      ...(await this.#sealSteps(after, upToSeal)),
    ]
  }

  #guardSteps(): Step[] {
    return [auditChart, auditGuards]
  }

  #checkSteps(checks: readonly Check[]): Step[] {
    return checks.map((check, place) => async (trx) => {
      this.#checked[place] = await check(trx)
    })
  }

  async #transactionSteps(
    range: NumberRange,
    alsoCheck?: (trx: Database, findings: Findings, window: NumberRange) => Promise<void>,
  ): Promise<Step[]> {
    const windows = await divideIntoWindows(this.#trx, range)
    const before = this.#uncaused.length
    this.#uncaused.push(...windows.map(() => []))
    return windows.map((window, place) => async (trx, findings) => {
      const { transactions, postings } = await auditTransactions(trx, findings, window)
      this.#counts.transactions += transactions
      this.#counts.postings += postings
      if (this.#options.causes) this.#uncaused[before + place] = await findUncaused(trx, window)
      await alsoCheck?.(trx, findings, window)
    })
  }

  async #memberSteps(members: NumberRange): Promise<Step[]> {
    const partitions = await listPartitions(this.#trx, 'log_line')
    return partitions
      .map((partition) => partition.replace('log_line_', ''))
      .flatMap((number): Step[] => [
        async (trx, findings) => {
          const { lines, closings } = await auditLogLines(trx, findings, linesOfMembers(number, members))
          this.#counts.lines += lines
          this.#counts.closings += closings
        },
        async (trx, findings) => {
          const sums = await auditDaySums(trx, findings, number, members)
          this.#counts.sums += sums
        },
      ])
  }

  /** After the steps of these members: every closing and every kept sum has a line. */
  async #compareCounts(findings: Findings, members: NumberRange): Promise<void> {
    await auditClosingCount(this.#trx, findings, members, this.#counts.closings)
    await auditDaySumCount(this.#trx, findings, members, this.#counts.sums)
  }

  /** The seals after `start`, up to `upTo`; null is the end of the chain. The seal of a start is read again itself. */
  async #sealSteps(start: ChainStart, upTo: bigint | null): Promise<Step[]> {
    const numbers = { first: start.seal?.number ?? -MAX_BIGINT, last: upTo ?? MAX_BIGINT }
    return [
      async (trx, findings) => {
        const given = this.#options.seal?.toLowerCase() ?? null
        const seals = await auditSealChain(trx, findings, given, { start, upTo })
        if (upTo === null) this.#seals = seals
      },
      ...(await divideSeals(this.#trx, numbers)).map(
        (part): Step =>
          (trx, findings) =>
            auditSealHashes(trx, findings, part),
      ),
    ]
  }

  async #report(
    findings: Findings,
    incremental: AuditReport['incremental'],
    next: Reread['next'],
  ): Promise<AuditReport> {
    if (!this.#seals) throw new Error('the audit did not read the chain of seals')
    const { transactions, postings, accounts, lines } = this.#counts
    const { newest } = this.#seals
    const ledger = await readFirstHash(this.#trx)
    return {
      findings: findings.list(),
      otherFindings: [...this.#uncaused.flat().slice(0, CAUSE_EXAMPLES), ...this.#checked.flat()],
      transactions,
      postings,
      accounts,
      lines,
      seals: this.#seals,
      incremental,
      checkpoint: newest && ledger ? { ledger, seal: { number: newest.number, hash: newest.hash }, ...next } : null,
    }
  }
}
