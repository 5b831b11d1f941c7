import type { DataOf } from '@lode/wire'
import type { WalletLogLine } from './use-log.ts'

type Line = Pick<WalletLogLine, 'id' | 'at'>
type Pledge = Pick<DataOf<'pledge/records'>['items'][number], 'id' | 'startDay' | 'endDay' | 'settledAt'>
type ClosedDay = Pick<DataOf<'pool/days'>['items'][number], 'day' | 'closedAt'>

/** A part of a list, newest first. `next` is null if the list ends with it. */
type Part<Item> = { readonly items: readonly Item[]; readonly next: string | null }

export type DividendHistory = {
  /** The dividend lines of the log. */
  readonly lines: Part<Line>
  readonly pledges: Part<Pledge>
  readonly closed: Part<ClosedDay>
}

export type DayRange = { readonly first: number; readonly last: number }

/**
 * Both times are those at which a transaction began. If a day was closed this shortly before or after a payment, they do
 * not tell whether the payment saw the day.
 */
const UNCERTAIN_MS = 5_000

/**
 * The days that a dividend line pays. A line that a member collected pays all closed days since the previous collection.
 * The line at the end of a pledge has the id of the pledge, and pays the rest of this pledge alone. Null if the loaded
 * parts of the history are too short to tell, or if a day was closed at the time of the payment.
 */
export function findDividendDays(line: Line, { lines, pledges, closed }: DividendHistory): DayRange | null {
  if (pledges.next !== null) return null
  const endedPledge = pledges.items.find(({ id }) => isPaymentOf(line, id))
  const index = lines.items.findIndex(({ id }) => id === line.id)
  const previous = lines.items.slice(index + 1).find((one) => !pledges.items.some(({ id }) => isPaymentOf(one, id)))
  if (index < 0 || (!previous && lines.next !== null)) return null
  const paying = endedPledge ? [endedPledge] : pledges.items.filter((pledge) => !isSettledBefore(pledge, line))
  const isPaid = ({ day, closedAt }: ClosedDay): boolean =>
    paying.some(({ startDay, endDay }) => startDay !== null && endDay !== null && startDay <= day && day < endDay) &&
    (endedPledge !== undefined || closedAt <= line.at) &&
    (previous === undefined || closedAt > previous.at)
  const paid = closed.items.filter(isPaid)
  const oldest = closed.items.at(-1)
  const [first, last] = [paid.at(-1), paid[0]]
  if (!first || !last || !oldest || (closed.next !== null && isPaid(oldest))) return null
  const payments = [...(endedPledge ? [] : [line]), ...(previous ? [previous] : [])]
  if (payments.some(({ at }) => closed.items.some(({ closedAt }) => isNear(at, closedAt)))) return null
  return { first: first.day, last: last.day }
}

const isPaymentOf = ({ id }: Line, pledge: string): boolean => id.endsWith(`:${pledge}`)

const isSettledBefore = ({ settledAt }: Pledge, { at }: Line): boolean => settledAt !== null && settledAt <= at

const isNear = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) < UNCERTAIN_MS
