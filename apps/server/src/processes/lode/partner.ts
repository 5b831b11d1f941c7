import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { inUtc } from '../../modules/operators/index.ts'
import {
  approvalQuestion,
  listPartners,
  refusedAppointments,
  rejectionQuestion,
  waitingApplications,
} from '../../modules/partner/index.ts'
import { appoint, appointmentLines, refusedLines } from './appointing.ts'
import { addressOrRefuse, type PoolContext, withPool } from './database.ts'
import { type SigningOptions, signing } from './decide.ts'

export function partnerCommands(program: Command): void {
  const partner = program.command('partner').description('members who share in what every promotion brings')

  partner
    .command('list')
    .description('who applies, who is one, and what could not be done')
    .action(() => withPool(list))

  signing(
    partner
      .command('approve')
      .argument('<address>', 'of the member who applies')
      .description('approve an application, for ever; two operators sign'),
  ).action((address: string, options: SigningOptions) => {
    const applicant = addressOrRefuse(address)
    return withPool((context) =>
      appoint(context, (deciding) => approvalQuestion(context.db, deciding, applicant), options, {
        done: 'It is a partner as soon as the worker comes to it: lode partner list',
      }),
    )
  })

  signing(
    partner
      .command('reject')
      .argument('<address>', 'of the member who applies')
      .argument('[note]', 'why; the member reads it, and the second operator need not say it again')
      .description('reject an application, which the member may make again; two operators sign'),
  ).action((address: string, note: string | undefined, options: SigningOptions) => {
    const applicant = addressOrRefuse(address)
    return withPool((context) =>
      appoint(context, (deciding) => rejectionQuestion(context.db, deciding, { address: applicant, note }), options, {
        done: 'The member is told as soon as the worker comes to it: lode partner list',
      }),
    )
  })
}

async function list({ db, operators, contracts }: PoolContext): Promise<Result<string, string>> {
  const waiting = (await waitingApplications(db, operators)).map(({ address, appliedAt, begun }) =>
    [
      `  ${address}  since ${inUtc(appliedAt)}`,
      ...begun.map(({ verb, signatures }) =>
        signatures > 1 ? `to ${verb}, when the worker comes to it` : `to ${verb}, says one operator`,
      ),
    ].join('; '),
  )
  return ok(
    [
      ...['Applications that wait, the oldest first:', ...(waiting.length > 0 ? waiting : ['  none'])],
      ...appointmentLines('Partners, the newest first:', await listPartners(db), contracts),
      ...refusedLines(await refusedAppointments(db, ['approve-partner', 'reject-partner'])),
    ].join('\n'),
  )
}
