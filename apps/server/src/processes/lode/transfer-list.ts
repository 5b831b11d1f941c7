import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { readPauseEnd } from '../../modules/operators/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import {
  deriveTransferProgress,
  findHalfSigned,
  isOverdue,
  isUnderReview,
  type LoadedTransfer,
  operatorsNeeded,
  readWaitingTransfers,
  type WaitingCounts,
  type WaitingFilter,
  type WaitingPage,
  waitingStatuses,
} from '../../modules/transfer/index.ts'
import { readVaultPause } from '../../modules/vault/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { decimalsOf, formatCoins, formatNumber } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import { describePayoutPause } from './describe-payout-pause.ts'
import { describeSignerProblem } from './describe-signer-problem.ts'
import { describeWait } from './describe-transfer-wait.ts'
import { describeVaultPause } from './describe-vault-pause.ts'
import { readOperatorNames } from './operator-names.ts'
import type { Answer } from './terminal.ts'
import { formatAge, formatUtc } from './times.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

const PAGE_SIZE = 50

type ListOptions = {
  readonly status?: string
  readonly symbol?: string
  readonly member?: string
  readonly olderThan?: string
  readonly above?: string
  readonly after?: string
}

export function addTransferListCommand(transfer: Command): void {
  transfer
    .command('list')
    .option('--status <status>', `only these: ${waitingStatuses.join(', ')}`)
    .option('--symbol <symbol>', 'only this asset')
    .option('--member <address>', 'only of this member')
    .option('--older-than <hours>', 'only those that were asked for before that')
    .option('--above <amount>', 'only larger ones; needs --symbol')
    .option('--after <number>', 'continue an earlier list')
    .description('count the transfers that are not signed yet; show them and what they wait for, the oldest first')
    .action((options: ListOptions) => withPool((context) => list(context, options)))
}

async function list(context: PoolContext, options: ListOptions): Promise<Result<Answer, string>> {
  const { db, pool, operators, contracts } = context
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const after = BigInt(numberOrRefuse(options.after ?? '0'))
  const filter = filterOrRefuse(context, options)
  const page = await readWaitingTransfers(db, { plans, operators }, filter, { after, limit: PAGE_SIZE })
  const pausedUntil = await readPauseEnd(db, operators, await readClock(db))
  const payoutPause = await describePayoutPause(context)
  const vaultPause = await readVaultPause(db, contracts.vault)
  const signerProblem = await describeSignerProblem(db)
  const nameOf = await readOperatorNames(db, pool)
  const now = await readClock(db)
  const next = page.next === null ? null : describeNextCommand(options, page.next)
  return ok({
    text: [
      ...(signerProblem === null ? [] : [signerProblem]),
      ...(vaultPause ? [`The vault is ${describeVaultPause(vaultPause)}`] : []),
      ...(payoutPause === null ? [] : [`Payouts are ${payoutPause}.`]),
      ...describeCounts(page.counts, now, isFiltered(options)),
      ...page.transfers.flatMap((transfer) => describeTransfer(transfer, nameOf, context)),
      ...describePage(page, options),
      ...(next === null ? [] : [`The next page: ${next}`]),
    ].join('\n'),
    data: {
      signerProblem,
      pausedUntil,
      vaultPause,
      counts: page.counts,
      matching: page.matching,
      skipped: page.skipped,
      transfers: page.transfers.map((transfer) => toData(transfer, nameOf, context)),
      next: page.next,
    },
  })
}

function filterOrRefuse(
  { contracts }: PoolContext,
  { status, symbol, member, olderThan, above }: ListOptions,
): WaitingFilter {
  const known = waitingStatuses.find((one) => one === status)
  if (status !== undefined && !known)
    throw new ExpectedFailure(`${status} is not a status. Use one of: ${waitingStatuses.join(', ')}.`)
  const asset = symbol === undefined ? undefined : assetOrRefuse(symbol)
  if (above !== undefined && asset === undefined) throw new ExpectedFailure('--above needs --symbol.')
  return {
    ...(known && { status: known }),
    ...(asset && { asset }),
    ...(above !== undefined && asset && { above: amountOrRefuse(contracts, asset, above) }),
    ...(member !== undefined && { member: addressOrRefuse(member) }),
    ...(olderThan !== undefined && { olderThanHours: hoursOrRefuse(olderThan) }),
  }
}

function hoursOrRefuse(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text)) throw new ExpectedFailure(`${text} is not a number of hours.`)
  return Number(text)
}

function numberOrRefuse(text: string): string {
  if (!/^(0|[1-9][0-9]{0,17})$/.test(text))
    throw new ExpectedFailure(`${text} is not a number that an earlier list printed.`)
  return text
}

/** The counts are of the transfers that match these options. `--status` only chooses which of them are shown. */
const isFiltered = ({ symbol, member, olderThan, above }: ListOptions): boolean =>
  [symbol, member, olderThan, above].some((option) => option !== undefined)

function describeCounts(counts: WaitingCounts, now: Date, filtered: boolean): string[] {
  if (counts.all === 0) return [filtered ? 'No transfer that waits matches these options.' : 'No transfer waits.']
  const oldest = counts.oldestReviewAt ? `, the oldest for ${formatAge(counts.oldestReviewAt, now)}` : ''
  return [
    `Not signed yet${filtered ? ' and matching' : ''}: ${counts.all}. Under review: ${counts.review}${oldest}.`,
    `Overdue: ${counts.overdue}. Need a second operator: ${counts['half-signed']}. Held by a check: ${counts.check}.`,
  ]
}

function describePage({ skipped, transfers, matching, counts }: WaitingPage, options: ListOptions): string[] {
  const { status } = options
  if (matching === 0) {
    // With no match for the other options, the first line has said it. Some may have this status all the same.
    if (status === undefined || (isFiltered(options) && counts.all === 0)) return []
    return [`None${isFiltered(options) ? ' of them' : ''} has the status ${status}.`]
  }
  if (transfers.length === 0) return [`There are none after that: ${matching} in all.`]
  return [`Shown: ${skipped + 1} to ${skipped + transfers.length} of ${matching}.`]
}

function describeNextCommand({ after: _after, olderThan, ...others }: ListOptions, next: bigint): string {
  const given = Object.entries({ ...others, 'older-than': olderThan, after: String(next) })
  return [
    'lode transfer list',
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`])),
  ].join(' ')
}

type NameOf = Awaited<ReturnType<typeof readOperatorNames>>

function describeTransfer(transfer: LoadedTransfer, nameOf: NameOf, { contracts }: PoolContext): string[] {
  const { id, asset, amount, fee, address, requestedAt } = transfer.row
  const to = address === transfer.account ? 'the member’s own wallet' : address
  return [
    `${id}  ${formatCoins(contracts, asset, amount)}, fee ${formatCoins(contracts, asset, fee)}, of ${transfer.account} to ${to}`,
    `    asked for on ${formatUtc(requestedAt)}; ${describeWait(transfer)}`,
    ...listHalfSigned(transfer, nameOf).map(
      ({ verb, signer, signedAt, expiresAt }) =>
        `    to ${verb}: signed by ${signer} on ${formatUtc(signedAt)}, needs another operator until ${formatUtc(expiresAt)}`,
    ),
  ]
}

const listHalfSigned = (transfer: LoadedTransfer, nameOf: NameOf) =>
  isUnderReview(transfer)
    ? findHalfSigned(transfer).map(({ verb, signers, firstSignedAt, expiresAt }) => ({
        verb,
        signer: nameOf(signers[0] ?? ''),
        signedAt: firstSignedAt,
        expiresAt,
      }))
    : []

function toData(transfer: LoadedTransfer, nameOf: NameOf, { contracts }: PoolContext) {
  const { id, number, asset, amount, fee, address, requestedAt, heldCheck } = transfer.row
  const { state, holds, queue } = deriveTransferProgress(transfer)
  return {
    id,
    number,
    member: transfer.account,
    symbol: asset,
    amount: formatNumber(contracts, asset, amount),
    fee: formatNumber(contracts, asset, fee),
    address,
    requestedAt,
    state,
    holds,
    queue,
    heldCheck,
    overdue: isOverdue(transfer),
    operatorsNeeded: isUnderReview(transfer) ? operatorsNeeded(transfer.row, transfer.reviewSizes) : 0,
    halfSigned: listHalfSigned(transfer, nameOf),
  }
}
