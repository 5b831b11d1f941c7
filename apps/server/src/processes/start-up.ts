import type { Result } from '@lode/kernel'
import { checkChainId } from '../platform/chain/chain-id.ts'
import { clockCanBeShifted } from '../platform/clock/clock.ts'
import type { ChainConfig, Profile } from '../platform/config/config.ts'
import type { Database } from '../platform/db/database.ts'
import { missingMigrations } from '../platform/db/migrate.ts'

/** A reason not to start, in words for the operator; not a bug. */
export class StartUpRefusal extends Error {}

export function configOrRefuse<Config>(config: Result<Config, string[]>): Config {
  if (config.ok) return config.value
  throw new StartUpRefusal(`The configuration is not valid:\n  ${config.error.join('\n  ')}`)
}

export async function checkDatabase(db: Database, profile: Profile): Promise<void> {
  const missing = await missingMigrations(db).catch((error: unknown) => {
    throw new StartUpRefusal(`The database cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (missing.length > 0) throw new StartUpRefusal(`Migrations are missing: ${missing.join(', ')}. Run: lode migrate`)
  if (profile === 'production' && (await clockCanBeShifted(db)))
    throw new StartUpRefusal('The clock of this database can be shifted: it was not migrated for production')
}

export async function checkChain(chain: ChainConfig): Promise<void> {
  const check = await checkChainId(chain)
  switch (check.kind) {
    case 'match':
      return
    case 'mismatch':
      throw new StartUpRefusal(`CHAIN_ID is ${chain.id}, but the node at ${check.url} is of chain ${check.found}`)
    case 'unreachable':
      throw new StartUpRefusal('No node of CHAIN_RPC_URL answers, so the chain cannot be checked')
  }
}
