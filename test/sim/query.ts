import pg from 'pg'

/** Runs one statement on its own connection, because the server may have been killed since the last one. */
export function query<Row extends object>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(statement, [...values])).rows)
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
