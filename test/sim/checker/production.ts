import { parseUnits } from 'viem'
import type { Acknowledged } from '../acknowledged.ts'
import { DECIMALS, type PlanFile } from '../stack/plan.ts'
import { ASSET_CODES, type Books, KIND, sumOn, TYPE } from './books.ts'
import type { Entry } from './chain-entries.ts'
import { accountLabel, describeMoves, hasExactMoves } from './moves.ts'
import { ProductionModel } from './production-model.ts'
import { type DayRow, LETTERS } from './production-rows.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const HOURS_FOR_OPERATORS = 72
const OPERATORS = 2

type ProductionCheckInput = {
  readonly books: Books
  /** The final entries of the chain. */
  readonly entries: readonly Entry[]
  readonly plans: readonly PlanFile[]
  readonly acknowledged: Acknowledged
  /** The time of a block, in milliseconds. */
  readonly timeOf: (block: bigint) => Promise<number>
}

/** When a day may be closed, by its plan version. */
const earliestCloseOf = (day: number, plan: PlanFile | undefined): number =>
  (day + 1) * DAY_MS + (plan?.closeHour ?? 0) * HOUR_MS

/** All final fundings up to the posted block, each with its day. */
const listFundings = ({ books, entries }: Pick<ProductionCheckInput, 'books' | 'entries'>): Funding[] =>
  entries.flatMap(({ log, block, amount, what }) =>
    what.kind === 'dividend' && block <= (books.posted?.number ?? -1n)
      ? [{ log, block, amount, day: what.day, evidence: what.evidence }]
      : [],
  )

type Funding = {
  readonly log: string
  readonly block: bigint
  readonly amount: bigint
  readonly day: number
  readonly evidence: string
}

/** The most that this day may share out, and the plan's daily limit. */
function fundingLimitOf({ books, plans }: Pick<ProductionCheckInput, 'books' | 'plans'>, { plan, decision }: DayRow) {
  const byPlan = parseUnits(plans[plan - 1]?.dayFundingMax ?? '0', DECIMALS.BTC)
  const approved = decision === null ? undefined : books.dayDecisions.get(decision)
  return { byPlan, approved, most: approved && approved.amount > byPlan ? approved.amount : byPlan }
}

/** Computes the closed days again, from the chain logs of each day and the pledges. */
export function recomputeDays(producing: Pick<ProductionCheckInput, 'books' | 'entries' | 'plans'>) {
  const { books } = producing
  const amounts = new Map(listFundings(producing).map(({ log, amount }) => [log, amount]))
  const evenings = new ProductionModel(books.pledges)
  const days = books.days.map((row) => {
    const brought = row.fundings.reduce((sum, log) => sum + (amounts.get(log) ?? 0n), 0n)
    return { row, brought, must: evenings.closeDay(row.day, brought, fundingLimitOf(producing, row).most) }
  })
  return { days, wholeUnits: evenings.wholeUnits }
}

type RecomputedDays = ReturnType<typeof recomputeDays>

/**
 * Every day is closed once, in order, not too early, with exactly the chain's funding for it, and shared out
 * completely.
 */
export async function productionFindings(producing: ProductionCheckInput, spent: RecomputedDays): Promise<string[]> {
  return [
    ...orderOfDays(producing),
    ...(await fundingFindings(producing)),
    ...approvalFindings(producing, spent),
    ...letterFindings(spent),
    ...bookFindings(producing, spent),
    ...(await hourFindings(producing)),
  ]
}

function* orderOfDays({ books: { days, planStarts } }: ProductionCheckInput): Generator<string> {
  const first = Math.floor(Math.min(...planStarts.map(({ startsAt }) => startsAt)) / DAY_MS)
  for (const [index, { day }] of days.entries())
    if (day !== first + index) yield `day ${day} is closed where ${first + index} comes next`
}

/** Not before the closing hour by the clock, and not before the posted block has passed that hour. */
async function hourFindings({ books, plans, timeOf }: ProductionCheckInput): Promise<string[]> {
  const findings: string[] = []
  const posted = books.posted ? await timeOf(books.posted.number) : 0
  for (const { day, plan, closedAt } of books.days) {
    const hour = earliestCloseOf(day, plans[plan - 1])
    if (closedAt < hour || posted <= hour)
      findings.push(
        `day ${day} closed at ${iso(closedAt)} with the posted block of ${iso(posted)}, before ${iso(hour)}`,
      )
  }
  return findings
}

/** Each funding is in at most one day, and not before its own. A funding that came in time is not left for later. */
async function fundingFindings(producing: ProductionCheckInput): Promise<string[]> {
  const { books, plans, timeOf } = producing
  const findings: string[] = []
  const brought = new Map(listFundings(producing).map((each) => [each.log, each]))
  const usedOn = new Map<string, number>()
  for (const { day, fundings } of books.days)
    for (const log of fundings) {
      const funding = brought.get(log)
      if (!funding) findings.push(`day ${day} has the funding ${log}, which the final chain has not`)
      else if (funding.day > day) findings.push(`day ${day} has the funding ${log}, which is for day ${funding.day}`)
      if (usedOn.has(log)) findings.push(`the funding ${log} is in the days ${usedOn.get(log)} and ${day}`)
      usedOn.set(log, day)
    }
  for (const { log, block, day } of brought.values()) {
    const came = await timeOf(block)
    const due = books.days.find((row) => row.day >= day && came <= earliestCloseOf(row.day, plans[row.plan - 1]))
    const used = usedOn.get(log)
    if (due && (used === undefined || used > due.day))
      findings.push(
        `the funding ${log} for day ${day} came at ${iso(came)}, and is in ${used ?? 'none'}, not ${due.day}`,
      )
  }
  const outputs = Array.from(brought.values(), ({ evidence }) => evidence)
  if (new Set(outputs).size !== outputs.length) findings.push('one Bitcoin output funded twice')
  return findings
}

/**
 * A day shares out more than the plan's daily limit only if two operators approved it. Otherwise it waits for them for
 * the plan's hours.
 */
function* approvalFindings(producing: ProductionCheckInput, { days }: RecomputedDays): Generator<string> {
  const { acknowledged, plans } = producing
  for (const { row, brought } of days) {
    const { byPlan, approved } = fundingLimitOf(producing, row)
    const until = earliestCloseOf(row.day, plans[row.plan - 1]) + HOURS_FOR_OPERATORS * HOUR_MS
    if (row.decision === null) {
      if (brought > byPlan && row.closedAt < until)
        yield `day ${row.day} with ${brought} of ${byPlan} closed at ${iso(row.closedAt)}, and nobody approved it`
      continue
    }
    const names = acknowledged.dayApprovals.get(row.day)?.size ?? 0
    if (names < OPERATORS || approved?.subject !== `day:${row.day}` || approved.verb !== 'approve-day')
      yield `day ${row.day} is closed by decision ${row.decision}, of ${names} operators: ${approved?.verb} ${approved?.subject}`
  }
}

function* letterFindings({ days }: RecomputedDays): Generator<string> {
  for (const { row, must } of days)
    for (const letter of LETTERS)
      if (row.letters[letter] !== must[letter])
        yield `day ${row.day} has ${letter} ${row.letters[letter]}, and must have ${must[letter]}`
}

/** Funding is in one ledger account until its day shares it out, and then in another until it is paid. */
function* bookFindings(producing: ProductionCheckInput, { days }: RecomputedDays): Generator<string> {
  const { books } = producing
  const closings = new Map(
    books.transactions.filter(({ type }) => type === TYPE.dividendClose).map((each) => [each.key, each]),
  )
  let [shared, funded, aside] = [0n, 0n, 0n]
  for (const { row, brought, must } of days) {
    const amount = must.S > 0n ? must.F + must.T : 0n
    shared += amount
    funded += brought
    aside = must.C
    const key = `day:${row.day}:dividend`
    const posted = closings.get(key)
    closings.delete(key)
    const moves = new Map([
      [accountLabel(KIND.dividendFunded, 0n), -amount],
      [accountLabel(KIND.dividendPayable, 0n), amount],
    ])
    if (amount === 0n ? posted : !posted || !hasExactMoves(posted, moves, ASSET_CODES.BTC))
      yield `day ${row.day} shares out ${amount}, and the books have ${posted && describeMoves(posted)}`
  }
  for (const key of closings.keys()) yield `${key} is in the books, and no such day is closed`
  const paid = books.pledges.reduce((sum, pledge) => sum + pledge.paid, 0n)
  if (paid > funded - aside) yield `${paid} were paid of ${funded} that were funded, of which ${aside} wait`
  const everything = sumOf(listFundings(producing))
  const [inFunded, inPayable] = [sumOn(books, KIND.dividendFunded), sumOn(books, KIND.dividendPayable)]
  if (inFunded !== everything - shared)
    yield `${inFunded} are funded and not shared out, of ${everything} less ${shared}`
  if (inPayable !== shared - paid) yield `${inPayable} wait to be paid, of ${shared} less ${paid}`
}

/** The days as they were first read, which must never change, and the plans of that time. */
export class DayHistory {
  readonly #known = new Map<number, string>()
  #plansBefore: Books['planStarts'] = []

  findings(books: Books): string[] {
    return Array.from(this.#compare(books))
  }

  *#compare({ days, partnerDays, planStarts }: Books): Generator<string> {
    const told = new Map<number, string>()
    for (const row of days) {
      const ofPartners = partnerDays.find(({ day }) => day === row.day)
      told.set(
        row.day,
        JSON.stringify([row, ofPartners], (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      )
    }
    for (const [day, was] of this.#known)
      if (told.get(day) !== was) yield `day ${day} was closed as ${was}, and is ${told.get(day)}`
    for (const { day, plan } of days) {
      if (this.#known.has(day)) continue
      // A plan may have been published just before the day closed, or just after, by a clock that went back.
      const inForce = [this.#plansBefore, planStarts].map((plans) =>
        Math.max(...plans.filter(({ startsAt }) => startsAt <= (day + 1) * DAY_MS).map(({ version }) => version)),
      )
      if (!inForce.includes(plan)) yield `day ${day} is closed by plan ${plan}, and ${inForce.at(-1)} was in force`
      this.#known.set(day, told.get(day) ?? '')
    }
    this.#plansBefore = planStarts
  }
}

/**
 * The days that should be closed by now, with everything repaired. Only a day above its limit may wait, and not
 * forever.
 */
export async function openDayFindings(
  producing: Omit<ProductionCheckInput, 'acknowledged'>,
  now: number,
): Promise<string[]> {
  const { books, plans, timeOf } = producing
  const starts = books.planStarts.map(({ startsAt }) => startsAt)
  const last = books.days.at(-1)?.day ?? Math.floor(Math.min(...starts) / DAY_MS) - 1
  const next = last + 1
  const started = books.planStarts.filter(({ startsAt }) => startsAt <= (next + 1) * DAY_MS)
  const plan = plans[Math.max(...started.map(({ version }) => version)) - 1]
  const used = new Set(books.days.flatMap(({ fundings }) => fundings))
  const waiting = listFundings(producing).filter(({ log, day }) => !used.has(log) && day <= next)
  const isHuge = sumOf(waiting) > parseUnits(plan?.dayFundingMax ?? '0', DECIMALS.BTC)
  const until = earliestCloseOf(next, plan) + (isHuge ? HOURS_FOR_OPERATORS * HOUR_MS : 0)
  const posted = books.posted ? await timeOf(books.posted.number) : 0
  return Math.min(now, posted) > until ? [`day ${next} is not closed at ${iso(now)}`] : []
}

const sumOf = (brought: readonly Funding[]): bigint => brought.reduce((sum, { amount }) => sum + amount, 0n)

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()
