import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { endAllStops, readChainState } from '../../modules/custody/index.ts'
import { proposeRestoreAcknowledgment } from '../../modules/operators/index.ts'
import {
  acknowledgeRestore,
  type FoundAfterRestore,
  findAfterRestore,
  JournalProblem,
  readComparedState,
  readJournal,
  storeFound,
} from '../../modules/payout/index.ts'
import { formatCoins } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions } from './decide.ts'
import { askNodes, openNodes } from './open-nodes.ts'
import { confirm, print } from './terminal.ts'
import { checkPool, operatorConfig, type PoolContext, withOwnerDatabase, withPool } from './with-database.ts'

type RestoredOptions = { readonly journal?: string; readonly chain?: string; readonly yes?: boolean }

export function addRestoredCommands(program: Command): void {
  const restored = program
    .command('restored')
    .description('after a restore: compare the database with the chain and with the signer’s journal, and repair it')
    .option('--journal <file>', 'the signer’s journal; without it only what the chain shows is known')
    // Not a required option of commander: `restored acknowledge` would require it too.
    .option('--chain <urls>', 'required: nodes of two providers, as in CHAIN_RPC_URL')
    .option('--yes', 'repair without confirmation')
    .action((options: RestoredOptions) => withOwnerDatabase((db) => repairAfterRestore(db, options)))

  addSigningOptions(
    restored
      .command('acknowledge')
      .argument('[note]', 'why the database was restored')
      .description('let the signer pay again after a restore; two operators sign'),
  ).action((note: string | undefined, options: SigningOptions) =>
    withPool((context) => acknowledge(context, note, options)),
  )
}

async function repairAfterRestore(db: Database, options: RestoredOptions): Promise<Result<string, string>> {
  if (options.chain === undefined) throw new ExpectedFailure('Name the nodes of two providers with --chain.')
  const config = operatorConfig()
  await checkPool(db, config)
  const state = await readChainState(db)
  if (!state) return refused('The worker has not read the chain yet: there is nothing to compare.')
  const nodes = await openNodes(options.chain, config, state.genesisHash)
  const found = await askNodes(() =>
    findAfterRestore(db, nodes, config, { state, journal: options.journal ? openJournal(options.journal) : null }),
  )
  if (found.refusal !== null) return refused(found.refusal)
  print(...describeFound(found, config.contracts), '')
  await refuseRunningProcesses(db)
  await confirm('Repair the database as above, end all sessions and return the open transfers?', options.yes ?? false)
  const counts = await storeFound(db, found)
  const ended = await endAllStops(db)
  return ok(
    [
      `Done. ${counts.sessions} sessions ended, ${counts.addresses} address changes and ${counts.resets} resets dropped.`,
      ...ended.map((reason) => `This stop of the worker is ended: ${reason}`),
      ...NEXT_STEPS,
    ].join('\n'),
  )
}

const NEXT_STEPS = [
  'Now:',
  '  1. Start the worker, and wait for its /readyz. If it stops at a payment, run lode restored again, then see the docs.',
  '  2. Run: lode audit --chain URL',
  '  3. Two operators run: lode restored acknowledge "why"',
  '  4. Start the signer. When lode transfer list shows nothing signed, start the api.',
  'Check by hand, because no record is left: accounts that were disabled since then are enabled again; plans, notices,',
  'appointments and decisions of that time must be made again; members must repeat registrations, orders and requests.',
]

function describeFound(found: FoundAfterRestore, contracts: PoolContext['contracts']): string[] {
  const { lost, chain, unexplained, unrestorable } = found
  const coins = (asset: Parameters<typeof formatCoins>[1], amount: bigint | string) =>
    formatCoins(contracts, asset, BigInt(amount))
  const open = chain.payments.filter(({ payout }) => payout?.ended === null)
  return [
    `Compared up to block ${chain.finalBlock}, which two nodes have as final.`,
    `The journal has ${lost.releases.length} releases that the database lacks: they are stored again.`,
    `The vault has paid ${open.length} payouts that the database has as open: the worker concludes them.`,
    `The journal has ${lost.payouts.length} payouts that the database lacks: the worker makes those again that the vault has paid.`,
    ...lost.payouts.map(({ id, kind, asset, amount, to }) => `  ${id}  ${kind} of ${coins(asset, amount)} to ${to}`),
    `${chain.returned.length} transfers are open and not signed. Their members may have canceled them later, so the money goes back to them:`,
    ...chain.returned.map(({ id, asset, amount, address }) => `  ${id}  ${coins(asset, amount)} to ${address}`),
    ...listProblems('The vault has paid these, and nothing explains them. Each needs a correction by two operators:', [
      ...unexplained.map(
        ({ id, movement: { asset, amount, to, log } }) => `${id}  ${coins(asset, amount)} to ${to} (${log.tx})`,
      ),
    ]),
    ...listProblems(
      'The journal does not say enough about these. If the vault has paid them, each needs a correction:',
      unrestorable.map(({ id, asset, amount, to }) => `${id}  ${coins(asset, amount)} to ${to}`),
    ),
  ]
}

const listProblems = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

/** A process that writes while the database is repaired could act on what is about to be taken back. */
async function refuseRunningProcesses(db: Database): Promise<void> {
  const { rows } = await sql<{ role: string }>`
    select distinct usename as role from pg_stat_activity
    where datname = current_database() and usename in ('lode_api', 'lode_signer')`.execute(db)
  if (rows.length > 0)
    throw new ExpectedFailure(
      `Stop the api and the signer first: ${rows.map(({ role }) => role).join(' and ')} is connected.`,
    )
}

async function acknowledge(
  context: PoolContext,
  note: string | undefined,
  options: SigningOptions,
): Promise<Result<string, string>> {
  const compared = await readComparedState(context.db)
  if (!compared) return refused('There is no restore to acknowledge. Run lode restored on the server first.')
  const { journalHash, journalLines, chainBlock } = compared
  const terms = { journal: journalHash.toString('hex'), lines: journalLines, block: String(chainBlock) }
  return decide(context, proposeRestoreAcknowledgment(terms, note), options, {
    onSigned: async (trx, { id, complete }) => {
      if (complete) await acknowledgeRestore(trx, id)
      return ok(null)
    },
    done: 'The signer pays again once it is started.',
    needsSigner: true,
  })
}

const openJournal = async (path: string) => {
  try {
    const journal = await readJournal(path)
    if (!journal) throw new ExpectedFailure(`${path} is no journal of a signer.`)
    return journal
  } catch (error) {
    if (error instanceof JournalProblem) throw new ExpectedFailure(error.message)
    throw error
  }
}
