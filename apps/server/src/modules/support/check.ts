import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isSignedBy, readOperatorNames } from '../operators/index.ts'

type Look = { id: bigint; account: Buffer; operator: Buffer; note: string; body: string; signature: Buffer; at: Date }

const PAGE_SIZE = 1_000

/** For `lode audit`: lines of the trail of look-ups that no operator signed as they are stored. */
export async function lookFindings(db: Database): Promise<string[]> {
  const names = await readOperatorNames(db)
  const findings: string[] = []
  for (let after = 0n; ; ) {
    const { rows } = await sql<Look>`
      select id, account, operator, note, body, signature, at from lode.member_look
      where id > ${after} order by id limit ${PAGE_SIZE}`.execute(db)
    for (const look of rows)
      if (!isSigned(look, names))
        findings.push(`look-up ${look.id} of 0x${look.account.toString('hex')} is not signed by an operator`)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE) return findings
    after = last.id
  }
}

function isSigned({ account, operator, note, body, signature }: Look, names: ReadonlyMap<string, string>): boolean {
  const key = operator.toString('hex')
  if (!names.has(key) || !isSignedBy(key, body, signature)) return false
  const signed = JSON.parse(body) as { address?: unknown; note?: unknown }
  return String(signed.address).toLowerCase() === `0x${account.toString('hex')}` && signed.note === note
}
