import pg from 'pg'

/** One statement on a connection of its own: the server may have been killed since the last. */
export async function query<Row extends object>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end().catch(() => {})
  }
}
