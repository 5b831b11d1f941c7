import type { Result } from '@lode/kernel'
import pg from 'pg'
import { type Address, isAddress } from 'viem'
import { describeWrongLedger, readChainState } from '../../modules/custody/index.ts'
import { parseAccount } from '../../modules/identity/index.ts'
import { createOperators, type Operators, type PoolIdentity } from '../../modules/operators/index.ts'
import {
  type OperatorConfig,
  type OwnerConfig,
  readOperatorConfig,
  readOwnerConfig,
  readVaultConfig,
  type VaultConfig,
} from '../../platform/config/config.ts'
import { firstVaultOf } from '../../platform/config/pool-contracts.ts'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { checkDatabase, checkDecimals, configOrRefuse, ExpectedFailure } from '../start-up.ts'
import { type Answer, printAnswer, refuseBareKey } from './terminal.ts'

/** Returns what to print, or the reason why the command was refused. */
type Action<Context extends unknown[]> = (...context: Context) => Promise<Result<Answer, string>>

export const ownerConfig = (): OwnerConfig => configOrRefuse(readOwnerConfig(process.env))

/** Runs a command that only the owner of the database may run. */
export async function withOwnerDatabase(action: Action<[Database]>): Promise<void> {
  try {
    await runConnected(ownerConfig(), action)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === PERMISSION_DENIED)
      throw new ExpectedFailure('Only the owner of the database can do this: DATABASE_URL connects as another role.')
    throw error
  }
}

const PERMISSION_DENIED = '42501'

async function runConnected(config: OwnerConfig, action: Action<[Database]>): Promise<void> {
  const { db, close } = connectDatabase(config.databaseUrl, { name: 'lode', max: 1 })
  try {
    await checkDatabase(db, config.profile)
    const result = await action(db)
    if (!result.ok) throw new ExpectedFailure(result.error)
    printAnswer(result.value)
  } finally {
    await close()
  }
}

/** The pool for which operators decide. Every signed text names the pool and its chain. */
export type PoolContext = {
  readonly db: Database
  readonly pool: PoolIdentity
  readonly contracts: OperatorConfig['contracts']
  readonly finality: OperatorConfig['finality']
  /** Verifies decisions with the operator chain in the database. Only the signer also checks a pin. */
  readonly operators: Operators
}

export const operatorConfig = (): OperatorConfig => configOrRefuse(readOperatorConfig(process.env))

export function withPool(action: Action<[PoolContext]>): Promise<void> {
  const config = operatorConfig()
  const { chainId, contracts, finality } = config
  const pool = { pool: firstVaultOf(contracts), chainId }
  return runConnected(config, async (db) => {
    await checkPool(db, config)
    await checkDecimals(db, contracts)
    return action({ db, pool, contracts, finality, operators: createOperators({ ...pool, ceremony: null }) })
  })
}

/** Runs a command that needs the pool's settings and no database. */
export async function withoutDatabase(action: Action<[VaultConfig]>): Promise<void> {
  const result = await action(configOrRefuse(readVaultConfig(process.env)))
  if (!result.ok) throw new ExpectedFailure(result.error)
  printAnswer(result.value)
}

/**
 * Makes sure that the configuration names the pool of this database. So a decision signed for one pool is not stored in
 * another pool's database. Before the watcher's first start the database names no pool, and nothing is checked.
 */
export async function checkPool(
  db: Database,
  { contracts, chainId }: Pick<OperatorConfig, 'contracts' | 'chainId'>,
): Promise<void> {
  const state = await readChainState(db)
  const wrong = state && describeWrongLedger({ id: chainId, contracts }, state)
  if (wrong) throw new ExpectedFailure(`CHAIN_ID, VAULT_ADDRESS and FORMER_VAULTS name another pool: ${wrong}.`)
}

export function addressOrRefuse(text: string): Address {
  refuseBareKey(text)
  const address = parseAccount(text)
  if (!address && isAddress(text))
    throw new ExpectedFailure(`Nobody has a key for ${text}: it is reserved. Money that is sent there is lost.`)
  if (!address && /^0x[0-9a-f]{40}$/i.test(text))
    throw new ExpectedFailure(`${text} is mistyped: its capital and small letters do not fit. Copy the address again.`)
  if (!address) throw new ExpectedFailure(`${text} is not the address of a wallet.`)
  return address
}
