import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { connectDatabase, type DatabaseConnection } from '../platform/db/database.ts'
import type { TestDatabase } from './database.ts'
import type { TestOperator } from './operators.ts'

type PublicKey = Pick<TestOperator, 'publicKey'>
type ForgedDecision = {
  readonly subject: string
  readonly verb: string
  readonly by: readonly PublicKey[]
  readonly count?: number
}

/** An attacker with the password of `lode_operator` but without keys: all its signatures are invalid. */
export function connectAttacker(database: TestDatabase) {
  const connection: DatabaseConnection = connectDatabase(database.urlOf('lode_operator'), {
    name: 'attacker',
    noTimeouts: true,
  })
  const { db } = connection

  const attacker = {
    db,
    close: () => connection.close(),

    /** Inserts forged decisions and returns their ids. */
    async insertForgedDecisions({ subject, verb, by, count = 1 }: ForgedDecision): Promise<bigint[]> {
      const bodies = Array.from({ length: count }, () => randomUUID())
      await sql`
        insert into lode.decision (subject, verb, body, expires_at)
        select ${subject}, ${verb}, body, lode.now() + interval '1 year' from unnest(${bodies}::text[]) as body`.execute(
        db,
      )
      const { rows } = await sql<{ id: bigint }>`
        select lode.id_of_decision(body) as id from unnest(${bodies}::text[]) as body`.execute(db)
      const ids = rows.map(({ id }) => id)
      for (const [index, { publicKey }] of by.entries())
        await sql`
          insert into lode.decision_signature (decision_id, place, operator, signature)
          select id, ${index + 1}, ${Buffer.from(publicKey, 'hex')}, decode(repeat('ab', 64), 'hex')
          from unnest(${ids}::bigint[]) as id`.execute(db)
      return ids
    },

    /** Inserts a forged link that passes every check of the database. */
    async insertForgedLink(by: readonly PublicKey[]): Promise<void> {
      const [id] = await attacker.insertForgedDecisions({ subject: 'operators', verb: 'add', by })
      await sql`
        insert into lode.operator_link (number, decision_id, hash)
        select last.number + 1, decision.id, sha256(last.hash || convert_to(decision.body, 'UTF8'))
        from lode.decision, (select * from lode.operator_link order by number desc limit 1) as last
        where decision.id = ${id}`.execute(db)
    },
  }
  return attacker
}
