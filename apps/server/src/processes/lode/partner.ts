import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { formatUtc } from '../../modules/operators/index.ts'
import {
  listPartners,
  listRefusedAppointments,
  listWaitingApplications,
  proposePartnerApproval,
  proposePartnerRejection,
} from '../../modules/partner/index.ts'
import { appoint, appointmentData, describeAppointments, describeRefusedAppointments } from './appoint.ts'
import { addSigningOptions, type SigningOptions } from './decide.ts'
import { readOperatorNames } from './operator-names.ts'
import type { Answer } from './terminal.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

export function addPartnerCommands(program: Command): void {
  const partner = program.command('partner').description('partners, who share a part of every promotion’s price')

  partner
    .command('list')
    .description('show applications, partners, and the decisions that could not be carried out')
    .action(() => withPool(list))

  addSigningOptions(
    partner
      .command('approve')
      .argument('<address>', 'of the member who applies')
      .description('approve an application, permanently; two operators sign'),
  ).action((address: string, options: SigningOptions) => {
    const applicant = addressOrRefuse(address)
    return withPool((context) =>
      appoint(context, (deciding) => proposePartnerApproval(context.db, deciding, applicant), options, {
        done: 'The worker carries it out within a minute: lode partner list',
      }),
    )
  })

  addSigningOptions(
    partner
      .command('reject')
      .argument('<address>', 'of the member who applies')
      .argument('[note]', 'why; the member reads it, and the second operator need not say it again')
      .description('reject an application, which the member may make again; two operators sign'),
  ).action((address: string, note: string | undefined, options: SigningOptions) => {
    const applicant = addressOrRefuse(address)
    return withPool((context) =>
      appoint(
        context,
        (deciding) => proposePartnerRejection(context.db, deciding, { address: applicant, note }),
        options,
        {
          done: 'The worker carries it out within a minute, and the member sees it: lode partner list',
        },
      ),
    )
  })
}

async function list({ db, pool, operators, contracts }: PoolContext): Promise<Result<Answer, string>> {
  const nameOf = await readOperatorNames(db, pool)
  const applications = (await listWaitingApplications(db, operators)).map(({ pendingDecisions, ...application }) => ({
    ...application,
    pendingDecisions: pendingDecisions.map(({ verb, signers }) => ({ verb, signers: signers.map(nameOf) })),
  }))
  const partners = await listPartners(db)
  const refused = await listRefusedAppointments(db, ['approve-partner', 'reject-partner'])
  const waiting = applications.map(({ address, appliedAt, pendingDecisions }) =>
    [
      `  ${address}  since ${formatUtc(appliedAt)}`,
      ...pendingDecisions.map(({ verb, signers }) => `to ${verb}, signed by ${signers.join(' and ')}`),
    ].join('; '),
  )
  return ok({
    text: [
      ...['Applications that wait, the oldest first:', ...(waiting.length > 0 ? waiting : ['  none'])],
      ...describeAppointments('Partners, the newest first:', partners, contracts),
      ...describeRefusedAppointments(refused),
    ].join('\n'),
    data: { applications, partners: appointmentData(partners, contracts), refused },
  })
}
