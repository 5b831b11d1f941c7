import { assets } from '@lode/kernel'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod'
import { canonicalJson } from './canonical.ts'

/**
 * The texts that operators sign. Every text names its pool, its chain and its expiry, so that it is valid for nothing
 * else. The nonce makes two decisions with the same terms different texts.
 */

/** Refuses control and invisible characters, so that the terminal shows exactly the text that is signed. */
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

/** The address of the appointed member, and the airdrop in smallest units of BTN, according to that plan version. */
const appointment = {
  address,
  planVersion: z.int().positive(),
  airdrop: z.string().regex(/^(0|[1-9][0-9]{0,38})$/),
}

/** A link of the operator chain contains its number and the hash of the link before. */
const link = { number: z.int().positive() }
const laterLink = { ...link, before: hash }

/** The plan starts as soon as the second operator signs. */
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
  /** Lets a day share out this amount, above the plan's daily limit. */
  z.strictObject({ ...everyDecision, verb: z.literal('approve-day'), symbol: z.literal('BTC'), amount: money.amount }),
  z.strictObject({
    ...everyDecision,
    verb: z.literal('publish'),
    /** The hash of the plan's canonical JSON. */
    plan: hash,
    starts: z.union([z.literal(AT_ONCE), instant]),
    /** The last operator link at signing. A published plan stays valid when the operators change later. */
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

/** Null if the text is not the canonical spelling of a decision. Such a text does not count, even if it is signed. */
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

/** Null if readBody() would not accept the text, so that no operator signs an invalid decision. */
export function writeBody(body: DecisionBody): string | null {
  const text = canonicalJson(body)
  return readBody(text) && text
}
