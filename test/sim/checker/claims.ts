import { ASSET_CODES, type Books, KIND, kindOf, sumOn, TYPE } from './books.ts'
import { accountLabel, describeMoves, hasExactMoves } from './moves.ts'
import type { PromotionModel } from './promotion-model.ts'

/** Thanksgiving rewards: unclaimed ones wait, and claimed ones are in the balance exactly once. */
export function* claimFindings(books: Books, model: PromotionModel, explained: Set<bigint>): Generator<string> {
  const due = Map.groupBy(
    books.rewards.filter(({ type, failed }) => type === 'agentReward' && failed === null),
    ({ member }) => member,
  )
  const sum = (amounts: readonly { amount: bigint }[]) => amounts.reduce((total, { amount }) => total + amount, 0n)
  for (const { isClaimed, type, failed, order } of books.rewards)
    if (isClaimed && (type !== 'agentReward' || failed !== null)) yield `a ${type} of order ${order} was claimed`
  const claims = books.transactions.filter(({ type }) => type === TYPE.agentReward)
  for (const claim of claims) {
    explained.add(claim.id)
    const amount = sum(claim.postings.filter((posting) => posting.amount > 0n))
    const must = new Map([
      [accountLabel(KIND.agentUnclaimed, claim.member), -amount],
      [accountLabel(KIND.available, claim.member), amount],
    ])
    if (!hasExactMoves(claim, must, ASSET_CODES.USDT)) yield `transaction ${claim.id} claims ${describeMoves(claim)}`
    model.claim(claim.member, amount)
  }
  for (const id of books.people.keys()) {
    const own = due.get(id) ?? []
    const inBooks = sum(
      claims
        .filter(({ member }) => member === id)
        .flatMap(({ postings }) => postings.filter(({ account }) => kindOf(account) === KIND.available)),
    )
    const claimed = sum(own.filter(({ isClaimed }) => isClaimed))
    if (inBooks !== claimed) yield `member ${id} claimed ${claimed}, and the books have ${inBooks}`
    const waits = sum(own.filter(({ isClaimed }) => !isClaimed))
    const held = sumOn(books, KIND.agentUnclaimed, id)
    if (waits !== held) yield `${waits} wait for member ${id} to claim them, and the books have ${held}`
  }
}
