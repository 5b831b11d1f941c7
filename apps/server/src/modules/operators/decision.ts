import { assets } from '@lode/kernel'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod'
import { canonicalJson } from './canonical.ts'

/**
 * What operators sign. Every text says for which pool and chain it is and until when it counts, so that it is good for nothing
 * else; the nonce makes two decisions of the same terms two texts.
 */

/** Nothing that a terminal would obey or hide: what is shown is what is signed. */
const words = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)

const address = z
  .string()
  .refine((text) => isAddress(text) && getAddress(text) === text)
  .transform((text) => text as Address)

const instant = z.string().refine((text) => {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString() === text
})

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** An Ed25519 public key, as 64 hexadecimal digits. */
const publicKey = hash

export const operatorName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u)

const operator = z.strictObject({ key: publicKey, name: operatorName })

const everyDecision = {
  pool: address,
  chainId: z.int().positive(),
  subject: words.max(200),
  expiry: instant,
  nonce: z.uuid().regex(/^[0-9a-f-]+$/),
}

const money = {
  symbol: z.enum(assets),
  /** In smallest units. */
  amount: z.string().regex(/^[1-9][0-9]{0,38}$/),
  address,
}

/** A member who is appointed, and what it is given for it: whole smallest units of BTN, by that version of the plan. */
const appointment = {
  address,
  planVersion: z.int().positive(),
  airdrop: z.string().regex(/^(0|[1-9][0-9]{0,38})$/),
}

/** A link of the chain of operators says which it is and which one it follows. */
const link = { number: z.int().positive() }
const laterLink = { ...link, before: hash }

/** With the second signature. */
export const AT_ONCE = 'at once'

const bodySchema = z.discriminatedUnion('verb', [
  z.strictObject({ ...everyDecision, verb: z.literal('init'), ...link, operators: z.array(operator).min(2).max(20) }),
  z.strictObject({ ...everyDecision, verb: z.literal('add'), ...laterLink, operator }),
  z.strictObject({ ...everyDecision, verb: z.literal('remove'), ...laterLink, operator }),
  z.strictObject({ ...everyDecision, verb: z.literal('approve'), ...money }),
  z.strictObject({ ...everyDecision, verb: z.literal('reject'), ...money, note: words }),
  z.strictObject({ ...everyDecision, verb: z.literal('pause'), until: instant, note: words }),
  z.strictObject({ ...everyDecision, verb: z.literal('resume'), note: words }),
  z.strictObject({ ...everyDecision, verb: z.literal('list'), address, note: words }),
  z.strictObject({ ...everyDecision, verb: z.literal('pay'), ...money, from: words, evidence: words }),
  z.strictObject({ ...everyDecision, verb: z.literal('return'), ...money, note: words }),
  /** Lets a day share out so much, beyond the most of the plan. */
  z.strictObject({ ...everyDecision, verb: z.literal('approve-day'), symbol: z.literal('BTC'), amount: money.amount }),
  z.strictObject({
    ...everyDecision,
    verb: z.literal('publish'),
    /** The hash of the plan's one spelling. */
    plan: hash,
    starts: z.union([z.literal(AT_ONCE), instant]),
    /** The last link of the operators when it was signed: what is published counts for ever, whoever is an operator later. */
    under: hash,
  }),
  z.strictObject({ ...everyDecision, verb: z.literal('authorise-expert'), ...appointment }),
  z.strictObject({ ...everyDecision, verb: z.literal('approve-partner'), ...appointment }),
  z.strictObject({ ...everyDecision, verb: z.literal('reject-partner'), address, note: words }),
])

export type DecisionBody = Readonly<z.output<typeof bodySchema>>
export type Verb = DecisionBody['verb']
export type BodyOf<V extends Verb> = Extract<DecisionBody, { readonly verb: V }>
export type Operator = Readonly<z.output<typeof operator>>

/** Null where the text is not the one spelling of a decision: then it counts for nothing, whoever signed it. */
export function readBody(text: string): DecisionBody | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const body = bodySchema.safeParse(parsed)
  return body.success && canonicalJson(body.data) === text ? body.data : null
}

/** Null for a body that would not be read back: nobody is to sign what does not count. */
export function writeBody(body: DecisionBody): string | null {
  const text = canonicalJson(body)
  return readBody(text) && text
}
