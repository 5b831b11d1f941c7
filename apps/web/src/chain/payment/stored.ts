import { assets, MAX_UNITS } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { type ListedStorage, PAYMENT_KEYS } from '../../shared/session/index.ts'
import type { Payment } from './payment.ts'

/** Goes up when the shape changes; what another version wrote is left alone, for a newer tab may be driving it. */
const VERSION = 1
const PREFIX = `${PAYMENT_KEYS}${VERSION}.`

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
  z.object({ kind: z.literal('would-fail'), why: z.enum(['vault-paused', 'balance', 'other']) }),
  z.object({ kind: z.literal('approval'), what: z.enum(['reverted', 'replaced', 'short']) }),
  z.object({ kind: z.literal('permit-unsupported') }),
])

const stage = z.discriminatedUnion('at', [
  z.object({ at: z.literal('checking') }),
  z.object({ at: z.literal('paused'), problem: z.nullable(problem) }),
  z.object({ at: z.literal('asking'), request, nonce: count, since: count }),
  z.object({ at: z.literal('approving'), request: z.enum(['reset', 'approve']), hash, nonce: count, since: count }),
  z.object({ at: z.literal('sent'), hash, since: count }),
  z.object({
    at: z.literal('unknown'),
    why: z.enum(['answer-lost', 'not-seen', 'overtaken', 'no-node']),
    since: count,
  }),
  z.object({ at: z.literal('mined'), hash, block, since: count }),
  z.object({ at: z.literal('confirming'), hash, block: z.nullable(block), since: count }),
  z.object({ at: z.literal('credited'), hash, since: count }),
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
])

const stored = z.object({
  intent: z.object({
    id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
    purpose: z.object({ kind: z.literal('deposit') }),
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
  sent: z.array(z.object({ hash, nonce: z.nullable(count) })),
  stage,
})

/** The text of a payment as it lies in the browser. */
export const written = (payment: Payment): string =>
  JSON.stringify(payment, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))

/** Null for what is not a payment of this version: it may have been edited by hand, or cut off by a full disk. */
export function readPayment(text: string | null): Payment | null {
  if (text === null) return null
  try {
    const parsed = stored.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export type Shelf = ReturnType<typeof openShelf>

/** The payments of one account, each under a key of its own: two tabs never write over one another's. */
export function openShelf(storage: ListedStorage, account: string) {
  const prefix = `${PREFIX}${account.toLowerCase()}.`
  const keyOf = (id: string) => `${prefix}${id}`
  return {
    idOf: (key: string): string | null => (key.startsWith(prefix) ? key.slice(prefix.length) : null),
    get: (id: string): Payment | null => readPayment(storage.getItem(keyOf(id))),
    /** False where it could not be kept; then nothing may be asked of a wallet. */
    put(payment: Payment): boolean {
      const text = written(payment)
      try {
        storage.setItem(keyOf(payment.intent.id), text)
      } catch {
        return false
      }
      return storage.getItem(keyOf(payment.intent.id)) === text
    },
    remove: (id: string): void => storage.removeItem(keyOf(id)),
    all: (): Payment[] =>
      storage
        .keys()
        .filter((key) => key.startsWith(prefix))
        .map((key) => readPayment(storage.getItem(key)))
        .filter((payment) => payment !== null)
        .toSorted((left, right) => right.intent.createdAt - left.intent.createdAt),
  }
}
