import { ok, type Result, refused } from '@lode/kernel'
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
  deriveTransferProgress,
  isOverdue,
  isUnderReview,
  type LoadedTransfer,
  loadTransfers,
  operatorsNeeded,
} from '../../modules/transfer/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { formatCoins } from './amounts.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import { describeSignerProblem } from './describe-signer-problem.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addTransferCommands(program: Command): void {
  const transfer = program.command('transfer').description('reviews and pauses of transfers out')

  transfer
    .command('list')
    .description('the transfers that are not signed yet, and what they wait for')
    .action(() => withPool(list))

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
  const [transfer] = await loadOpenTransfers(context, id)
  if (!transfer) return refused('There is no such transfer, or it is signed already.')
  if (!isUnderReview(transfer)) return refused('It is not under review: there is nothing to decide.')
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

async function list(context: PoolContext): Promise<Result<string, string>> {
  const { contracts } = context
  const paused = await readCurrentPauseEnd(context)
  const open = await loadOpenTransfers(context)
  const note = await describeSignerProblem(context.db)
  return ok(
    [
      ...(note === null ? [] : [note]),
      ...(paused ? [`Payouts are paused until ${formatUtc(paused)}.`] : []),
      ...(open.length === 0 ? ['No transfer waits.'] : []),
      ...open.flatMap((transfer) => {
        const { id, asset, amount, fee, address, requestedAt } = transfer.row
        const to = address === transfer.account ? 'the member’s own wallet' : address
        return [
          `${id}  ${formatCoins(contracts, asset, amount)}, fee ${formatCoins(contracts, asset, fee)}, of ${transfer.account} to ${to}`,
          `    asked for on ${formatUtc(requestedAt)}; ${describeWait(transfer)}`,
        ]
      }),
    ].join('\n'),
  )
}

function describeWait(transfer: LoadedTransfer): string {
  const { holds, queue } = deriveTransferProgress(transfer)
  const reasons = [
    ...holds.map(({ reason, endsAt }) => {
      const why = reason === 'check' ? `check (${transfer.row.heldCheck ?? 'its plan is not known'})` : reason
      return endsAt ? `${why} until ${formatUtc(endsAt)}` : why
    }),
    ...(queue ? [`waits: ${queue.reason}${queue.late ? ', longer than usual' : ''}`] : []),
    ...(isOverdue(transfer) ? ['OVERDUE'] : []),
  ]
  return reasons.length > 0 ? reasons.join(', ') : 'will be signed next'
}

async function loadOpenTransfers({ db, operators, contracts }: PoolContext, id?: string): Promise<LoadedTransfer[]> {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const rows = await readPayouts(
    db,
    sql`where kind = 'transfer' and ended is null and release_number is null
        ${id === undefined ? sql`` : sql`and id = ${id}`} order by number limit 500`,
  )
  const transfersById = await loadTransfers(db, rows, { plans, operators })
  return rows.flatMap((row) => transfersById.get(row.id) ?? [])
}

const readCurrentPauseEnd = async ({ db, operators }: PoolContext): Promise<Date | null> =>
  readPauseEnd(db, operators, await readClock(db))
