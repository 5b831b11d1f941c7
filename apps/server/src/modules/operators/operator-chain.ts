import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import { type DecisionBody, type Operator, parseBody } from './decision.ts'
import { isSignedBy } from './signature.ts'

/**
 * The operator chain: a list of signed links that says who the operators are.
 *
 *     1  init    alice, bob          signed by alice and bob
 *     2  add     carol               signed by two of alice, bob
 *     3  remove  bob                 signed by two of alice, bob, carol
 *
 * The hash of a link covers the link before it, so the hash of one link identifies all links up to it.
 *
 * An invalid link does not make the links before it invalid. Otherwise anyone with write access could cancel the
 * operators' pauses by adding a bad link. But someone may have put the invalid link in place of a link that removed an
 * operator. So while the chain has an invalid link, only decisions that hold money back (pauses, rejections) count.
 */

export type PoolIdentity = { readonly pool: Address; readonly chainId: number }

export type Signature = { readonly operator: string; readonly signature: Buffer; readonly at: Date }

export type StoredLink = {
  readonly number: number
  readonly hash: string
  readonly text: string
  readonly signatures: readonly Signature[]
}

export type OperatorChain = {
  readonly operators: readonly Operator[]
  /** All present and former operators. A key may be in the list more than once. */
  readonly allOperators: readonly Operator[]
  /** The hash of the first link. */
  readonly ceremony: string
  /** The last link. The next link must contain its hash. */
  readonly head: { readonly number: number; readonly hash: string }
  /** For the hash of each link: the operators once this link counts. */
  readonly operatorsAfterLink: ReadonlyMap<string, readonly Operator[]>
  /** The operators by time, oldest first. The first period also covers all time before the ceremony. */
  readonly periods: readonly { readonly since: Date; readonly operators: readonly Operator[] }[]
}

/** The valid part of the chain (null if there is none), and why the rest is invalid, as text (null if it is valid). */
export type ChainCheck = { readonly chain: OperatorChain | null; readonly invalidReason: string | null }

/** The number of signatures that most decisions need. */
export const SIGNATURES_NEEDED = 2

export const linkHash = (before: string | null, text: string): string =>
  createHash('sha256')
    .update(Buffer.from(before ?? '', 'hex'))
    .update(text, 'utf8')
    .digest('hex')

export const isForPool = (body: DecisionBody, { pool, chainId }: PoolIdentity): boolean =>
  isAddressEqual(body.pool, pool) && body.chainId === chainId

/** The valid signatures by the given operators, at most one for each key, in the given order. */
export function findValidSignatures(
  text: string,
  signatures: readonly Signature[],
  operators: readonly Operator[],
): Signature[] {
  const keys = new Set(operators.map(({ key }) => key))
  return signatures.filter(({ operator, signature }) => {
    // delete() removes the key and returns true, so that the key counts only once.
    if (!keys.has(operator) || !isSignedBy(operator, text, signature)) return false
    return keys.delete(operator)
  })
}

/** The two oldest valid signatures by the given operators, oldest first. Fewer if there are not two. */
export const findFirstSignatures = (
  text: string,
  signatures: readonly Signature[],
  operators: readonly Operator[],
): Signature[] =>
  findValidSignatures(text, signatures, operators)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .slice(0, SIGNATURES_NEEDED)

/**
 * Verifies the links, beginning with the first, and returns the longest valid chain. `pinned` is the hash of a link
 * that the chain must contain: the ceremony or a later link. If it is null, any valid ceremony is accepted.
 */
export function verifyChain(links: readonly StoredLink[], pool: PoolIdentity, pinned: string | null): ChainCheck {
  let chain: OperatorChain | null = null
  const operatorsAfterLink = new Map<string, readonly Operator[]>()
  const periods: OperatorChain['periods'][number][] = []
  for (const [index, link] of links.entries()) {
    const next = extendChain(chain, link, index + 1, pool)
    if (!next.ok) return { chain, invalidReason: `link ${link.number} of the operators: ${next.error}` }
    operatorsAfterLink.set(next.value.head.hash, next.value.operators)
    periods.push({ since: chain ? completedAt(link, chain.operators) : new Date(0), operators: next.value.operators })
    chain = { ...next.value, operatorsAfterLink, periods }
  }
  const missing = pinned !== null && !operatorsAfterLink.has(pinned)
  return { chain, invalidReason: missing ? `the operator chain does not have the link ${pinned}` : null }
}

/**
 * When a valid link got its second valid signature, which is also when it was stored. A signature that somebody adds
 * later does not change this time.
 */
function completedAt({ text, signatures }: StoredLink, operators: readonly Operator[]): Date {
  const second = findFirstSignatures(text, signatures, operators).at(SIGNATURES_NEEDED - 1)
  if (!second) throw new Error('a valid link has fewer than two valid signatures')
  return second.at
}

/** The operators at this time. */
export const findOperatorsAt = ({ periods }: OperatorChain, at: Date): readonly Operator[] =>
  periods.findLast(({ since }) => since <= at)?.operators ?? []

/** Returns the chain with one more link, or why the link is invalid. */
function extendChain(
  chain: OperatorChain | null,
  link: StoredLink,
  expectedNumber: number,
  pool: PoolIdentity,
): Result<Omit<OperatorChain, 'operatorsAfterLink' | 'periods'>, string> {
  if (link.number !== expectedNumber) return refused(`its number should be ${expectedNumber}`)
  const body = parseBody(link.text)
  if (body?.subject !== 'operators' || !isForPool(body, pool)) return refused('it is not a link of this pool')
  const hash = linkHash(chain?.head.hash ?? null, link.text)
  if (hash !== link.hash) return refused('its hash is wrong')
  const operators = applyLink(chain, body, link)
  if (!operators.ok) return operators
  const allOperators = [...(chain?.allOperators ?? []), ...operators.value]
  return ok({
    operators: operators.value,
    allOperators,
    ceremony: chain?.ceremony ?? hash,
    head: { number: expectedNumber, hash },
  })
}

function applyLink(
  chain: OperatorChain | null,
  body: DecisionBody,
  { number, text, signatures }: StoredLink,
): Result<readonly Operator[], string> {
  if (!chain) {
    if (body.verb !== 'init' || body.number !== number) return refused('a chain begins with the ceremony')
    const { operators } = body
    if (new Set(operators.map(({ key }) => key)).size < operators.length) return refused('it names one key twice')
    return findValidSignatures(text, signatures, operators).length === operators.length
      ? ok(operators)
      : refused('not all of its operators have signed')
  }
  if (body.verb !== 'add' && body.verb !== 'remove') return refused('it neither adds nor removes an operator')
  if (body.number !== number || body.before !== chain.head.hash)
    return refused('its number or the hash of the link before it is wrong')
  if (findValidSignatures(text, signatures, chain.operators).length < SIGNATURES_NEEDED)
    return refused('two operators have not signed')
  return changeOperators(chain.operators, body)
}

/** Returns the operators after one was added or removed, or why that is not allowed. */
export function changeOperators(
  operators: readonly Operator[],
  { verb, operator }: { readonly verb: 'add' | 'remove'; readonly operator: Operator },
): Result<readonly Operator[], string> {
  const others = operators.filter(({ key }) => key !== operator.key)
  if (verb === 'add') {
    if (others.length < operators.length) return refused('this key is an operator already')
    return operators.length < MAX_OPERATORS
      ? ok([...operators, operator])
      : refused(`there are ${MAX_OPERATORS} operators already`)
  }
  if (others.length === operators.length) return refused('this key is no operator')
  return others.length < SIGNATURES_NEEDED ? refused('fewer than two operators would be left') : ok(others)
}

const MAX_OPERATORS = 20
