import pg from 'pg'

/**
 * Marks a statement to be prepared once for each connection, under a name, instead of being parsed and planned for every call.
 * Kysely has no way to hand a name on to the driver, so the statement carries it. Only for a text that never varies: what is
 * prepared stays for as long as its connection.
 */
export const prepared = (name: string, text: string): string => `/* prepared ${name} */ ${text}`

const MARK = /^\/\* prepared (\w+) \*\/ /

/**
 * Lets a connection prepare what is marked so. It is given to the driver as a query of its own making: a statement and a name as
 * one object are first copied by the driver property by property, which costs as much as naming saves it.
 */
export function prepareMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const marked = (text: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === 'string' ? MARK.exec(text)?.[1] : undefined
    if (!name) return query(text, ...rest)
    return new Promise((resolve, reject) => {
      const named = new pg.Query(text as string, rest[0] as unknown[])
      query(
        Object.assign(named, {
          name,
          callback: (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)),
        }),
      )
    })
  }
  client.query = marked as typeof client.query
}
