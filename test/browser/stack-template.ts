import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployDevelopment } from '@lode/contracts/dev/deploy'
import { startAnvil } from '@lode/scripts/anvil'
import { createStackOperators } from '@lode/scripts/operators'
import { startPostgres } from '@lode/scripts/postgres'
import { createFirstMember, examplePlanFile, helpFolder, runLode } from '@lode/scripts/server'
import pg from 'pg'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

/**
 * What every stack of a run starts from: a pool with its first member, its help articles, two operators and their
 * published plan. It is made once, because it takes nine runs of the command line. A stack copies
 * it in a third of a second.
 */
export type StackTemplate = {
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

const TEMPLATE_DATABASE = 'stack_template'

export async function createStackTemplate(): Promise<{ template: StackTemplate; stop(): Promise<void> }> {
  const [database, chain] = await Promise.all([startPostgres({ durable: false }), startAnvil()])
  const operatorsFolder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
  const stop = async () => {
    await database.stop('SIGQUIT')
    await rm(operatorsFolder, { recursive: true, force: true })
  }
  try {
    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    await execute(database.url(), `create database ${TEMPLATE_DATABASE}`)
    const ownerUrl = database.url(TEMPLATE_DATABASE)
    const rolePassword = 'of-this-run-only'
    await runLode(ownerUrl, ['migrate', '--role-password', rolePassword])
    const operators = createStackOperators(operatorsFolder, {
      profile: 'test',
      ownerUrl,
      contracts,
      chain: { id: chain.chainId },
    })
    const [rootCode, ceremony] = await Promise.all([
      createFirstMember(ownerUrl, privateKeyToAddress(generatePrivateKey())),
      operators.appoint(),
      runLode(ownerUrl, ['help', 'import', helpFolder]),
    ])
    await operators.publish(examplePlanFile)
    const { vault } = contracts
    return { template: { postgresUrl: database.url(), rolePassword, vault, rootCode, operatorsFolder, ceremony }, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    await chain.stop()
  }
}

/** Copies the pool for one stack. Returns the URL of its database. */
export async function copyTemplateDatabase({ postgresUrl }: StackTemplate, name: string): Promise<string> {
  await execute(postgresUrl, `create database ${name} template ${TEMPLATE_DATABASE}`)
  const url = new URL(postgresUrl)
  url.pathname = name
  return url.href
}

export const dropTemplateCopy = ({ postgresUrl }: StackTemplate, name: string): Promise<void> =>
  execute(postgresUrl, `drop database ${name} with (force)`)

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
