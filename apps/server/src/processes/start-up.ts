import type { Result } from '@lode/kernel'
import type { Logger } from 'pino'
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

export type ChainCheck = { trouble(): string | null; stop(): void }

const CHECK_AGAIN_MS = 5_000

/**
 * A node of another chain is a reason not to start. That none answers is not: members can sign in and see what they have
 * without one. It is asked again until one answers, and if that one is of another chain, the process is not ready from then on.
 */
export async function checkChain(chain: ChainConfig, log: Logger): Promise<ChainCheck> {
  const first = await mismatch(chain)
  if (first) throw new StartUpRefusal(first)
  let trouble: string | null = null
  let timer: NodeJS.Timeout | undefined
  const askAgain = () => {
    timer = setTimeout(async () => {
      const found = await mismatch(chain)
      if (found) log.error(found)
      trouble = found ?? null
      if (found !== null) askAgain()
    }, CHECK_AGAIN_MS)
    timer.unref()
  }
  if (first === undefined) {
    log.warn('no node of CHAIN_RPC_URL answers: the chain is checked as soon as one does')
    askAgain()
  }
  return { trouble: () => trouble, stop: () => clearTimeout(timer) }
}

/** In words; null where all nodes that answer are of the chain, undefined where none answers. */
async function mismatch(chain: ChainConfig): Promise<string | null | undefined> {
  const check = await checkChainId(chain)
  switch (check.kind) {
    case 'match':
      return null
    case 'mismatch':
      return `CHAIN_ID is ${chain.id}, but the node at ${check.url} is of chain ${check.found}`
    case 'unreachable':
      return undefined
  }
}
