import type { Result } from '@lode/kernel'
import type { Command } from 'commander'
import { proposeDisabling, proposeEnabling, proposeEndOfSessions } from '../../modules/identity/index.ts'
import { ALL_MEMBERS, type Proposal } from '../../modules/operators/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, WORKER_DOES_IT, wakeWorker } from './decide.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description("members' accounts")

  addSigningOptions(
    account
      .command('disable')
      .argument('<address>')
      .argument('[note]', 'why; the member reads it, and the second operator need not say it again')
      .description('end the sessions of a member and refuse sign-in, except to take assets out; two operators sign'),
  ).action((address: string, note: string | undefined, options: SigningOptions) => {
    const member = addressOrRefuse(address)
    return withPool(async (context) => sign(context, await proposeDisabling(context.db, member, note), options))
  })

  addSigningOptions(
    account
      .command('enable')
      .argument('<address>')
      .argument('[note]', 'why; the second operator need not say it again')
      .description('let a disabled member sign in again; two operators sign'),
  ).action((address: string, note: string | undefined, options: SigningOptions) => {
    const member = addressOrRefuse(address)
    return withPool(async (context) => sign(context, await proposeEnabling(context.db, member, note), options))
  })

  addSigningOptions(
    program
      .command('session')
      .description("members' sessions")
      .command('end')
      .argument('<note>', 'why')
      .option('--all', 'of all members')
      .option('--of <address>', 'of one member')
      .description('end the sessions of one member or of all, after a theft; one operator signs'),
  ).action((note: string, { all = false, of, ...options }: SigningOptions & { all?: boolean; of?: string }) => {
    if (all === (of !== undefined)) throw new ExpectedFailure('Choose one: --all, or --of ADDRESS.')
    const whose = of === undefined ? ALL_MEMBERS : addressOrRefuse(of)
    return withPool(async (context) => sign(context, await proposeEndOfSessions(context.db, whose, note), options))
  })
}

async function sign(
  context: PoolContext,
  proposal: Result<Proposal, string>,
  options: SigningOptions,
): Promise<Result<string, string>> {
  if (!proposal.ok) return proposal
  return decide(context, proposal.value, options, { onSigned: wakeWorker, done: WORKER_DOES_IT })
}
