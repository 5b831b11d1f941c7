import { type Result, refused } from '@lode/kernel'
import { orderId } from '@lode/wire'
import type { Command } from 'commander'
import { sql } from 'kysely'
import {
  formatUtc,
  MAX_PAUSE_HOURS,
  proposeApproval,
  proposePause,
  proposeRejection,
  proposeResume,
  readPauseEnd,
} from '../../modules/operators/index.ts'
import { readPayouts } from '../../modules/payout/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import {
  findHalfSigned,
  isUnderReview,
  type LoadedTransfer,
  loadTransfers,
  operatorsNeeded,
} from '../../modules/transfer/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import { describeDecidedTransfer } from './describe-decided-transfer.ts'
import { readOperatorNames } from './operator-names.ts'
import { tell } from './terminal.ts'
import { addTransferListCommand } from './transfer-list.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addTransferCommands(program: Command): void {
  const transfer = program.command('transfer').description('reviews and pauses of transfers out')

  addTransferListCommand(transfer)

  addSigningOptions(
    transfer
      .command('approve')
      .argument('<id>')
      .description('end the review of a transfer; a very large one takes two operators'),
  ).action((id: string, options: SigningOptions) =>
    withPool((context) => review(context, id, { verb: 'approve' }, options)),
  )

  addSigningOptions(
    transfer
      .command('reject')
      .argument('<id>')
      .argument('[note]', 'why; the member reads it, and the second operator need not say it again')
      .description('reject a transfer under review, which gives the money back; a very large one takes two operators'),
  ).action((id: string, note: string | undefined, options: SigningOptions) =>
    withPool((context) => review(context, id, { verb: 'reject', note }, options)),
  )

  addSigningOptions(
    transfer
      .command('pause')
      .argument('<hours>', `at most ${MAX_PAUSE_HOURS}`)
      .argument('<note>', 'why')
      .description('stop signing payouts for these hours; members see when it ends'),
  ).action((hours: string, note: string, options: SigningOptions) =>
    withPool((context) => pause(context, hours, note, options)),
  )

  addSigningOptions(
    transfer
      .command('resume')
      .argument('[note]', 'why; the second operator need not say it again')
      .description('end a pause; two operators sign'),
  ).action((note: string | undefined, options: SigningOptions) =>
    withPool(async (context) => {
      if (!(await readCurrentPauseEnd(context))) return refused('Nothing is paused.')
      return decide(context, proposeResume(note), options, { done: 'Payouts go on.', needsSigner: true })
    }),
  )
}

type ReviewDecision = { readonly verb: 'approve' } | { readonly verb: 'reject'; readonly note: string | undefined }

async function review(
  context: PoolContext,
  id: string,
  decision: ReviewDecision,
  options: SigningOptions,
): Promise<Result<string, string>> {
  if (!orderId.safeParse(id).success) return refused(`${id} is not the id of a transfer.`)
  const transfer = await loadTransfer(context, id)
  if (!transfer) return refused('There is no such transfer.')
  if (!isUnderReview(transfer)) return refused(await describeDecidedTransfer(context, transfer))
  await tellOpposite(context, transfer, decision.verb)
  const { asset: symbol, amount, address } = transfer.row
  const terms = { symbol, amount: String(amount), address }
  const effect =
    decision.verb === 'approve' ? 'It goes on, unless something else holds it.' : 'The money goes back to the member.'
  const proposal = decision.verb === 'approve' ? proposeApproval(id, terms) : proposeRejection(id, terms, decision.note)
  return decide(context, proposal, options, {
    done: effect,
    waiting: 'It is so large that another operator must sign too: the same command with another key.',
    signaturesNeeded: operatorsNeeded(transfer.row, transfer.reviewSizes),
    ...(decision.verb === 'reject' ? { onSigned: wakeWorker } : { needsSigner: true }),
  })
}

/** Says who has signed the opposite. The first of the two that is complete counts. */
async function tellOpposite({ db, pool }: PoolContext, transfer: LoadedTransfer, verb: string): Promise<void> {
  const opposite = findHalfSigned(transfer).filter((decision) => decision.verb !== verb)
  if (opposite.length === 0) return
  const nameOf = await readOperatorNames(db, pool)
  for (const { verb: other, signers, firstSignedAt } of opposite)
    tell(`${signers.map(nameOf).join(' and ')} signed to ${other} it, on ${formatUtc(firstSignedAt)}.`)
}

async function pause(
  context: PoolContext,
  hours: string,
  note: string,
  options: SigningOptions,
): Promise<Result<string, string>> {
  if (!/^[1-9][0-9]?$/.test(hours) || Number(hours) > MAX_PAUSE_HOURS)
    throw new ExpectedFailure(`${hours} is not a number of hours from 1 to ${MAX_PAUSE_HOURS}.`)
  const until = new Date((await readClock(context.db)).getTime() + Number(hours) * 3_600_000)
  const running = await readCurrentPauseEnd(context)
  const [end, reason] = running && running > until ? [running, ': an earlier pause lasts longer'] : [until, '']
  return decide(context, proposePause(until, note), options, {
    done: `Nothing is paid out until ${formatUtc(end)}${reason}. Two operators can end it earlier: lode transfer resume.`,
  })
}

async function loadTransfer(
  { db, operators, contracts }: PoolContext,
  id: string,
): Promise<LoadedTransfer | undefined> {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const rows = await readPayouts(db, sql`where kind = 'transfer' and id = ${id}`)
  return (await loadTransfers(db, rows, { plans, operators })).get(id)
}

const readCurrentPauseEnd = async ({ db, operators }: PoolContext): Promise<Date | null> =>
  readPauseEnd(db, operators, await readClock(db))
