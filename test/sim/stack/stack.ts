import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Anvil } from '@lode/scripts/anvil'
import { freePort } from '@lode/scripts/process'
import { type ServerSettings, startApi, startSigner, startWorker } from '@lode/scripts/server'
import type { Trace } from '../trace.ts'
import type { Chain } from './chain.ts'
import { ROLE_PASSWORD, type SimulatedDatabase } from './database.ts'
import type { FaultPoint } from './fault-points.ts'
import { Faults } from './faults.ts'
import { NodeProxy } from './node-proxy.ts'
import { SupervisedProcess } from './supervised-process.ts'

/** Everything that runs for one seed and can be made to fail. */
export type Stack = {
  readonly ownerUrl: string
  readonly origin: string
  readonly node: Anvil
  readonly database: SimulatedDatabase
  readonly api: SupervisedProcess
  readonly worker: SupervisedProcess
  /** A second process of the same kind, which runs for a while. Only one of the two may do the work. */
  readonly otherWorker: SupervisedProcess
  readonly signer: SupervisedProcess
  readonly otherSigner: SupervisedProcess
  /** The file of the signer's journal. */
  readonly journal: string
  /** The server's two nodes. Both lines lead to the one real node. */
  readonly nodeProxies: readonly [NodeProxy, NodeProxy]
  /** The next process that reaches the point dies there. */
  armFault(point: FaultPoint): Promise<void>
  /** The next process that reaches the point stops until `meanwhile` is done. */
  armStop(point: FaultPoint, meanwhile: () => Promise<unknown>): Promise<void>
  /** The armed points that no process has reached. */
  armed(): Promise<string[]>
  disarmFaults(): Promise<void>
  stop(): Promise<void>
}

type StackOptions = {
  readonly node: Anvil
  readonly chain: Chain
  readonly database: SimulatedDatabase
  readonly ownerUrl: string
  readonly trace: Trace
  readonly serverFolder: string
  /** The hash of the operators' ceremony, which the signer pins. */
  readonly ceremony: string
  /** Further variables of all processes. */
  readonly environment?: Readonly<Record<string, string>>
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { node, chain, database, ownerUrl, trace, serverFolder, ceremony, environment = {} } = options
  const faults = await Faults.begin()
  const journalFolder = await mkdtemp(join(tmpdir(), 'lode-sim-journal-'))
  const journal = join(journalFolder, 'signer.journal')
  const nodeProxies = [await NodeProxy.start(node.port), await NodeProxy.start(node.port)] as const
  const apiPort = await freePort()
  const origin = `http://127.0.0.1:${apiPort}`
  const settings = async (): Promise<ServerSettings> => ({
    profile: 'test',
    ownerUrl,
    rolePassword: ROLE_PASSWORD,
    contracts: chain.contracts,
    serverFolder,
    apiPort,
    ceremony,
    // Both signers are on one host.
    journal,
    chain: { id: node.chainId, rpcUrl: nodeProxies.map(({ rpcUrl }) => rpcUrl).join(','), name: 'Lode Simulation' },
    workerPort: await freePort(),
    signerPort: await freePort(),
    publicOrigin: origin,
    nonceSecret: 'a secret of this run only, long enough',
    extraEnvironment: {
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      FAULTS: faults.folder,
      CHAIN_POLL_MS: '40',
      SIGNER_POLL_MS: '40',
      SIGNER_STUCK_AFTER_MS: '400',
      SIGNER_MAX_FEE_GWEI: '900',
      SIGNER_DAY_CAP: 'USDT:5000,BTN:500000,BTC:0.5',
      ...environment,
    },
  })
  const supervise = async (
    name: string,
    start: typeof startApi,
    port: 'apiPort' | 'workerPort' | 'signerPort',
  ): Promise<SupervisedProcess> => {
    const own = await settings()
    return new SupervisedProcess(
      name,
      `http://127.0.0.1:${own[port]}`,
      (signal, also) =>
        start(
          // The vault may be another one than at the last start.
          {
            ...own,
            contracts: chain.contracts,
            extraEnvironment: { ...own.extraEnvironment, FORMER_VAULTS: chain.formerVaults.join(','), ...also },
          },
          { signal, onLine: (line) => trace.logProcessLine(name, line) },
        ),
      trace,
    )
  }
  const api = await supervise('api', startApi, 'apiPort')
  const worker = await supervise('worker', startWorker, 'workerPort')
  const otherWorker = await supervise('other worker', startWorker, 'workerPort')
  const signer = await supervise('signer', startSigner, 'signerPort')
  const otherSigner = await supervise('other signer', startSigner, 'signerPort')
  return {
    ownerUrl,
    origin,
    node,
    database,
    api,
    worker,
    otherWorker,
    signer,
    otherSigner,
    journal,
    nodeProxies: nodeProxies,
    armFault: (point) => faults.armKill(point),
    armStop: (point, meanwhile) => faults.armStop(point, meanwhile),
    armed: () => faults.armed(),
    disarmFaults: () => faults.disarm(),
    stop: async () => {
      await Promise.all([api, worker, otherWorker, signer, otherSigner].map((process) => process.kill()))
      await Promise.all(nodeProxies.map((line) => line.close()))
      await faults.end()
      await rm(journalFolder, { recursive: true, force: true })
    },
  }
}
