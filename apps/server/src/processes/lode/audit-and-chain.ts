import { assets, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { proposeEndOfStop, proposeRewind } from '../../modules/custody/index.ts'
import { audit, CheckpointRefused, formatReport, readCheckpoint, writeCheckpoint } from '../../modules/ledger/index.ts'
import { formatUtc, proposeProvingAgain } from '../../modules/operators/index.ts'
import { orderFindings } from '../../modules/orders/index.ts'
import { partnerFindings } from '../../modules/partner/index.ts'
import { payoutFindings } from '../../modules/payout/index.ts'
import { pledgeFindings } from '../../modules/pledge/index.ts'
import { poolFindings } from '../../modules/pool/index.ts'
import { promotionFindings } from '../../modules/promotion/index.ts'
import { lookFindings } from '../../modules/support/index.ts'
import { teamFindings } from '../../modules/team/index.ts'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { checkDatabase, ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, WORKER_DOES_IT, wakeWorker } from './decide.ts'
import { openChainAudit } from './open-chain-audit.ts'
import { addChainStatusCommand } from './status.ts'
import { print, printAnswer } from './terminal.ts'
import { ownerConfig, withPool } from './with-database.ts'

type AuditArguments = {
  readonly seal?: string
  readonly checkpoint?: string
  readonly connections: string
  readonly chain?: string
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'replay the ledger; report every error in the ledger, the team, orders, rewards, appointments, pledges and payouts',
    )
    .option('--seal <hash>', 'a seal that you noted earlier; the audit checks that the chain of seals still has it')
    .option(
      '--checkpoint <file>',
      'read only what is new since the last audit with this file, and a thirtieth of the rest. The first audit writes the file and reads everything. Keep the file away from the database',
    )
    .option('--connections <number>', 'how many connections share the work', '1')
    .option(
      '--chain <url>',
      'a node of your own choice; the audit also compares custody, credits, payouts and funding with the chain. Exits with 2 if nothing is wrong, but something could not be compared',
    )
    .action(runAudit)
}

async function runAudit(given: AuditArguments): Promise<void> {
  const { seal, checkpoint: path, chain: nodeUrl } = given
  const connections = parseArguments(given)
  const { databaseUrl, profile } = ownerConfig()
  const { db, close } = connectDatabase(databaseUrl, { name: 'lode audit', max: connections, noTimeouts: true })
  try {
    await checkDatabase(db, profile)
    const checkpoint = path === undefined ? null : await readCheckpoint(path)
    // Connects first: a wrong node is refused before the ledger is replayed, which can take long.
    const chainAudit = nodeUrl === undefined ? null : await openChainAudit(db, nodeUrl)
    const report = await audit(db, {
      seal,
      checkpoint: checkpoint ?? undefined,
      connections,
      causes: true,
      checks: CHECKS,
    })
    const chain = chainAudit && (await chainAudit())
    printAnswer({ text: formatReport(report, chain), data: { ...report, chain } })
    const findings = report.findings.length + report.otherFindings.length + (chain?.findings.length ?? 0)
    await recordAudit(db, { findings, withChain: chain !== null, incremental: checkpoint !== null })
    if (findings > 0) process.exitCode = 1
    else if (path !== undefined && report.checkpoint) await writeCheckpoint(path, report.checkpoint)
    if (findings === 0 && chain && chain.notCompared.length > 0) process.exitCode = NOT_COMPLETE
  } catch (error) {
    if (!(error instanceof CheckpointRefused)) throw error
    if (error.isFinding) await recordAudit(db, { findings: 1, withChain: false, incremental: true })
    throw new ExpectedFailure(error.message)
  } finally {
    await close()
  }
}

/** What an audit checks outside the ledger. An incremental one runs one of them, in this order. */
const CHECKS = [
  teamFindings,
  orderFindings,
  promotionFindings,
  partnerFindings,
  pledgeFindings,
  payoutFindings,
  poolFindings,
  lookFindings,
]

const MAX_CONNECTIONS = 64

/** Returns the number of connections. */
function parseArguments({ seal, checkpoint, connections }: AuditArguments): number {
  if (seal !== undefined && !/^[0-9a-f]{64}$/i.test(seal))
    throw new ExpectedFailure(`${seal} is not a seal. A seal has 64 hexadecimal digits.`)
  if (seal !== undefined && checkpoint !== undefined)
    throw new ExpectedFailure('Give --seal or --checkpoint: the checkpoint contains the seal of the last audit.')
  const number = /^[1-9][0-9]?$/.test(connections) ? Number(connections) : 0
  if (number < 1 || number > MAX_CONNECTIONS)
    throw new ExpectedFailure(`--connections needs a number from 1 to ${MAX_CONNECTIONS}.`)
  return number
}

type AuditRun = { readonly findings: number; readonly withChain: boolean; readonly incremental: boolean }

/** So that the worker can measure how old the last audit is. A standby is read-only: an audit there leaves no record. */
async function recordAudit(db: Database, { findings, withChain, incremental }: AuditRun): Promise<void> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)
  if (rows[0]?.standby) return
  await sql`
    insert into lode.audit_run (findings, with_chain, incremental)
    values (${findings}, ${withChain}, ${incremental})`.execute(db)
}

/** The exit code of an audit that found nothing wrong, but could not compare everything with the chain. */
const NOT_COMPLETE = 2

export function addChainCommands(program: Command): void {
  const chain = program.command('chain').description('how the worker reads the chain')
  addChainStatusCommand(chain)

  addSigningOptions(
    chain
      .command('resume')
      .argument('[note]', 'why; the second operator need not say it again')
      .option('--symbol <symbol>', 'end the stop of this asset only: USDT, BTN or BTC')
      .description('let a stopped watcher continue, after you have found and fixed the cause; two operators sign'),
  ).action((note: string | undefined, options: SigningOptions & { symbol?: string }) =>
    withPool(async (context) => {
      const asset = assets.find((known) => known === options.symbol?.toUpperCase())
      if (options.symbol !== undefined && !asset) return refused(`${options.symbol} is no asset of the pool.`)
      const proposed = await proposeEndOfStop(context.db, note, asset)
      if (!proposed.ok) return proposed
      const { proposal, stop } = proposed.value
      print(`Stopped on ${formatUtc(stop.stoppedAt)} because: ${stop.reason}`)
      return decide(context, proposal, options, { onSigned: wakeWorker, done: WORKER_DOES_IT })
    }),
  )

  addSigningOptions(
    chain
      .command('rewind')
      .argument('<block>')
      .argument('[note]', 'why; the second operator need not say it again')
      .description(
        'let the worker read the chain again after an earlier block; nothing is posted twice; two operators sign',
      ),
  ).action((block: string, note: string | undefined, options: SigningOptions) => {
    if (!/^(0|[1-9][0-9]{0,17})$/.test(block)) throw new ExpectedFailure(`${block} is not the number of a block.`)
    return withPool(async (context) => {
      const proposal = await proposeRewind(context.db, BigInt(block), note)
      if (!proposal.ok) return proposal
      return decide(context, proposal.value, options, { onSigned: wakeWorker, done: WORKER_DOES_IT })
    })
  })

  addSigningOptions(
    program
      .command('proof')
      .description('what the signer has looked up on the chain')
      .command('again')
      .argument('[note]', 'why; the second operator need not say it again')
      .description('let the signer look up every credit and payout again before it pays; two operators sign'),
  ).action((note: string | undefined, options: SigningOptions) =>
    withPool((context) =>
      decide(context, proposeProvingAgain(note), options, { onSigned: wakeWorker, done: WORKER_DOES_IT }),
    ),
  )
}
