import { assets } from '@lode/kernel'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod'
import { canonicalJson } from './canonical-json.ts'

/**
 * The texts that operators sign. Every text names its pool, its EVM chain and its expiry, so that it cannot be used
 * elsewhere or later. The nonce makes the texts of two decisions with the same terms different.
 */

/** Refuses control and invisible characters, so that the terminal shows exactly the text that is signed. */
export const plainText = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)

const address = z
  .string()
  .refine((text) => isAddress(text) && getAddress(text) === text)
  .transform((text) => text as Address)

const isoTime = z.string().refine((text) => {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString() === text
})

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** An Ed25519 public key, as 64 hexadecimal digits. */
const publicKey = hash

export const operatorName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u)

const operator = z.strictObject({ key: publicKey, name: operatorName })

const commonFields = {
  pool: address,
  chainId: z.int().positive(),
  subject: plainText.max(200),
  expiry: isoTime,
  nonce: z.uuid().regex(/^[0-9a-f-]+$/),
}

const transferFields = {
  symbol: z.enum(assets),
  /** In smallest units. */
  amount: z.string().regex(/^[1-9][0-9]{0,38}$/),
  address,
}

/** The address of the appointed member, and the airdrop of this plan version, in smallest units of BTN. */
const appointment = {
  address,
  planVersion: z.int().positive(),
  airdrop: z.string().regex(/^(0|[1-9][0-9]{0,38})$/),
}

/** A link of the operator chain has its number. Every link after the first also has the hash of the link before it. */
const link = { number: z.int().positive() }
const laterLink = { ...link, before: hash }

/** The plan starts as soon as the second operator signs, or 7 days later if it makes leaving harder. */
export const START_AT_ONCE = 'at once'

export const ALL_MEMBERS = 'all'

const decimals = z.int().min(6).max(30)

const blockNumber = z.string().regex(/^(0|[1-9][0-9]{0,17})$/)

const bodySchema = z.discriminatedUnion('verb', [
  z.strictObject({ ...commonFields, verb: z.literal('init'), ...link, operators: z.array(operator).min(2).max(20) }),
  z.strictObject({ ...commonFields, verb: z.literal('add'), ...laterLink, operator }),
  z.strictObject({ ...commonFields, verb: z.literal('remove'), ...laterLink, operator }),
  z.strictObject({ ...commonFields, verb: z.literal('approve'), ...transferFields }),
  z.strictObject({ ...commonFields, verb: z.literal('reject'), ...transferFields, note: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('pause'), until: isoTime, note: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('resume'), note: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('list'), address, note: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('pay'), ...transferFields, from: plainText, evidence: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('return'), ...transferFields, note: plainText }),
  /** Lets a day share out this amount, above the plan's daily limit. */
  z.strictObject({
    ...commonFields,
    verb: z.literal('approve-day'),
    symbol: z.literal('BTC'),
    amount: transferFields.amount,
  }),
  z.strictObject({
    ...commonFields,
    verb: z.literal('publish'),
    /** The hash of the plan's canonical JSON. */
    plan: hash,
    starts: z.union([z.literal(START_AT_ONCE), isoTime]),
    /** The hash of the last operator link at signing. So a published plan stays valid if the operators change. */
    under: hash,
    /** Only in the first version: how many decimals the tokens have, for ever. */
    decimals: z.strictObject({ USDT: decimals, BTN: decimals, BTC: decimals }).optional(),
  }),
  /** Writes off what left the vault or cold storage without a payout. */
  z.strictObject({
    ...commonFields,
    verb: z.literal('write-off'),
    symbol: z.enum(assets),
    amount: transferFields.amount,
    from: z.enum(['vault', 'cold']),
    /** The chain log, or the block at which a balance had fallen without a log. */
    cause: z.string().regex(/^(0x[0-9a-f]{64}:(0|[1-9][0-9]{0,8})|block:(0|[1-9][0-9]{0,17}))$/),
    /** What cold storage received of a move that arrived in part. */
    arrived: z.string().regex(/^(0|[1-9][0-9]{0,38})$/),
    note: plainText,
  }),
  /** Replaces what is missing by money of pool:operations. */
  z.strictObject({
    ...commonFields,
    verb: z.literal('fund-loss'),
    symbol: z.enum(assets),
    amount: transferFields.amount,
    note: plainText,
  }),
  /** Undoes a posting whose cause is false, 72 hours after the second signature. */
  z.strictObject({
    ...commonFields,
    verb: z.literal('reverse'),
    /** The posting is named by its key and the key's owner: a member, or 0. */
    member: z.string().regex(/^(0|[1-9][0-9]{0,17})$/),
    key: z.string().regex(/^[!-~]{1,150}$/),
    type: plainText,
    symbol: z.enum(assets),
    amount: transferFields.amount,
    note: plainText,
  }),
  z.strictObject({ ...commonFields, verb: z.literal('authorise-expert'), ...appointment }),
  z.strictObject({ ...commonFields, verb: z.literal('approve-partner'), ...appointment }),
  z.strictObject({ ...commonFields, verb: z.literal('reject-partner'), address, note: plainText }),
  /** Ends one stop. The time and the hash of the stop's reason name it, so that the decision cannot end a later one. */
  z.strictObject({ ...commonFields, verb: z.literal('end-stop'), stoppedAt: isoTime, reason: hash, note: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('rewind'), block: blockNumber, note: plainText }),
  /** Lets the ledger follow the next vault, with its logs since this block. */
  z.strictObject({
    ...commonFields,
    verb: z.literal('migrate-vault'),
    from: address,
    to: address,
    since: z.string().regex(/^[1-9][0-9]{0,17}$/),
    note: plainText,
  }),
  z.strictObject({ ...commonFields, verb: z.literal('disable'), address, note: plainText }),
  z.strictObject({ ...commonFields, verb: z.literal('enable'), address, disabledAt: isoTime, note: plainText }),
  z.strictObject({
    ...commonFields,
    verb: z.literal('end-sessions'),
    of: z.union([z.literal(ALL_MEMBERS), address]),
    note: plainText,
  }),
  z.strictObject({ ...commonFields, verb: z.literal('prove-again'), note: plainText }),
  /** The first signer takes back a decision that is not complete. It names the decision by the hash of its text. */
  z.strictObject({ ...commonFields, verb: z.literal('withdraw'), text: hash }),
  /** The hash of the notice's text. */
  z.strictObject({ ...commonFields, verb: z.literal('publish-notice'), text: hash }),
  /** The hash of the text of all help articles. */
  z.strictObject({ ...commonFields, verb: z.literal('publish-help'), text: hash }),
  /** The database was restored, and is compared with the signer's journal and with the chain. */
  z.strictObject({
    ...commonFields,
    verb: z.literal('acknowledge-restore'),
    /** The hash of the journal's lines, and how many there are; 0 without a journal. */
    journal: hash,
    lines: z.int().nonnegative(),
    block: z.string().regex(/^(0|[1-9][0-9]{0,17})$/),
    note: plainText,
  }),
])

export type DecisionBody = Readonly<z.output<typeof bodySchema>>
export type Verb = DecisionBody['verb']
export type BodyOf<V extends Verb> = Extract<DecisionBody, { readonly verb: V }>
export type Operator = Readonly<z.output<typeof operator>>

/** Until two operators have signed, nobody is shown the amount and the address. The second operator types them. */
export const HIDDEN_VERBS = ['list', 'pay', 'return'] as const satisfies readonly Verb[]
export type HiddenVerb = (typeof HIDDEN_VERBS)[number]
export const isHiddenVerb = (verb: string): verb is HiddenVerb => HIDDEN_VERBS.some((hidden) => hidden === verb)

/** Null if the text is not a decision in canonical JSON. Such a text does not count, even if it is signed. */
export function parseBody(text: string): DecisionBody | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const body = bodySchema.safeParse(parsed)
  return body.success && canonicalJson(body.data) === text ? body.data : null
}

/** Null if parseBody() would not accept the text, so that no operator signs an invalid decision. */
export function serializeBody(body: DecisionBody): string | null {
  const text = canonicalJson(body)
  return parseBody(text) && text
}
