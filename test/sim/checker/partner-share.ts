import type { Acknowledged } from '../acknowledged.ts'
import { ASSET_CODES, type Books, KIND, sumOn, TYPE } from './books.ts'
import { accountLabel, describeMoves, hasExactMoves } from './moves.ts'
import { paidBy } from './pledges.ts'

const SCALE = 10n ** 36n

/**
 * What each partner can have been paid after each closed day, by member. Every partner gets the same, from the day
 * after its approval.
 */
export function sharesOfPartners({ partners, partnerDays }: Books): ReadonlyMap<bigint, readonly bigint[]> {
  return new Map(
    partners.map(({ member, approvedDay }) => {
      let held = 0n
      const own = partnerDays.filter(({ day }) => day > approvedDay)
      const whole = own.map(({ each }) => {
        held += each
        return held / SCALE
      })
      return [member, whole]
    }),
  )
}

/** Each day the partners' part is shared out again, or goes to the mining fund if there is no partner. */
export function* partnerShareFindings(books: Books, { collected }: Acknowledged): Generator<string> {
  const closed = books.days.map(({ day }) => day).join(' ')
  if (books.partnerDays.map(({ day }) => day).join(' ') !== closed)
    yield `the partners have the days ${books.partnerDays.map(({ day }) => day)} of ${closed}`
  const unmatched = new Map(
    books.transactions
      .filter(({ type }) => type === TYPE.partnerClose || type === TYPE.partnerUnshared)
      .map((each) => [each.key, each]),
  )
  let [crumbs, soFar, shared] = [0n, 0n, 0n]
  for (const { day, amount, partners, each, eachSoFar, rest } of books.partnerDays) {
    const there = BigInt(books.partners.filter(({ approvedDay }) => approvedDay < day).length)
    crumbs += there > 0n ? amount * SCALE : 0n
    const must = there > 0n ? crumbs / there : 0n
    crumbs -= must * there
    soFar += must
    shared += there > 0n ? amount : 0n
    if (partners !== there || each !== must || eachSoFar !== soFar || rest !== crumbs)
      yield `day ${day} gives ${partners} partners ${each} of ${amount}, and must give ${there} of them ${must}`
    const key = `day:${day}:partner`
    const posted = unmatched.get(key)
    unmatched.delete(key)
    const moves = new Map([
      [accountLabel(KIND.partnerFunded, 0n), -amount],
      [accountLabel(there > 0n ? KIND.partnerPayable : KIND.mining, 0n), amount],
    ])
    if (amount === 0n ? posted : !posted || !hasExactMoves(posted, moves, ASSET_CODES.USDT))
      yield `day ${day} has ${amount} for partners, and the books have ${posted && describeMoves(posted)}`
  }
  for (const key of unmatched.keys()) yield `${key} is in the books, and no such day is closed`
  yield* paidFindings(books, collected.USDT)
  const paid = Array.from(books.partnersPaid.values()).reduce((sum, amount) => sum + amount, 0n)
  const payable = sumOn(books, KIND.partnerPayable)
  if (payable !== shared - paid) yield `${payable} wait for partners, of ${shared} less ${paid}`
}

function* paidFindings(books: Books, collected: Acknowledged['collected']['USDT']): Generator<string> {
  const shares = sharesOfPartners(books)
  const rewards = Map.groupBy(
    books.transactions.filter(({ type }) => type === TYPE.partnerReward),
    ({ member }) => member,
  )
  for (const [member, own] of rewards)
    for (const reward of own) {
      const moves = new Map([
        [accountLabel(KIND.partnerPayable, 0n), -paidBy(reward)],
        [accountLabel(KIND.available, member), paidBy(reward)],
      ])
      if (!hasExactMoves(reward, moves, ASSET_CODES.USDT))
        yield `${reward.key} of ${member} went ${describeMoves(reward)}`
    }
  for (const { id, account } of books.people.values()) {
    const paid = books.partnersPaid.get(id) ?? 0n
    const inBooks = (rewards.get(id) ?? []).reduce((sum, reward) => sum + paidBy(reward), 0n)
    if (paid !== inBooks) yield `partner ${id} was paid ${paid}, and the books have ${inBooks}`
    if (paid !== 0n && !shares.get(id)?.includes(paid)) yield `partner ${id} was paid ${paid} of ${shares.get(id)}`
    const told = Array.from(collected).find(([address]) => address.toLowerCase() === account)?.[1] ?? 0n
    if (inBooks !== told) yield `partner ${id} was told of ${told} collected, and it is ${inBooks}`
  }
}
