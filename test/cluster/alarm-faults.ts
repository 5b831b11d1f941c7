import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import { developmentKeys } from '@lode/contracts/dev/deploy'
import type { Cluster } from '@lode/scripts/cluster'
import { runLode } from '@lode/scripts/server'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { processesOf } from '../faults/cluster/fault-list.ts'
import { sendSignal } from '../faults/process-tree.ts'
import { query } from '../sim/query.ts'

export type AlarmFault = {
  readonly name: string
  /** The alarms that must ring, each with the label that tells what it is about, if the rule has one. */
  readonly alarms: readonly { readonly alertname: string; readonly job?: string; readonly proxy?: string }[]
  /** Makes it happen. Returns what ends it. */
  begin(cluster: Cluster): Promise<() => Promise<void>>
}

async function freeze(pids: readonly number[]): Promise<() => Promise<void>> {
  for (const pid of pids) sendSignal(pid, 'SIGSTOP')
  return async () => {
    for (const pid of pids) sendSignal(pid, 'SIGCONT')
  }
}

const pidsOf = ({ processes }: Cluster, pattern: RegExp): number[] =>
  Array.from(processes.values()).flatMap((one) => (pattern.test(one.name) ? [one.pid()] : []))

/** Does something every second until it is stopped. */
function repeat(act: () => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await act()
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return async () => {
    stopping.abort()
    await running
  }
}

const neverAudited: AlarmFault = {
  name: 'nobody has run lode audit',
  alarms: [{ alertname: 'AuditNeverRan' }],
  begin:
    async ({ ownerUrl }) =>
    async () => {
      await runLode(ownerUrl, ['audit'])
    },
}

const frozenHost: AlarmFault = {
  name: 'the host of a standby freezes',
  alarms: [
    { alertname: 'ProcessDown', job: 'patroni' },
    { alertname: 'ProcessDown', job: 'etcd' },
    { alertname: 'StandbyAway' },
  ],
  async begin(cluster) {
    const standby = (await cluster.database.members()).find(({ role }) => role === 'replica')
    if (!standby) throw new Error('No standby is free to be frozen')
    return freeze([...(await processesOf(cluster, standby.name)), ...pidsOf(cluster, RegExp(`^etcd ${standby.name}$`))])
  },
}

const frozenApi: AlarmFault = {
  name: 'an api freezes',
  alarms: [{ alertname: 'ProcessDown', job: 'api' }, { alertname: 'ServerBehindProxyDown' }],
  begin: (cluster) => freeze(pidsOf(cluster, /^api 2$/)),
}

const pausedPayouts: AlarmFault = {
  name: 'an operator pauses payouts',
  alarms: [{ alertname: 'PayoutsPaused' }],
  async begin({ operators }) {
    await operators.decide('ada', 'transfer', 'pause', '2', 'a drill')
    return async () => {
      for (const name of ['ada', 'bo'] as const) await operators.decide(name, 'transfer', 'resume', 'the drill is over')
    }
  },
}

const pausedVault: AlarmFault = {
  name: 'a guardian pauses the vault',
  alarms: [{ alertname: 'VaultPaused' }],
  async begin({ chain, contracts }) {
    const account = privateKeyToAccount(developmentKeys().guardian)
    const guardian = createWalletClient({
      account,
      chain: { ...foundry, id: chain.chainId },
      transport: http(chain.rpcUrl),
    })
    const call = (functionName: 'pause' | 'unpause') =>
      guardian.writeContract({ address: contracts.vault, abi: poolVaultAbi, functionName })
    await call('pause')
    return async () => {
      await call('unpause')
    }
  },
}

const poisonJob: AlarmFault = {
  name: 'a job may not do its work',
  alarms: [{ alertname: 'JobFailing' }],
  async begin({ ownerUrl }) {
    const queueJob = () => query(ownerUrl, `select graphile_worker.add_job('sweep-nonces', max_attempts => 1)`)
    await query(ownerUrl, 'revoke delete on lode.consumed_nonce from lode_worker')
    await queueJob()
    return async () => {
      await query(ownerUrl, 'grant delete on lode.consumed_nonce to lode_worker')
      // Only a success in the same worker ends it.
      for (let job = 0; job < 20; job += 1) await queueJob()
    }
  },
}

const clientErrors: AlarmFault = {
  name: 'the web app reports errors',
  alarms: [{ alertname: 'ClientErrors' }],
  begin: async ({ ports }) =>
    repeat(() =>
      fetch(`http://127.0.0.1:${ports.apis[0]}/api/client/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'error', text: 'Error: a drill', build: 'index.js' }),
      }),
    ),
}

const lostBackup: AlarmFault = {
  name: 'the backup cannot be written',
  alarms: [{ alertname: 'ArchiveFailing' }],
  async begin({ folder, ownerUrl }) {
    const backups = join(folder, 'database/backups')
    const endSegment = () => query(ownerUrl, 'select pg_switch_wal()')
    await chmod(backups, 0)
    await endSegment()
    return () => chmod(backups, 0o700)
  },
}

const frozenChain: AlarmFault = {
  name: 'the only chain node freezes',
  alarms: [{ alertname: 'CreditsStopped' }, { alertname: 'NothingPaid' }],
  begin: ({ chain }) => freeze([chain.pid]),
}

const wrongClock: AlarmFault = {
  name: "the database's clock jumps by a day and a half",
  alarms: [{ alertname: 'ClockWrong' }, { alertname: 'DayCloseLate' }],
  async begin({ ownerUrl }) {
    await query(ownerUrl, `update lode.clock set shift = '36 hours'`)
    return async () => {
      await query(ownerUrl, `update lode.clock set shift = '0'`)
    }
  },
}

const frozenWorkers: AlarmFault = {
  name: 'both workers freeze',
  alarms: [{ alertname: 'AllDown', job: 'worker' }],
  begin: (cluster) => freeze(pidsOf(cluster, /^worker /)),
}

const frozenStandbys: AlarmFault = {
  name: 'both standbys freeze',
  alarms: [{ alertname: 'NoSynchronousStandby' }],
  async begin(cluster) {
    const primary = await cluster.database.primary()
    const standbys = cluster.ports.nodes.map(({ node }) => node).filter((node) => node !== primary)
    return freeze((await Promise.all(standbys.map((node) => processesOf(cluster, node)))).flat())
  },
}

const frozenMajority: AlarmFault = {
  name: 'two of three members of etcd freeze, so that nobody may be the primary',
  alarms: [
    { alertname: 'EtcdNoLeader' },
    { alertname: 'NoPrimary' },
    { alertname: 'NoServerBehindProxy', proxy: 'primary' },
  ],
  begin: (cluster) => freeze(pidsOf(cluster, /^etcd db[12]$/)),
}

/** The faults of a group are independent of each other and happen together. */
export const faultGroups = {
  'of hosts, people and members': [
    neverAudited,
    frozenHost,
    frozenApi,
    pausedPayouts,
    pausedVault,
    poisonJob,
    clientErrors,
    lostBackup,
  ],
  'of chain and clock': [frozenChain, wrongClock],
  'after which nothing goes on': [frozenWorkers, frozenStandbys],
  'of those who choose the primary': [frozenMajority],
} as const satisfies Readonly<Record<string, readonly AlarmFault[]>>
