import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import { type DecisionBody, type Operator, readBody } from './decision.ts'
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
 * operators' pauses by adding a bad link. But the invalid link may stand in place of one that removed an operator. So
 * while the chain has an invalid link, only decisions that hold money back count.
 */

export type Pool = { readonly pool: Address; readonly chainId: number }

export type Signature = { readonly operator: string; readonly signature: Buffer; readonly at: Date }

export type StoredLink = {
  readonly number: number
  readonly hash: string
  readonly text: string
  readonly signatures: readonly Signature[]
}

export type OperatorChain = {
  readonly operators: readonly Operator[]
  /** All present and former operators; a key may be in it more than once. */
  readonly everyone: readonly Operator[]
  /** The hash of the first link. */
  readonly ceremony: string
  /** The last link. The next link must contain its hash. */
  readonly head: { readonly number: number; readonly hash: string }
  /** The operators after each link, by the hash of the link. */
  readonly after: ReadonlyMap<string, readonly Operator[]>
}

/** The valid part of the chain, null if there is none; and what is wrong with the rest, in words, or null. */
export type ChainFound = { readonly chain: OperatorChain | null; readonly wrong: string | null }

/** The number of signatures that most decisions need. */
export const TWO = 2

export const linkHash = (before: string | null, text: string): string =>
  createHash('sha256')
    .update(Buffer.from(before ?? '', 'hex'))
    .update(text, 'utf8')
    .digest('hex')

export const isOf = (body: DecisionBody, { pool, chainId }: Pool): boolean =>
  isAddressEqual(body.pool, pool) && body.chainId === chainId

/** The valid signatures by the given operators, at most one for each key, in the order of their places. */
export function countedSignatures(
  text: string,
  signatures: readonly Signature[],
  operators: readonly Operator[],
): Signature[] {
  const present = new Set(operators.map(({ key }) => key))
  return signatures.filter(({ operator, signature }) => {
    // The key is removed once it has signed, so that it counts only once.
    if (!present.has(operator) || !isSignedBy(operator, text, signature)) return false
    return present.delete(operator)
  })
}

/**
 * Verifies the links from the first one and returns the longest valid chain. `pinned` is the hash of the ceremony or of
 * a later link, which the chain must contain. Without a pin, any valid ceremony is accepted.
 */
export function verifyChain(links: readonly StoredLink[], pool: Pool, pinned: string | null): ChainFound {
  let chain: OperatorChain | null = null
  const after = new Map<string, readonly Operator[]>()
  for (const [index, link] of links.entries()) {
    const next = linked(chain, link, index + 1, pool)
    if (!next.ok) return { chain, wrong: `link ${link.number} of the operators: ${next.error}` }
    after.set(next.value.head.hash, next.value.operators)
    chain = { ...next.value, after }
  }
  const missing = pinned !== null && !after.has(pinned)
  return { chain, wrong: missing ? `the chain of operators does not have the link ${pinned}` : null }
}

/** Returns the chain with one more link, or why the link is invalid. */
function linked(
  chain: OperatorChain | null,
  link: StoredLink,
  place: number,
  pool: Pool,
): Result<Omit<OperatorChain, 'after'>, string> {
  if (link.number !== place) return refused(`it stands in place ${place}`)
  const body = readBody(link.text)
  if (body?.subject !== 'operators' || !isOf(body, pool)) return refused('it is not a link of this pool')
  const hash = linkHash(chain?.head.hash ?? null, link.text)
  if (hash !== link.hash) return refused('its hash is another')
  const operators = follow(chain, body, link)
  if (!operators.ok) return operators
  const everyone = [...(chain?.everyone ?? []), ...operators.value]
  return ok({
    operators: operators.value,
    everyone,
    ceremony: chain?.ceremony ?? hash,
    head: { number: place, hash },
  })
}

function follow(
  chain: OperatorChain | null,
  body: DecisionBody,
  { number, text, signatures }: StoredLink,
): Result<readonly Operator[], string> {
  if (!chain) {
    if (body.verb !== 'init' || body.number !== number) return refused('a chain begins with the ceremony')
    const { operators } = body
    if (new Set(operators.map(({ key }) => key)).size < operators.length) return refused('one key stands there twice')
    return countedSignatures(text, signatures, operators).length === operators.length
      ? ok(operators)
      : refused('not all of its operators have signed')
  }
  if (body.verb !== 'add' && body.verb !== 'remove') return refused('it neither adds nor removes')
  if (body.number !== number || body.before !== chain.head.hash) return refused('it follows another link')
  if (countedSignatures(text, signatures, chain.operators).length < TWO) return refused('two operators have not signed')
  return change(chain.operators, body)
}

/** Returns the operators after one was added or removed, or why that is not allowed. */
export function change(
  operators: readonly Operator[],
  { verb, operator }: { readonly verb: 'add' | 'remove'; readonly operator: Operator },
): Result<readonly Operator[], string> {
  const others = operators.filter(({ key }) => key !== operator.key)
  if (verb === 'add') {
    if (others.length < operators.length) return refused('this key is an operator already')
    return operators.length < MOST ? ok([...operators, operator]) : refused(`there are ${MOST} operators already`)
  }
  if (others.length === operators.length) return refused('this key is no operator')
  return others.length < TWO ? refused('fewer than two operators would be left') : ok(others)
}

const MOST = 20
