import { accountNumber, SYSTEM } from './account-number.ts'
import { type KindName, kinds, logTypeCodes, type TypeName, types } from './chart.ts'
import { inputHash } from './input-hash.ts'
import type { AnyLine, Transaction } from './transaction.ts'

/**
 * Whether lode.post_plain may post such a move: from one account to another, beginning one log line of one member. The
 * chart alone decides that it is allowed. lode.post_plain does half the work of lode.post.
 */
export function isFastPostable(type: TypeName, debit: KindName, credit: KindName): boolean {
  const [rule, from, to] = [types[type], kinds[debit], kinds[credit]]
  const beginsLine =
    (rule.phase === 'confirmed' && from.log === null && to.log === 'available') ||
    (rule.phase === 'confirming' && from.log === 'available' && to.log === 'frozen')
  const needsFurtherChecks =
    rule.undoes !== null || rule.sameAddress || rule.creditsOthers || from.holder === 'suspense'
  const debitsManyStripes = from.stripes > 1 && from.floored && !from.dividesCredits
  return beginsLine && !needsFurtherChecks && !debitsManyStripes && to.stripes === 1
}

/** Returns the parameters of lode.post_plain, or null if the transaction needs lode.post. */
export function encodeFastPost(transaction: Transaction): readonly unknown[] | null {
  const [move, ...more] = transaction.moves
  if (!move || more.length > 0 || move.amount <= 0n) return null
  const { asset, amount, from, to } = move
  const debit: KindName = typeof from === 'string' ? from : from.kind
  if (typeof to === 'string' || !('line' in to) || !isFastPostable(transaction.type, debit, to.kind)) return null
  const line: AnyLine = to.line
  const isOneMember =
    (!('member' in transaction) || transaction.member === to.member) &&
    (typeof from === 'string' || ('member' in from && from.member === to.member))
  const isOneLine = typeof from === 'string' || !('line' in from) || isSameLine(from.line, line)
  if (!isOneMember || !isOneLine || (line.fee ?? 0n) !== 0n) return null
  return [
    to.member,
    transaction.key,
    inputHash(transaction),
    types[transaction.type].code,
    accountNumber(SYSTEM, debit, asset),
    accountNumber(SYSTEM, to.kind, asset),
    amount,
    logTypeCodes[line.type],
    line.operation,
  ]
}

const isSameLine = (one: AnyLine, other: AnyLine): boolean =>
  one === other ||
  (one.type === other.type && one.operation === other.operation && (one.fee ?? 0n) === (other.fee ?? 0n))
