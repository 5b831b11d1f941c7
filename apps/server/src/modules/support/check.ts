import { sql } from 'kysely'
import * as z from 'zod'
import type { Database } from '../../platform/db/database.ts'
import {
  canonicalJson,
  findOperatorsAt,
  isSignedBy,
  type OperatorChain,
  type PoolIdentity,
  readChainOfCeremony,
} from '../operators/index.ts'

type Look = { id: bigint; account: Buffer; operator: Buffer; note: string; body: string; signature: Buffer; at: Date }

const PAGE_SIZE = 1_000

/** For `lode audit`: lines of the trail of look-ups that no operator signed as they are stored. */
export async function lookFindings(db: Database): Promise<string[]> {
  const operators = await readChainOfCeremony(db)
  const findings: string[] = []
  for (let after = 0n; ; ) {
    const { rows } = await sql<Look>`
      select id, account, operator, note, body, signature, at from lode.member_look
      where id > ${after} order by id limit ${PAGE_SIZE}`.execute(db)
    for (const look of rows)
      if (!operators || !isSigned(look, operators))
        findings.push(`look-up ${look.id} of 0x${look.account.toString('hex')} is not signed by an operator`)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE) return findings
    after = last.id
  }
}

/** The database lets a line be used for ten minutes, so its signed time is not further away from the stored one. */
const MAX_DIFFERENCE_MS = 10 * 60_000

/**
 * The signer was an operator at that time, and signed this pool, chain, verb, address and note. A signature is stored
 * once at most, so nobody can use the line of an operator again.
 */
function isSigned(
  { account, operator, note, body, signature, at }: Look,
  { pool, chain }: { readonly pool: PoolIdentity; readonly chain: OperatorChain },
): boolean {
  const key = operator.toString('hex')
  if (!findOperatorsAt(chain, at).some((one) => one.key === key) || !isSignedBy(key, body, signature)) return false
  const signed = parseLook(body)
  if (!signed || Math.abs(Date.parse(signed.at) - at.getTime()) > MAX_DIFFERENCE_MS) return false
  const { address } = signed
  const expected = canonicalJson({ ...pool, verb: 'look-up', address, note, at: signed.at })
  return body === expected && address.toLowerCase() === `0x${account.toString('hex')}`
}

const lookBody = z.object({ address: z.string(), at: z.iso.datetime() })

/** Null if the text is not that of a look-up. */
function parseLook(text: string): z.output<typeof lookBody> | null {
  try {
    return lookBody.parse(JSON.parse(text))
  } catch {
    return null
  }
}
