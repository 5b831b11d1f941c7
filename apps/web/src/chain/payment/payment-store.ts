import { assets, MAX_UNITS } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { type ListedStorage, PAYMENT_KEY_PREFIX } from '../../shared/session/index.ts'
import { isEnded, isEquivalent, type Payment } from './payment.ts'

/**
 * Raise this number when the stored shape changes. The app leaves entries of another version alone, because a newer tab
 * may be driving them. A field that was added within one version can be missing. The reader then assumes the less
 * favorable value.
 */
const VERSION = 1
const PREFIX = `${PAYMENT_KEY_PREFIX}${VERSION}.`
const CLAIMED_KEY_PREFIX = 'payments-claimed.'
const MAX_CLAIMED = 50

const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
const hash = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
const count = z.int().check(z.nonnegative())
const units = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,38}$/)),
  z.transform((digits: string, context) => {
    const value = BigInt(digits)
    if (value > MAX_UNITS) context.issues.push({ code: 'custom', input: digits })
    return value
  }),
)
const request = z.enum(['reset', 'approve', 'permit', 'pay'])
const block = z.object({ number: count, hash })

const problem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('wallet'),
    what: z.enum(['pending', 'disconnected', 'chain-unknown', 'unsupported', 'silent', 'other']),
  }),
  z.object({ kind: z.literal('no-wallet') }),
  z.object({ kind: z.literal('other-account') }),
  z.object({ kind: z.literal('other-network') }),
  z.object({ kind: z.literal('no-node') }),
  z.object({ kind: z.literal('would-fail'), why: z.enum(['vault-paused', 'balance', 'late', 'spent', 'other']) }),
  z.object({ kind: z.literal('approval'), what: z.enum(['reverted', 'replaced', 'short']) }),
  z.object({ kind: z.literal('permit-unsupported') }),
  z.object({ kind: z.literal('not-kept') }),
])

const stage = z.discriminatedUnion('at', [
  z.object({ at: z.literal('checking') }),
  z.object({ at: z.literal('paused'), problem: z.nullable(problem) }),
  z.object({ at: z.literal('asking'), request, nonce: count, since: count }),
  z.object({ at: z.literal('approving'), request: z.enum(['reset', 'approve']), hash, nonce: count, since: count }),
  z.object({ at: z.literal('sent'), hash, since: count }),
  z.object({
    at: z.literal('unknown'),
    why: z.enum(['answer-lost', 'unsearched', 'not-seen', 'overtaken', 'no-node']),
    since: count,
  }),
  z.object({ at: z.literal('mined'), hash, block, since: count }),
  z.object({ at: z.literal('confirming'), hash, block: z.nullable(block), since: count }),
  z.object({ at: z.literal('credited'), hash, toBalance: z._default(z.boolean(), true), since: count }),
  z.object({ at: z.literal('refused'), request }),
  z.object({
    at: z.literal('failed'),
    why: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('reverted') }),
      z.object({ kind: z.literal('replaced'), by: hash }),
    ]),
    hash,
    since: count,
  }),
  z.object({ at: z.literal('lapsed'), since: count }),
])

const purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deposit') }),
  z.object({
    kind: z.literal('order'),
    id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
    orderId: hash,
    deadline: count,
    signature: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value)),
  }),
])

const storedPayment = z.object({
  intent: z.object({
    id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
    purpose,
    account: address,
    chainId: z.int().check(z.positive()),
    vault: address,
    symbol: z.enum(assets),
    token: address,
    decimals: z.int().check(z.minimum(0), z.maximum(36)),
    units,
    explorerUrl: z.nullable(z.string().check(z.regex(/^https?:\/\//))),
    finalityMinutes: count,
    createdAt: count,
  }),
  done: z.array(request),
  left: z.array(request),
  permits: z.boolean(),
  fromBlock: z.nullable(count),
  mayBeOut: z.optional(z.boolean()),
  aside: z.optional(z.boolean()),
  sent: z.array(z.object({ hash, nonce: z.nullable(count) })),
  stage,
})

/** The stored text of a payment. */
export const serializePayment = (payment: Payment): string =>
  JSON.stringify(payment, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))

/** Null if the text is not a valid payment. It may have been edited by hand, or truncated by a full disk. */
export function parsePayment(text: string | null): Payment | null {
  if (text === null) return null
  try {
    const parsed = storedPayment.safeParse(JSON.parse(text))
    if (!parsed.success) return null
    const { mayBeOut, aside = false, ...payment } = parsed.data
    return { ...payment, aside, mayBeOut: mayBeOut ?? payment.fromBlock !== null }
  } catch {
    return null
  }
}

function parseClaimed(text: string | null): readonly Hex[] {
  try {
    const parsed = z.array(hash).safeParse(JSON.parse(text ?? '[]'))
    return parsed.success ? parsed.data : []
  } catch {
    return []
  }
}

export type PaymentStore = ReturnType<typeof openPaymentStore>

/** The stored payments of one account. Each has its own key, so that tabs do not overwrite each other's payments. */
export function openPaymentStore(storage: ListedStorage, account: string) {
  const prefix = `${PREFIX}${account.toLowerCase()}.`
  const keyOf = (id: string) => `${prefix}${id}`
  const claimedKey = `${CLAIMED_KEY_PREFIX}${account.toLowerCase()}`
  const get = (id: string): Payment | null => parsePayment(storage.getItem(keyOf(id)))
  const all = (): Payment[] =>
    storage
      .keys()
      .filter((key) => key.startsWith(prefix))
      .map((key) => parsePayment(storage.getItem(key)))
      .filter((payment) => payment !== null)
      .sort((left, right) => right.intent.createdAt - left.intent.createdAt)
  const claimed = (): readonly Hex[] => parseClaimed(storage.getItem(claimedKey))
  return {
    get,
    all,
    /**
     * The transactions of payments that were removed from the list before an equal payment had ended. The search for
     * the equal payment must not claim them.
     */
    claimed,
    idOf: (key: string): string | null => (key.startsWith(prefix) ? key.slice(prefix.length) : null),
    /** False if the payment could not be stored, or only until the page closes. Then the wallet must not be asked. */
    put(payment: Payment): boolean {
      if (!storage.lasts) return false
      const text = serializePayment(payment)
      try {
        storage.setItem(keyOf(payment.intent.id), text)
      } catch {
        return false
      }
      return storage.getItem(keyOf(payment.intent.id)) === text
    },
    remove(id: string): void {
      const payment = get(id)
      storage.removeItem(keyOf(id))
      if (!payment || payment.sent.length === 0) return
      if (!all().some((one) => !isEnded(one) && isEquivalent(one.intent, payment.intent))) return
      const hashes = [...payment.sent.map((one) => one.hash), ...claimed()].slice(0, MAX_CLAIMED)
      try {
        storage.setItem(claimedKey, JSON.stringify(hashes))
      } catch {
        // Storage is full, although the removed entry has just freed space. The hashes are lost then.
      }
    },
  }
}
