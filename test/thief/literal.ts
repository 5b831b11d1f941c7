/** A value that is written into a statement. `sql` is an expression that PostgreSQL computes. */
export type Value = null | boolean | number | bigint | string | Buffer | { readonly sql: string } | readonly Value[]

/** Statements are written with their values, so that a printed sequence can be run by hand. */
export function literal(value: Value, type?: string): string {
  const cast = type === undefined ? '' : `::${type}`
  if (value === null) return `null${cast}`
  if (Array.isArray(value)) {
    const element = type?.replace(/\[\]$/, '')
    return `array[${value.map((each: Value) => literal(each, element)).join(', ')}]${cast}`
  }
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
  if (typeof value === 'object') return `(${(value as { sql: string }).sql})${cast}`
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'${cast}`
  return typeof value === 'boolean' ? String(value) : `(${value})${cast}`
}
