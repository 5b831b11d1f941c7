import { ok, type Result, refused } from '@lode/kernel'
import { orderId } from '@lode/wire'
import type { Command } from 'commander'
import { sql } from 'kysely'
import {
  approvalQuestion,
  inUtc,
  LONGEST_PAUSE_HOURS,
  pauseQuestion,
  readPausedUntil,
  rejectionQuestion,
  resumeQuestion,
} from '../../modules/operators/index.ts'
import { readPayouts } from '../../modules/payout/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import {
  isOverdue,
  isUnderReview,
  type KnownTransfer,
  operatorsNeeded,
  readKnown,
  standingOf,
} from '../../modules/transfer/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { StartUpRefusal } from '../start-up.ts'
import { inCoins } from './amounts.ts'
import { type PoolContext, withPool } from './database.ts'
import { decide, type SigningOptions, signing, wakeWorker } from './decide.ts'
import { signerNote } from './signer-note.ts'

export function transferCommands(program: Command): void {
  const transfer = program.command('transfer').description('transfers out that the operators have a word in')

  transfer
    .command('list')
    .description('the transfers that are not signed yet, and what they wait for')
    .action(() => withPool(list))

  signing(
    transfer
      .command('approve')
      .argument('<id>')
      .description('end the review of a transfer; a very large one takes two operators'),
  ).action((id: string, options: SigningOptions) =>
    withPool((context) => review(context, id, { verb: 'approve' }, options)),
  )

  signing(
    transfer
      .command('reject')
      .argument('<id>')
      .argument('[note]', 'why; the member reads it, and the second operator need not say it again')
      .description('reject a transfer under review, which gives the money back; a very large one takes two operators'),
  ).action((id: string, note: string | undefined, options: SigningOptions) =>
    withPool((context) => review(context, id, { verb: 'reject', note }, options)),
  )

  signing(
    transfer
      .command('pause')
      .argument('<hours>', `at most ${LONGEST_PAUSE_HOURS}`)
      .argument('<note>', 'why')
      .description('sign no payouts for so long; members see until when'),
  ).action((hours: string, note: string, options: SigningOptions) =>
    withPool((context) => pause(context, hours, note, options)),
  )

  signing(
    transfer
      .command('resume')
      .argument('[note]', 'why; the second operator need not say it again')
      .description('end a pause; two operators sign'),
  ).action((note: string | undefined, options: SigningOptions) =>
    withPool(async (context) => {
      if (!(await pausedNow(context))) return refused('Nothing is paused.')
      return decide(context, resumeQuestion(note), options, { done: 'Payouts go on.', bySigner: true })
    }),
  )
}

type Verdict = { readonly verb: 'approve' } | { readonly verb: 'reject'; readonly note: string | undefined }

async function review(
  context: PoolContext,
  id: string,
  verdict: Verdict,
  options: SigningOptions,
): Promise<Result<string, string>> {
  if (!orderId.safeParse(id).success) return refused(`${id} is not the id of a transfer.`)
  const [known] = await openTransfers(context, id)
  if (!known) return refused('There is no such transfer that is not signed yet.')
  if (!isUnderReview(known)) return refused('It is not under review: there is nothing to decide.')
  const { asset: symbol, amount, address } = known.row
  const terms = { symbol, amount: String(amount), address }
  const effect =
    verdict.verb === 'approve' ? 'It goes on, unless something else holds it.' : 'The money goes back to the member.'
  const question = verdict.verb === 'approve' ? approvalQuestion(id, terms) : rejectionQuestion(id, terms, verdict.note)
  return decide(context, question, options, {
    done: effect,
    waiting: 'It is so large that another operator must sign too: the same command with another key.',
    enough: operatorsNeeded(known.row, known.sizes),
    ...(verdict.verb === 'reject' ? { alsoDo: wakeWorker } : { bySigner: true }),
  })
}

async function pause(
  context: PoolContext,
  hours: string,
  note: string,
  options: SigningOptions,
): Promise<Result<string, string>> {
  if (!/^[1-9][0-9]?$/.test(hours) || Number(hours) > LONGEST_PAUSE_HOURS)
    throw new StartUpRefusal(`${hours} is no number of hours from 1 to ${LONGEST_PAUSE_HOURS}.`)
  const until = new Date((await readClock(context.db)).getTime() + Number(hours) * 3_600_000)
  return decide(context, pauseQuestion(until, note), options, { done: `Nothing is signed until ${inUtc(until)}.` })
}

async function list(context: PoolContext): Promise<Result<string, string>> {
  const { contracts } = context
  const paused = await pausedNow(context)
  const open = await openTransfers(context)
  const note = await signerNote(context.db)
  return ok(
    [
      ...(note === null ? [] : [note]),
      ...(paused ? [`Payouts are paused until ${inUtc(paused)}.`] : []),
      ...(open.length === 0 ? ['No transfer waits.'] : []),
      ...open.flatMap((known) => {
        const { id, asset, amount, fee, address, requestedAt } = known.row
        const to = address === known.account ? 'the member’s own wallet' : address
        return [
          `${id}  ${inCoins(contracts, asset, amount)}, fee ${inCoins(contracts, asset, fee)}, of ${known.account} to ${to}`,
          `    asked for on ${inUtc(requestedAt)}; ${waitsFor(known)}`,
        ]
      }),
    ].join('\n'),
  )
}

function waitsFor(known: KnownTransfer): string {
  const { holds, queue } = standingOf(known)
  const reasons = [
    ...holds.map(({ reason, endsAt }) => {
      const why = reason === 'check' ? `check (${known.row.heldCheck ?? 'its plan is not known'})` : reason
      return endsAt ? `${why} until ${inUtc(endsAt)}` : why
    }),
    ...(queue ? [`waits: ${queue.reason}${queue.late ? ', longer than usual' : ''}`] : []),
    ...(isOverdue(known) ? ['OVERDUE'] : []),
  ]
  return reasons.length > 0 ? reasons.join(', ') : 'will be signed next'
}

async function openTransfers({ db, operators, contracts }: PoolContext, id?: string): Promise<KnownTransfer[]> {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const rows = await readPayouts(
    db,
    sql`where kind = 'transfer' and ended is null and release_number is null
        ${id === undefined ? sql`` : sql`and id = ${id}`} order by number limit 500`,
  )
  const known = await readKnown(db, rows, { plans, operators })
  return rows.flatMap((row) => known.get(row.id) ?? [])
}

const pausedNow = async ({ db, operators }: PoolContext): Promise<Date | null> =>
  readPausedUntil(db, operators, await readClock(db))
