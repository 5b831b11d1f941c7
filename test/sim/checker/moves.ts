import { assetOf, kindOf, type LedgerTransaction, ownerOf } from './books.ts'

/** The ledger transaction of a member under a key. The system is member 0. */
export type FindTransaction = (member: bigint, key: string) => LedgerTransaction | undefined

/** The name of a source or destination of money. */
export const accountLabel = (kind: number, owner: bigint): string => `${kind} of ${owner}`

/** Whether a ledger transaction makes exactly these moves, in one asset. */
export function hasExactMoves(
  { postings }: LedgerTransaction,
  must: ReadonlyMap<string, bigint>,
  asset: number,
): boolean {
  if (postings.some(({ account }) => assetOf(account) !== asset)) return false
  const moved = movesOf(postings)
  return moved.size === must.size && Array.from(must).every(([where, sum]) => moved.get(where) === sum)
}

function movesOf(postings: LedgerTransaction['postings']): Map<string, bigint> {
  const moved = new Map<string, bigint>()
  for (const { account, amount } of postings) {
    const where = accountLabel(kindOf(account), ownerOf(account))
    moved.set(where, (moved.get(where) ?? 0n) + amount)
  }
  return moved
}

export const describeMoves = ({ type, postings }: LedgerTransaction): string =>
  `as type ${type}: ${Array.from(movesOf(postings), ([where, sum]) => `${sum} on ${where}`).join(', ')}`
