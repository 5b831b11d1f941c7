import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { listExperts, listRefusedAppointments, proposeExpert } from '../../modules/partner/index.ts'
import { appoint, appointmentData, describeAppointments, describeRefusedAppointments } from './appoint.ts'
import { addSigningOptions, type SigningOptions } from './decide.ts'
import type { Answer } from './terminal.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

export function addExpertCommands(program: Command): void {
  const expert = program.command('expert').description('sharing experts')

  expert
    .command('list')
    .description('show the sharing experts, and the decisions that could not be carried out')
    .action(() => withPool(list))

  addSigningOptions(
    expert
      .command('authorise')
      .argument('<address>', 'of a member')
      .description('make a member a sharing expert, permanently; two operators sign'),
  ).action((address: string, options: SigningOptions) => {
    const chosen = addressOrRefuse(address)
    return withPool((context) =>
      appoint(context, (deciding) => proposeExpert(context.db, deciding, chosen), options, {
        done: 'The worker carries it out within a minute: lode expert list',
      }),
    )
  })
}

async function list({ db, contracts }: PoolContext): Promise<Result<Answer, string>> {
  const experts = await listExperts(db)
  const refused = await listRefusedAppointments(db, ['authorise-expert'])
  return ok({
    text: [
      ...describeAppointments('Sharing experts, the newest first:', experts, contracts),
      ...describeRefusedAppointments(refused),
    ].join('\n'),
    data: { experts: appointmentData(experts, contracts), refused },
  })
}
