import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployDevelopment } from '@lode/contracts/dev/deploy'
import { startAnvil } from '@lode/scripts/anvil'
import { startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import { runLode, type ServerSettings } from '@lode/scripts/server'
import { mnemonicToAccount } from 'viem/accounts'
import { query } from '../sim/query.ts'
import { DEVELOPMENT_MNEMONIC } from './member.ts'

const DAY_MS = 86_400_000
const WALLET_ACCOUNTS = 10

export type DemoDatabases = Awaited<ReturnType<typeof startDemoDatabases>>

type Secrets = { readonly rolePassword: string; readonly nonceSecret: string }

/**
 * The databases of a demo in a development stack's folder, where the stack finds them at its next start: PostgreSQL
 * with an empty pool, and a chain with the pool's contracts whose first block is before the history. An incomplete demo
 * is made again, so nothing waits for the disk.
 */
export async function startDemoDatabases(folder: string, { rolePassword, nonceSecret }: Secrets, before: Date) {
  const [postgres, node] = await Promise.all([
    startPostgres({ dataFolder: join(folder, 'postgres'), durable: false }),
    startAnvil({
      stateFile: join(folder, 'chain.json'),
      stateIntervalSeconds: 3_600,
      firstBlockAt: new Date(before.getTime() - DAY_MS),
      firstComeFirst: true,
    }),
  ])
  const close = async (): Promise<void> => {
    await Promise.all([postgres.stop(), node.stop('SIGINT')])
  }
  try {
    const members = Array.from(
      { length: WALLET_ACCOUNTS },
      (_, addressIndex) => mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex }).address,
    )
    const deployed = await deployDevelopment({ rpcUrl: node.rpcUrl, members })
    const contracts = { ...deployed, firstBlock: Number(deployed.firstBlock) }
    writeFileSync(join(folder, 'contracts.json'), JSON.stringify(contracts, null, 2))
    await query(postgres.url(), 'create database lode')
    const ownerUrl = postgres.url('lode')
    await runLode(ownerUrl, ['migrate', '--role-password', rolePassword])
    const settings: ServerSettings = {
      profile: 'development',
      ownerUrl,
      rolePassword,
      nonceSecret,
      contracts,
      chain: { id: node.chainId, rpcUrl: node.rpcUrl, name: 'Lode Development' },
      apiPort: await freePort(),
      workerPort: await freePort(),
      signerPort: await freePort(),
      publicOrigin: 'http://127.0.0.1:5173',
    }
    return { settings, operatorsFolder: join(folder, 'operators'), close }
  } catch (error) {
    await close()
    throw error
  }
}
