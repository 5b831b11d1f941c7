import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Asset } from '@lode/kernel'
import { type Address, type Hex, isAddress, isHex } from 'viem'
import * as z from 'zod'
import type { PayoutRow } from './payout-row.ts'

/**
 * The signer's journal: a file outside the database that lists every signed transaction before it is sent. After a
 * restore or a failover it tells what the database has forgotten. Each line is a JSON object. The file only grows.
 *
 *     {"journal":1,"chainId":1,"vault":"0x…"}                   the first line
 *     {"at":"…","release":"41","kind":"payouts","hash":"0x…",…}  a release, with everything to store it again
 *     {"at":"…","release":"41","attempt":2,"hash":"0x…",…}       the same release, signed again with a higher fee
 */
export type Journal = {
  readonly chainId: number
  readonly vault: Address
  readonly lines: readonly JournalLine[]
  /** The number of lines, with the first one. */
  readonly lineCount: number
  /** The size of the whole lines, in bytes. What comes after them was never completely written. */
  readonly size: number
}

/** `line` is the number of the line in the file, of which the first line has 1. `end` is the offset behind it, in bytes. */
export type JournalLine = (JournalRelease | JournalHigherFee) & { readonly line: number; readonly end: number }

type JournalVersion = {
  readonly at: string
  readonly release: string
  readonly attempt: number
  readonly hash: Hex
  readonly raw: Hex
  readonly maxFee: string
  readonly maxPriorityFee: string
}

/** A release, in its first version or in the version that was sent first on this host. */
export type JournalRelease = JournalVersion & {
  readonly kind: 'payouts' | 'burn'
  readonly payer: Address
  readonly nonce: string
  readonly call: Hex
  readonly gas: string
  readonly payouts: readonly JournalPayout[]
  readonly burn: string | null
}

/** A version with a higher fee of a release that an earlier line has in full. */
export type JournalHigherFee = JournalVersion & { readonly kind: 'higherFee' }

/** A payout as `lode.payout` had it. `id` is its id on the chain, `number` its number in the database. */
export type JournalPayout = {
  readonly id: Hex
  readonly number: string
  readonly kind: PayoutRow['kind']
  /** The wallet of the member. Null for a payment by the operators. */
  readonly member: Address | null
  readonly asset: Asset
  readonly amount: string
  readonly fee: string
  readonly feeBurned: string
  readonly to: Address
  readonly requestedAt: string
  readonly planVersion: number | null
  readonly level: number | null
  readonly addressBoundAt: string | null
  readonly deviceSeenAt: string | null
  readonly paidFrom: string | null
  readonly purpose: string | null
  readonly decisionId: string | null
  /** What the operators signed, so that their decision can be stored again too. Null for a member's transfer. */
  readonly decision: JournalDecision | null
}

export type JournalDecision = {
  readonly text: string
  readonly at: string
  /** Public keys and signatures as hexadecimal digits, in the order of their places. */
  readonly signatures: readonly { readonly operator: string; readonly signature: string; readonly at: string }[]
}

/** Why the signer must not send or sign anything, as text for the operators. */
export class JournalProblem extends Error {}

const hex = z.templateLiteral(['0x', z.string()]).refine((text) => isHex(text))
const address = hex.refine((text) => isAddress(text))
const digits = z.string().regex(/^([0-9a-f]{2})+$/)
const integer = z.string().regex(/^[0-9]+$/)
const time = z.iso.datetime()

const header = z.object({ journal: z.literal(1), chainId: z.number().int(), vault: address })

const version = z.object({
  at: time,
  release: integer,
  attempt: z.number().int().positive(),
  hash: hex,
  raw: hex,
  maxFee: integer,
  maxPriorityFee: integer,
})

const payout = z.object({
  id: hex,
  number: integer,
  kind: z.enum(['transfer', 'treasury', 'suspense']),
  member: address.nullable(),
  asset: z.enum(['USDT', 'BTN', 'BTC']),
  amount: integer,
  fee: integer,
  feeBurned: integer,
  to: address,
  requestedAt: time,
  planVersion: z.number().int().nullable(),
  level: z.number().int().nullable(),
  addressBoundAt: time.nullable(),
  deviceSeenAt: time.nullable(),
  paidFrom: z.string().nullable(),
  purpose: z.string().nullable(),
  decisionId: integer.nullable(),
  decision: z
    .object({
      text: z.string(),
      at: time,
      signatures: z.array(z.object({ operator: digits, signature: digits, at: time })),
    })
    .nullable(),
})

const release = version.extend({
  kind: z.enum(['payouts', 'burn']),
  payer: address,
  nonce: integer,
  call: hex,
  gas: integer,
  payouts: z.array(payout),
  burn: integer.nullable(),
})

const entry = z.union([release, version.extend({ kind: z.literal('higherFee') })])

const NEWLINE = 0x0a

/**
 * Returns null if there is no complete first line, so that the journal has not begun. A last line without its end is
 * left out: the signer was stopped while it wrote the line, so it has not sent that transaction. Throws a
 * `JournalProblem` if anything else is wrong.
 */
export function parseJournal(bytes: Buffer): Journal | null {
  const size = bytes.lastIndexOf(NEWLINE) + 1
  if (size === 0) return null
  const lines: JournalLine[] = []
  const firstEnd = bytes.indexOf(NEWLINE) + 1
  const first = parseLine(header, bytes.subarray(0, firstEnd), 1)
  for (let start = firstEnd; start < size; ) {
    const end = bytes.indexOf(NEWLINE, start) + 1
    const line = lines.length + 2
    lines.push({ ...parseLine(entry, bytes.subarray(start, end), line), line, end })
    start = end
  }
  return { chainId: first.chainId, vault: first.vault, lines, lineCount: lines.length + 1, size }
}

function parseLine<Schema extends z.ZodType>(schema: Schema, bytes: Buffer, line: number): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw new JournalProblem(`line ${line} of the signer's journal is damaged: bring the file back from a copy`)
  }
}

/** Reads the journal for a command of the command line. Returns null if there is none. Does not change the file. */
export async function readJournal(path: string): Promise<(Journal & { readonly bytes: Buffer }) | null> {
  const bytes = await readJournalFile(path)
  const journal = parseJournal(bytes)
  return journal && { ...journal, bytes }
}

/** Returns an empty buffer if there is no file. */
export async function readJournalFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw new JournalProblem(`the signer's journal cannot be read: ${(error as Error).message}`)
  }
}

/** The SHA-256 of the first lines of a journal, which an acknowledged restore names. Null if it has fewer lines. */
export function hashOfLines(bytes: Buffer, lineCount: number): Buffer | null {
  let end = 0
  for (let line = 0; line < lineCount; line += 1) {
    end = bytes.indexOf(NEWLINE, end) + 1
    if (end === 0) return null
  }
  return createHash('sha256').update(bytes.subarray(0, end)).digest()
}
