import { accountNumber, SYSTEM } from './account-number.ts'
import { type KindName, kinds, logTypeCodes, type TypeName, types } from './chart.ts'
import { inputHash } from './input-hash.ts'
import type { AnyLine, Transaction } from './transaction.ts'

/**
 * Whether the chart alone can tell that a move is allowed: one account to one other account, beginning one log line of
 * one member. lode.post_plain posts such a move with half the work of lode.post.
 */
export function isPlain(type: TypeName, debit: KindName, credit: KindName): boolean {
  const [rule, from, to] = [types[type], kinds[debit], kinds[credit]]
  const begins =
    (rule.phase === 'confirmed' && from.log === null && to.log === 'available') ||
    (rule.phase === 'confirming' && from.log === 'available' && to.log === 'frozen')
  const asks = rule.undoes !== null || rule.sameAddress || rule.creditsOthers || from.holder === 'suspense'
  const takesFromMany = from.stripes > 1 && from.floored
  return begins && !asks && !takesFromMany && to.stripes === 1
}

/** Returns the parameters of lode.post_plain, or null if the transaction needs lode.post. */
export function encodePlain(transaction: Transaction): readonly unknown[] | null {
  const [move, ...more] = transaction.moves
  if (!move || more.length > 0 || move.amount <= 0n) return null
  const { asset, amount, from, to } = move
  const debit: KindName = typeof from === 'string' ? from : from.kind
  if (typeof to === 'string' || !('line' in to) || !isPlain(transaction.type, debit, to.kind)) return null
  const line: AnyLine = to.line
  const ofOneMember =
    (!('member' in transaction) || transaction.member === to.member) &&
    (typeof from === 'string' || ('member' in from && from.member === to.member))
  const ofOneLine = typeof from === 'string' || !('line' in from) || isSame(from.line, line)
  if (!ofOneMember || !ofOneLine || (line.fee ?? 0n) !== 0n) return null
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

const isSame = (one: AnyLine, other: AnyLine): boolean =>
  one === other ||
  (one.type === other.type && one.operation === other.operation && (one.fee ?? 0n) === (other.fee ?? 0n))
