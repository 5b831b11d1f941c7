import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import { type DecisionBody, type Operator, readBody } from './decision.ts'
import { isSignedBy } from './signature.ts'

/**
 * Who the operators are: a chain of signed links.
 *
 *     1  init    alice, bob          signed by alice and bob
 *     2  add     carol               signed by two of alice, bob
 *     3  remove  bob                 signed by two of alice, bob, carol
 *
 * The hash of a link covers the one before it, so whoever knows the hash of one link knows all up to it. A link that is wrong
 * takes nothing away from those before it, or whoever can write nonsense could undo what they stopped; but as it may stand where
 * one removed somebody, those before it are then believed only in what keeps money back.
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
  /** Whoever is or was one, perhaps more than once. */
  readonly everyone: readonly Operator[]
  /** The hash of the first link. */
  readonly ceremony: string
  /** The last link, which the next one follows. */
  readonly head: { readonly number: number; readonly hash: string }
  /** By the hash of a link, who the operators were from then on. */
  readonly after: ReadonlyMap<string, readonly Operator[]>
}

/** As far as the chain holds, null where there is none; and in words what is wrong with it, or null. */
export type ChainFound = { readonly chain: OperatorChain | null; readonly wrong: string | null }

/** What two people must agree on before it counts. */
export const TWO = 2

export const linkHash = (before: string | null, text: string): string =>
  createHash('sha256')
    .update(Buffer.from(before ?? '', 'hex'))
    .update(text, 'utf8')
    .digest('hex')

export const isOf = (body: DecisionBody, { pool, chainId }: Pool): boolean =>
  isAddressEqual(body.pool, pool) && body.chainId === chainId

/** The distinct operators among those given whose signature under the text is right, in the order in which they signed. */
export function countedSignatures(
  text: string,
  signatures: readonly Signature[],
  operators: readonly Operator[],
): Signature[] {
  const present = new Set(operators.map(({ key }) => key))
  return signatures.filter(({ operator, signature }) => {
    // Taken out once it has signed: one key counts once, however often it is there.
    if (!present.has(operator) || !isSignedBy(operator, text, signature)) return false
    return present.delete(operator)
  })
}

/**
 * The longest chain of links, from the first on, that hold. `pinned` is the hash of the ceremony or of any later link, which must
 * be in it; without one, the ceremony is taken as it is.
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

/** The chain with one more link, or in words why that is none. */
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

/** The operators with one more or one less, or in words why that cannot be. */
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
