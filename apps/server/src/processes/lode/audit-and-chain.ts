import { assets, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { proposeEndOfStop, proposeRewind } from '../../modules/custody/index.ts'
import { audit, causeFindings, formatReport } from '../../modules/ledger/index.ts'
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

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'replay the ledger; report every error in the ledger, the team, orders, rewards, appointments, pledges and payouts',
    )
    .option('--seal <hash>', 'a seal that you noted earlier; the audit checks that the chain of seals still has it')
    .option(
      '--chain <url>',
      'a node of your own choice; the audit also compares custody, credits, payouts and funding with the chain. Exits with 2 if nothing is wrong, but something could not be compared',
    )
    .action(async ({ seal, chain: nodeUrl }: { seal?: string; chain?: string }) => {
      if (seal !== undefined && !/^[0-9a-f]{64}$/i.test(seal))
        throw new ExpectedFailure(`${seal} is not a seal. A seal has 64 hexadecimal digits.`)
      const { databaseUrl, profile } = ownerConfig()
      const { db, close } = connectDatabase(databaseUrl, { name: 'lode audit', max: 1, noTimeouts: true })
      try {
        await checkDatabase(db, profile)
        // Connects first: a wrong node is refused before the ledger is replayed, which can take long.
        const chainAudit = nodeUrl === undefined ? null : await openChainAudit(db, nodeUrl)
        const report = await audit(db, seal === undefined ? {} : { seal })
        const otherFindings = [
          ...(await causeFindings(db)),
          ...(await teamFindings(db)),
          ...(await orderFindings(db)),
          ...(await promotionFindings(db)),
          ...(await partnerFindings(db)),
          ...(await pledgeFindings(db)),
          ...(await payoutFindings(db)),
          ...(await poolFindings(db)),
          ...(await lookFindings(db)),
        ]
        const chain = chainAudit && (await chainAudit())
        printAnswer({ text: formatReport(report, otherFindings, chain), data: { ...report, otherFindings, chain } })
        const wrong = report.findings.length + otherFindings.length + (chain?.findings.length ?? 0)
        await recordAudit(db, { findings: wrong, withChain: chain !== null })
        if (wrong > 0) process.exitCode = 1
        else if (chain && chain.notCompared.length > 0) process.exitCode = NOT_COMPLETE
      } finally {
        await close()
      }
    })
}

/** So that the worker can measure how old the last audit is. A standby is read-only: an audit there leaves no record. */
async function recordAudit(db: Database, run: { findings: number; withChain: boolean }): Promise<void> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)
  if (rows[0]?.standby) return
  await sql`
    insert into lode.audit_run (findings, with_chain) values (${run.findings}, ${run.withChain})`.execute(db)
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
