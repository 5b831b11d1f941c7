import { type DayNumber, dayNumber, ok, type Result, refused, startOfDay } from '@lode/kernel'
import type { Command } from 'commander'
import { dayQuestion, inUtc } from '../../modules/operators/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { type NextDay, readClosedDays, readNextDay } from '../../modules/pledge/index.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { StartUpRefusal } from '../start-up.ts'
import { inCoins } from './amounts.ts'
import { type PoolContext, withPool } from './database.ts'
import { decide, type SigningOptions, signing } from './decide.ts'

export function dayCommands(program: Command): void {
  const day = program.command('day').description('the days whose bitcoin is shared out')

  day
    .command('list')
    .description('the next day and what it waits for, and the last that were closed')
    .action(() => withPool(list))

  signing(
    day
      .command('approve')
      .argument('<day>', 'its number, as lode day list shows it')
      .description('let a day share out all that was funded for it, beyond the most of the plan; two operators sign'),
  ).action((number: string, options: SigningOptions) =>
    withPool((context) => approve(context, dayOrRefuse(number), options)),
  )
}

async function approve(context: PoolContext, day: DayNumber, options: SigningOptions): Promise<Result<string, string>> {
  const next = await nextDay(context)
  if (next?.day !== day) return refused(`It is not the turn of day ${day}: ${next ? inWords(next, context) : NO_DAY}`)
  if (next.funding <= next.planMost)
    return refused('No more was funded than the plan lets in on one day: there is nothing to approve.')
  return decide(context, dayQuestion(day, next.funding), options, {
    done: 'The worker closes it within a minute, if it is due and the books have passed its hour.',
  })
}

async function list(context: PoolContext): Promise<Result<string, string>> {
  const next = await nextDay(context)
  const closed = await readClosedDays(context.db, SHOWN)
  return ok(
    [
      next ? inWords(next, context) : NO_DAY,
      ...(closed.length > 0 ? ['Closed, the newest first:'] : []),
      ...closed.map(
        ({ day, shared, carry, closedAt }) =>
          `  ${dayName(day)}  shared out ${inCoins(context.contracts, 'BTC', shared)}, waiting ${inCoins(context.contracts, 'BTC', carry)}; closed on ${inUtc(closedAt)}`,
      ),
    ].join('\n'),
  )
}

const SHOWN = 14
const NO_DAY = 'No plan is published: no day is closed.'

const nextDay = ({ db, operators, contracts }: PoolContext): Promise<NextDay | null> =>
  readNextDay(db, { operators, plans: createPlans({ decimals: decimalsOf(contracts), operators: null }) })

function inWords(next: NextDay, { contracts }: PoolContext): string {
  const { day, funding, planMost, closesAt, standing } = next
  const funded = `${dayName(day)} is next, with ${inCoins(contracts, 'BTC', funding)} funded of ${inCoins(contracts, 'BTC', planMost)} that the plan lets in at the most`
  switch (standing.state) {
    case 'scheduled':
      return `${funded}. It closes on ${inUtc(closesAt)}.`
    case 'waiting-chain':
      return `${funded}. It waits for the books to pass ${inUtc(closesAt)} on the chain.`
    case 'waiting-operators':
      return `${funded}. It waits for two operators until ${inUtc(standing.until)}: lode day approve ${day}`
    case 'due':
      return `${funded}. The worker closes it within a minute.`
  }
}

const dayName = (day: DayNumber): string => `${day} (${startOfDay(day).toISOString().slice(0, 10)})`

function dayOrRefuse(text: string): DayNumber {
  if (!/^[1-9][0-9]{0,6}$/.test(text)) throw new StartUpRefusal(`${text} is not the number of a day: lode day list`)
  return dayNumber(Number(text))
}
