import type { Result } from '@lode/kernel'
import { sql } from 'kysely'
import pg from 'pg'
import { type Address, isAddressEqual } from 'viem'
import { parseAccount } from '../../modules/identity/index.ts'
import { createOperators, type Operators, type Pool } from '../../modules/operators/index.ts'
import { addressFromColumn } from '../../platform/chain/column.ts'
import {
  type OperatorConfig,
  type OwnerConfig,
  readOperatorConfig,
  readOwnerConfig,
} from '../../platform/config/config.ts'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { checkDatabase, checkDecimals, configOrRefuse, StartUpRefusal } from '../start-up.ts'
import { say } from './terminal.ts'

/** Returns the outcome in words, or the refusal in words. */
type Action<Context extends unknown[]> = (...context: Context) => Promise<Result<string, string>>

export const ownerConfig = (): OwnerConfig => configOrRefuse(readOwnerConfig(process.env))

/** For actions that only the owner of the database may do. */
export async function withDatabase(action: Action<[Database]>): Promise<void> {
  try {
    await connected(ownerConfig(), action)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NOT_ALLOWED)
      throw new StartUpRefusal('Only the owner of the database can do this: DATABASE_URL is of another role.')
    throw error
  }
}

const NOT_ALLOWED = '42501'

async function connected(config: OwnerConfig, action: Action<[Database]>): Promise<void> {
  const { db, close } = connectDatabase(config.databaseUrl, { name: 'lode', max: 1 })
  try {
    await checkDatabase(db, config.profile)
    const result = await action(db)
    if (!result.ok) throw new StartUpRefusal(result.error)
    say(result.value)
  } finally {
    await close()
  }
}

/** The pool that a decision is about. The signed texts name it. */
export type PoolContext = {
  readonly db: Database
  readonly pool: Pool
  readonly contracts: OperatorConfig['contracts']
  /** Verified by the operator chain in the database, without a pin; the signer pins it. */
  readonly operators: Operators
}

export function withPool(action: Action<[PoolContext]>): Promise<void> {
  const config = configOrRefuse(readOperatorConfig(process.env))
  const { chainId, contracts } = config
  const pool = { pool: contracts.vault, chainId }
  return connected(config, async (db) => {
    await checkPool(db, pool)
    await checkDecimals(db, contracts)
    return action({ db, pool, contracts, operators: createOperators({ ...pool, ceremony: null }) })
  })
}

/** Keeps an operator from signing for one pool a decision that is then stored in another pool's database. */
async function checkPool(db: Database, { pool, chainId }: Pool): Promise<void> {
  const { rows } = await sql<{ chain_id: bigint; vault: Buffer }>`select chain_id, vault from lode.chain_state`.execute(
    db,
  )
  const [books] = rows
  if (!books) return
  if (books.chain_id !== BigInt(chainId) || !isAddressEqual(addressFromColumn(books.vault), pool))
    throw new StartUpRefusal(
      `CHAIN_ID and VAULT_ADDRESS are of another pool: these books are of ${addressFromColumn(books.vault)} on chain ${books.chain_id}.`,
    )
}

export function addressOrRefuse(text: string): Address {
  const address = parseAccount(text)
  if (!address) throw new StartUpRefusal(`${text} is not the address of a wallet.`)
  return address
}
