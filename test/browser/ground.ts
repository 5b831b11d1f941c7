import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployDevelopment } from '@lode/contracts/dev/deploy'
import { startAnvil } from '@lode/scripts/anvil'
import { operatorsIn } from '@lode/scripts/operators'
import { startPostgres } from '@lode/scripts/postgres'
import { createRoot, examplePlan, lode, ourHelp } from '@lode/scripts/server'
import pg from 'pg'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

/**
 * What every stack of a run starts from: a pool with its first member, its help articles, two operators and their
 * published plan. It is made once, because it takes nine runs of the command line and 13 s of CPU time. A stack copies
 * it in a third of a second.
 */
export type Ground = {
  /** The server that holds the databases of all stacks of the run. */
  readonly postgresUrl: string
  readonly rolePassword: string
  /** Every node of a run has the pool's contracts at the same addresses. A stack compares this address with its own. */
  readonly vault: Address
  readonly rootCode: string
  readonly operatorsFolder: string
  /** The hash of the operators' ceremony, which every signer of the run pins. */
  readonly ceremony: string
}

const DATABASE = 'ground'

export async function layGround(): Promise<{ ground: Ground; stop(): Promise<void> }> {
  const [database, chain] = await Promise.all([startPostgres({ durable: false }), startAnvil()])
  const operatorsFolder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
  const stop = async () => {
    await database.stop('SIGQUIT')
    await rm(operatorsFolder, { recursive: true, force: true })
  }
  try {
    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    await ask(database.url(), `create database ${DATABASE}`)
    const ownerUrl = database.url(DATABASE)
    const rolePassword = 'of-this-run-only'
    await lode(ownerUrl, ['migrate', '--role-password', rolePassword])
    const operators = operatorsIn(operatorsFolder, {
      profile: 'test',
      ownerUrl,
      contracts,
      chain: { id: chain.chainId },
    })
    const [rootCode, ceremony] = await Promise.all([
      createRoot(ownerUrl, privateKeyToAddress(generatePrivateKey())),
      operators.appoint(),
      lode(ownerUrl, ['help', 'import', ourHelp]),
    ])
    await operators.publish(examplePlan)
    const { vault } = contracts
    return { ground: { postgresUrl: database.url(), rolePassword, vault, rootCode, operatorsFolder, ceremony }, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    await chain.stop()
  }
}

/** Copies the pool for one stack. Returns the URL of its database. */
export async function copyGround({ postgresUrl }: Ground, name: string): Promise<string> {
  await ask(postgresUrl, `create database ${name} template ${DATABASE}`)
  const url = new URL(postgresUrl)
  url.pathname = name
  return url.href
}

export const dropCopy = ({ postgresUrl }: Ground, name: string): Promise<void> =>
  ask(postgresUrl, `drop database ${name} with (force)`)

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
