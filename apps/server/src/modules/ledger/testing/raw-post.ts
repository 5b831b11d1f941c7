import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** A batch as nobody's types would let it through: what a stolen role could send. One transaction unless told otherwise. */
export type RawBatch = {
  accounts: (bigint | null)[]
  addresses?: (string | null)[]
  members?: bigint[]
  keys?: (string | null)[]
  hashes?: string[]
  types: number[]
  legs: { transaction?: number; account: number | null; amount: string | null; line?: number }[]
  lines?: { type: number; operation: string | null; fee?: string }[]
  together?: boolean
}

export async function rawPost(db: Database, batch: RawBatch): Promise<string[]> {
  const { accounts, legs, lines = [], types, addresses } = batch
  const { members = [0n], keys = ['chain:raw'], hashes = types.map(() => '00'.repeat(32)) } = batch
  const text = (values: readonly unknown[]) => values.map((value) => (value === null ? null : String(value)))
  const { rows } = await sql<{ answers: string[] }>`
    select lode.post(
      ${text(accounts)}::bigint[],
      ${addresses?.map((address) => address && `\\x${address.slice(2)}`) ?? null}::bytea[],
      ${text(members)}::bigint[],
      ${keys}::text[],
      ${hashes.map((hash) => `\\x${hash}`)}::bytea[],
      ${types}::smallint[],
      ${legs.map(({ transaction = 1 }) => transaction)}::int[],
      ${legs.map(({ account }) => account)}::int[],
      ${legs.map(({ amount }) => amount)}::numeric[],
      ${legs.map(({ line = 0 }) => line)}::int[],
      ${lines.map(({ type }) => type)}::smallint[],
      ${lines.map(({ operation }) => operation)}::text[],
      ${lines.map(({ fee = '0' }) => fee)}::numeric[],
      ${batch.together ?? false}) as answers`.execute(db)
  return (rows[0]?.answers ?? []).map((answer) => answer.replace(/ .*/, ''))
}
