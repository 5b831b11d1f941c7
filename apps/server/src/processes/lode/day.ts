import { type DayNumber, ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { formatUtc, proposeDayApproval } from '../../modules/operators/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { type NextDay, readClosedDays, readFundedAhead, readNextDay } from '../../modules/pledge/index.ts'
import { decimalsOf, formatCoins, formatNumber } from '../../platform/config/pool-contracts.ts'
import { addFundCommand } from './day-fund.ts'
import { dayOrRefuse, formatDay } from './days.ts'
import { addSigningOptions, decide, type SigningOptions } from './decide.ts'
import { describeOpenDecisions, listOpenDecisions } from './open-decisions.ts'
import { readOperatorNames } from './operator-names.ts'
import type { Answer } from './terminal.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addDayCommands(program: Command): void {
  const day = program.command('day').description('the days whose production is shared out')

  day
    .command('list')
    .description('show the next day and what it waits for, and the last closed days')
    .action(() => withPool(list))

  addFundCommand(day)

  addSigningOptions(
    day
      .command('approve')
      .argument('<day>', 'its number, as lode day list shows it')
      .description('let a day share out all its funding, above the daily limit of the plan; two operators sign'),
  ).action((number: string, options: SigningOptions) =>
    withPool((context) => approve(context, dayOrRefuse(number), options)),
  )
}

async function approve(context: PoolContext, day: DayNumber, options: SigningOptions): Promise<Result<string, string>> {
  const next = await loadNextDay(context)
  if (next?.day !== day)
    return refused(`It is not the turn of day ${day}: ${next ? describeNextDay(next, context) : NO_PLAN}`)
  if (next.approval && next.approval.amount >= next.funding)
    return refused(`Nothing was signed. The day is ${await describeApproval(context, next.approval)} already.`)
  if (next.funding <= next.planMost)
    return refused('The funding is within the daily limit of the plan: there is nothing to approve.')
  return decide(context, proposeDayApproval(day, next.funding), options, {
    done: 'The worker closes the day within a minute, once it is due and the ledger has passed its closing hour.',
  })
}

type Approval = NonNullable<NextDay['approval']>

async function describeApproval(
  { db, pool, contracts }: PoolContext,
  { decision, amount, signers }: Approval,
): Promise<string> {
  const names = signers.map(await readOperatorNames(db, pool)).join(' and ')
  return `approved by ${names} up to ${formatCoins(contracts, 'BTC', amount)} (decision ${decision})`
}

async function list(context: PoolContext): Promise<Result<Answer, string>> {
  const next = await loadNextDay(context)
  const approval = next?.approval ? await describeApproval(context, next.approval) : null
  const open = await listOpenDecisions(context, ['approve-day'])
  const ahead = next ? await readFundedAhead(context.db, next.day) : []
  const closed = await readClosedDays(context.db, SHOWN_DAYS)
  const coins = (amount: bigint) => formatNumber(context.contracts, 'BTC', amount)
  return ok({
    text: [
      next ? describeNextDay(next, context) : NO_PLAN,
      ...(approval === null ? [] : [`It is ${approval}.`]),
      ...(open.length > 0 ? describeOpenDecisions(open) : []),
      ...(ahead.length > 0 ? ['Funded for later:'] : []),
      ...ahead.map(({ day, amount }) => `  ${formatDay(day)}  ${formatCoins(context.contracts, 'BTC', amount)}`),
      ...(closed.length > 0 ? ['Closed, the newest first:'] : []),
      ...closed.map(
        ({ day, shared, carry, closedAt }) =>
          `  ${formatDay(day)}  shared out ${formatCoins(context.contracts, 'BTC', shared)}, waiting ${formatCoins(context.contracts, 'BTC', carry)}; closed on ${formatUtc(closedAt)}`,
      ),
    ].join('\n'),
    data: {
      next: next && {
        day: next.day,
        closesAt: next.closesAt,
        funding: coins(next.funding),
        limit: coins(next.planMost),
        state: next.closeState.state,
        approval: next.approval && { ...next.approval, amount: coins(next.approval.amount) },
      },
      open,
      fundedLater: ahead.map(({ day, amount }) => ({ day, funding: coins(amount) })),
      closed: closed.map(({ day, shared, carry, closedAt }) => ({
        day,
        shared: coins(shared),
        waiting: coins(carry),
        closedAt,
      })),
    },
  })
}

const SHOWN_DAYS = 14
const NO_PLAN = 'No plan is published, so no day is closed.'

const loadNextDay = ({ db, operators, contracts }: PoolContext): Promise<NextDay | null> =>
  readNextDay(db, { operators, plans: createPlans({ decimals: decimalsOf(contracts), operators: null }) })

function describeNextDay(next: NextDay, { contracts }: PoolContext): string {
  const { day, funding, planMost, closesAt, closeState } = next
  const funded = `${formatDay(day)} is next, with ${formatCoins(contracts, 'BTC', funding)} funded of ${formatCoins(contracts, 'BTC', planMost)} that the plan allows for one day`
  switch (closeState.state) {
    case 'scheduled':
      return `${funded}. It closes on ${formatUtc(closesAt)}.`
    case 'waiting-chain':
      return `${funded}. It waits until the ledger has posted all blocks up to ${formatUtc(closesAt)}.`
    case 'waiting-evidence':
      return `${funded}. A funding names a Bitcoin output that the Bitcoin node has not found, or that is worth less. The day waits for it until ${formatUtc(closeState.until)}.`
    case 'waiting-operators':
      return `${funded}. It waits for two operators until ${formatUtc(closeState.until)}: lode day approve ${day}`
    case 'due':
      return `${funded}. The worker closes it within a minute.`
  }
}
