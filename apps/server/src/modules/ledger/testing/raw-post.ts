import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** A batch without type checks, as a stolen role could send it. It has one transaction unless `types` has more. */
export type RawBatch = {
  accounts: (bigint | null)[]
  addresses?: (string | null)[]
  members?: bigint[]
  keys?: (string | null)[]
  hashes?: string[]
  types: number[]
  legs: { transaction?: number; account: number | null; amount: string | null; line?: number }[]
  lines?: { type: number; operation: string | null; fee?: string }[]
  /** The index of the first line, where PostgreSQL counts from 1 by itself. */
  firstLine?: number
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
      ${lineTypesLiteral(batch)}::smallint[],
      ${lines.map(({ operation }) => operation)}::text[],
      ${lines.map(({ fee = '0' }) => fee)}::numeric[],
      ${batch.together ?? false}) as answers`.execute(db)
  return (rows[0]?.answers ?? []).map((answer) => answer.replace(/ .*/, ''))
}

const lineTypesLiteral = ({ lines = [], firstLine = 1 }: RawBatch): string =>
  lines.length === 0 ? '{}' : `[${firstLine}:${firstLine + lines.length - 1}]={${lines.map(({ type }) => type).join()}}`

/** The same through lode.post_plain, for one transaction of two legs, credit first, with at most one line. */
export async function rawFastPost(db: Database, { accounts, ...batch }: RawBatch): Promise<bigint | null> {
  const [credited = 0n, debited = 0n] = batch.legs.map(({ account }) => accounts[(account ?? 0) - 1] ?? 0n)
  const { rows } = await sql<{ number: bigint | null }>`
    select lode.post_plain(
      ${credited >> 14n}, ${batch.keys?.[0] ?? null}, ${`\\x${batch.hashes?.[0] ?? '00'.repeat(32)}`}, ${batch.types[0]},
      ${debited & 16_383n}, ${credited & 16_383n}, ${batch.legs[0]?.amount ?? null}, ${batch.lines?.[0]?.type ?? null},
      ${batch.lines?.[0]?.operation ?? null}) as number`.execute(db)
  return rows[0]?.number ?? null
}
