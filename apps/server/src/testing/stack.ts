import { inject } from 'vitest'

/** What the global setup of the integration tests started: one database server and one chain node for the whole run. */
export type TestStack = {
  /** The superuser's URL of the server, for its database `postgres`. */
  readonly postgresUrl: string
  /** A migrated database that is only cloned; nothing connects to it. */
  readonly template: string
  readonly rpcUrl: string
  readonly chainId: number
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: TestStack
  }
}

export const testStack = (): TestStack => inject('stack')
