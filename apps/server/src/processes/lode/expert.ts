import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { expertQuestion, listExperts, refusedAppointments } from '../../modules/partner/index.ts'
import { appoint, appointmentLines, refusedLines } from './appointing.ts'
import { addressOrRefuse, type PoolContext, withPool } from './database.ts'
import { type SigningOptions, signing } from './decide.ts'

export function expertCommands(program: Command): void {
  const expert = program.command('expert').description('members who share the pool with others')

  expert
    .command('list')
    .description('who is one, and what could not be done')
    .action(() => withPool(list))

  signing(
    expert
      .command('authorise')
      .argument('<address>', 'of a member')
      .description('make a member a sharing expert, for ever; two operators sign'),
  ).action((address: string, options: SigningOptions) => {
    const chosen = addressOrRefuse(address)
    return withPool((context) =>
      appoint(context, (deciding) => expertQuestion(context.db, deciding, chosen), options, {
        done: 'It is authorised as soon as the worker comes to it: lode expert list',
      }),
    )
  })
}

async function list({ db, contracts }: PoolContext): Promise<Result<string, string>> {
  return ok(
    [
      ...appointmentLines('Sharing experts, the newest first:', await listExperts(db), contracts),
      ...refusedLines(await refusedAppointments(db, ['authorise-expert'])),
    ].join('\n'),
  )
}
