import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevelopmentContracts } from '@lode/contracts/dev/deploy'
import type { Anvil } from '@lode/scripts/anvil'
import { freePort } from '@lode/scripts/process'
import { type ServerSettings, startApi, startWorker } from '@lode/scripts/server'
import { type DatabaseServer, ROLE_PASSWORD } from './database.ts'
import { Line } from './line.ts'
import { Supervised } from './supervised.ts'
import type { Trace } from './trace.ts'

/** Everything that runs for one seed, and can be made to fail. */
export type Stack = {
  readonly ownerUrl: string
  readonly origin: string
  readonly node: Anvil
  readonly database: DatabaseServer
  readonly api: Supervised
  readonly worker: Supervised
  /** A second one of the same kind, for a while: of two only one may do the work. */
  readonly otherWorker: Supervised
  /** The two nodes that the server believes to have; both end at the one that there is. */
  readonly lines: readonly [Line, Line]
  /** Lets the next process that gets there die. */
  armFault(point: string): Promise<void>
  disarmFaults(): Promise<void>
  stop(): Promise<void>
}

type Needs = {
  readonly node: Anvil
  readonly contracts: DevelopmentContracts
  readonly database: DatabaseServer
  readonly ownerUrl: string
  readonly trace: Trace
  readonly serverFolder: string
}

export async function startStack(needs: Needs): Promise<Stack> {
  const { node, contracts, database, ownerUrl, trace, serverFolder } = needs
  const faults = await mkdtemp(join(tmpdir(), 'lode-sim-faults-'))
  const lines = [await Line.to(node.port), await Line.to(node.port)] as const
  const apiPort = await freePort()
  const origin = `http://127.0.0.1:${apiPort}`
  const settings = async (): Promise<ServerSettings> => ({
    ...{ profile: 'test', ownerUrl, rolePassword: ROLE_PASSWORD, contracts, serverFolder, apiPort },
    chain: { id: node.chainId, rpcUrl: lines.map(({ rpcUrl }) => rpcUrl).join(','), name: 'Lode Simulation' },
    workerPort: await freePort(),
    publicOrigin: origin,
    nonceSecret: 'a secret of this run only, long enough',
    also: {
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      FAULTS: faults,
      CHAIN_POLL_MS: '40',
      AGREEMENT_ABOVE: 'USDT:500,BTN:50000,BTC:0.5',
      AGREEMENT_DAY_SUM: 'USDT:1000,BTN:100000,BTC:1',
    },
  })
  const supervise = async (name: string, start: typeof startApi): Promise<Supervised> => {
    const own = await settings()
    return new Supervised(name, (signal) => start(own, { signal, onLine: (line) => trace.printed(name, line) }), trace)
  }
  const api = await supervise('api', startApi)
  const worker = await supervise('worker', startWorker)
  const otherWorker = await supervise('other worker', startWorker)
  return {
    ...{ ownerUrl, origin, node, database, api, worker, otherWorker, lines },
    armFault: (point) => writeFile(join(faults, point.replace(/[:/]/g, '-')), ''),
    disarmFaults: async () => {
      await rm(faults, { recursive: true, force: true })
      await mkdir(faults)
    },
    stop: async () => {
      await Promise.all([api.kill(), worker.kill(), otherWorker.kill()])
      await Promise.all(lines.map((line) => line.close()))
      await rm(faults, { recursive: true, force: true })
    },
  }
}
