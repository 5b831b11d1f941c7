import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Logger } from 'pino'
import { createCustodyMetrics, noteAllSuspense, startWatcher, sweepSuspense } from '../modules/custody/index.ts'
import { sweepNonces, sweepSessions } from '../modules/identity/index.ts'
import { sealAll } from '../modules/ledger/index.ts'
import { createOperators } from '../modules/operators/index.ts'
import { createPaymentSettlement } from '../modules/orders/index.ts'
import { createSettlement, createSettlementMetrics } from '../modules/payout/index.ts'
import { createPlans, type Plans } from '../modules/plan/index.ts'
import { checkEvidence, closeDays, returnPledges, settlePledges } from '../modules/pledge/index.ts'
import { addUpPoolChanges, describeProblems, readPoolHealth } from '../modules/pool/index.ts'
import { createPromotionSettlement } from '../modules/promotion/index.ts'
import { freezePosting, unfreezePosting } from '../modules/transfer/index.ts'
import { applyDecisions, buildPaymentTransaction, buildReversalTransaction } from '../modules/treasury/index.ts'
import { createBitcoinNode } from '../platform/bitcoin/bitcoin-node.ts'
import { createNodeList } from '../platform/chain/node-list.ts'
import { type ClockCheck, createClockMetrics, startClockCheck } from '../platform/clock/clock-check.ts'
import { readWorkerConfig, type WorkerConfig } from '../platform/config/config.ts'
import { decimalsOf, firstVaultOf } from '../platform/config/pool-contracts.ts'
import { connectDatabase, type Database } from '../platform/db/database.ts'
import { mountHealth } from '../platform/http/health.ts'
import { runJobs } from '../platform/jobs/runner.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { createMetrics, type Metrics } from '../platform/telemetry/metrics.ts'
import { collectRewards } from './collect-rewards.ts'
import { runProcess } from './run-process.ts'
import { checkDatabase, checkDecimals, configOrRefuse } from './start-up.ts'
import { startWorkerReports } from './worker-reports.ts'

/** If several workers run, the queue gives each job to one of them. */
const SCHEDULE = {
  'sweep-nonces': '*/5 * * * *',
  'sweep-sessions': '*/15 * * * *',
  'seal-ledger': '* * * * *',
  'sweep-suspense': '* * * * *',
  'note-all-suspense': '30 2 * * *',
  'apply-decisions': '* * * * *',
  'close-days': '* * * * *',
  'return-pledges': '* * * * *',
  'add-up-pool-changes': '* * * * *',
} as const

export type RunningWorker = { readonly url: string; close(): Promise<void> }

export async function startWorker(config: WorkerConfig, log: Logger): Promise<RunningWorker> {
  const database = connectDatabase(config.databaseUrl, {
    name: 'lode worker',
    // Posting blocks may take two minutes.
    answerWithinMs: 150_000,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const { db, pool } = database
  try {
    await checkDatabase(db, config.profile)
    await checkDecimals(db, config.chain.contracts)
    const metrics = createMetrics('worker', pool)
    const { contracts } = config.chain
    const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
    const nodes = createNodeList({ ...config, refusedMetric: metrics.nodesFileRefused, log })
    const clock = startClockCheck({
      db,
      nodes,
      maxDifferenceMs: config.clockMaxDifferenceMs,
      pollMs: config.watcher.pollMs,
      metrics: createClockMetrics(metrics.registry),
      log,
    })
    const tasks = waitForClock(createTasks(config, { db, plans, metrics, log }), clock, db)
    const runner = await runJobs({ databaseUrl: config.databaseUrl, tasks, schedule: SCHEDULE, metrics, log })
    const loggerInstance: FastifyBaseLogger = log
    const app = fastify({
      loggerInstance,
      logController: new LogController({ disableRequestLogging: true }),
      forceCloseConnections: 'idle',
    })
    const payouts = createSettlement({
      contracts: config.chain.contracts,
      metrics: createSettlementMetrics(metrics.registry),
      log,
      buildUnfreeze: (payout) =>
        payout.memberId === null
          ? buildReversalTransaction(payout)
          : unfreezePosting({ ...payout, memberId: payout.memberId }),
      buildSetAside: (payout) =>
        payout.memberId === null
          ? buildPaymentTransaction(payout)
          : freezePosting({ ...payout, memberId: payout.memberId }),
      collectRewards,
    })
    const payments = createPaymentSettlement({
      settlePromotions: createPromotionSettlement(plans),
      settlePledges,
      log,
    })
    const watcher = startWatcher({
      db,
      chain: config.chain,
      nodes,
      watcher: config.watcher,
      settlements: { payouts, payments },
      metrics: createCustodyMetrics(metrics.registry),
      log,
    })
    const trouble = () => [watcher.trouble(), clock.trouble()].filter((one) => one !== null).join('; ') || null
    const operators = createOperators({ pool: firstVaultOf(contracts), chainId: config.chain.id, ceremony: null })
    const reports = startWorkerReports({
      ...{ db, metrics, plans, operators, watcher, trouble, log },
      vault: contracts.vault,
      decimals: decimalsOf(contracts),
    })
    mountHealth(app, {
      db,
      metrics,
      trouble,
      notes: async () => describeProblems(await readPoolHealth(db, operators, contracts.vault)),
    })
    const url = await app.listen({ host: config.host, port: config.port })
    return {
      url,
      close: async () => {
        await app.close()
        // A node that hangs does not delay stopping.
        const following = Promise.all([watcher.stop(), clock.stop(), reports.stop()])
        await Promise.all([runner.stop(), Promise.race([following, sleep(1_500, undefined, { ref: false })])])
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

type Tasks = Record<keyof typeof SCHEDULE, () => Promise<void>>

/** These tasks do or delete something because a time has come. The others are right at any time. */
const TIMED_TASKS = ['sweep-nonces', 'sweep-sessions', 'apply-decisions', 'close-days', 'return-pledges'] as const

/** While the clock is wrong, a timed task does nothing. The schedule calls it again. */
function waitForClock(tasks: Tasks, clock: ClockCheck, db: Database): Tasks {
  const waiting = { ...tasks }
  for (const name of TIMED_TASKS)
    waiting[name] = async () => {
      if ((await clock.findProblem(db)) === null) await tasks[name]()
    }
  return waiting
}

type TaskContext = {
  readonly db: Database
  readonly plans: Plans
  readonly metrics: Metrics
  readonly log: Logger
}

function createTasks({ chain, bitcoinNodeUrl }: WorkerConfig, context: TaskContext): Tasks {
  const { id: chainId, contracts } = chain
  const { db, plans, metrics, log } = context
  const bitcoin = bitcoinNodeUrl && createBitcoinNode(bitcoinNodeUrl)
  // No ceremony is pinned here. With its own pin the signer verifies plans, treasury payments and approved transfers
  // again. It does not verify appointments and approved days again.
  const operators = createOperators({ pool: firstVaultOf(contracts), chainId, ceremony: null })
  return {
    'sweep-nonces': async () => {
      metrics.sweptRows.inc({ table: 'consumed_nonce' }, Number(await sweepNonces(db)))
    },
    'sweep-sessions': async () => {
      metrics.sweptRows.inc({ table: 'session' }, Number(await sweepSessions(db)))
    },
    'seal-ledger': async () => {
      metrics.sealedTransactions.inc(await sealAll(db))
    },
    'sweep-suspense': async () => {
      metrics.sweptRows.inc({ table: 'suspense' }, await sweepSuspense(db))
    },
    'note-all-suspense': () => noteAllSuspense(db),
    'apply-decisions': async () => {
      const { refused } = await applyDecisions(db, { operators, plans, contracts })
      if (refused > 0) log.warn({ refused }, 'decisions could not be carried out: lode decision list says why')
    },
    'close-days': async () => {
      if (bitcoin) metrics.evidenceNotFound.set(await checkEvidence(db, bitcoin, contracts.tokens.BTC.decimals))
      const days = await closeDays(db, { plans, operators, looksForEvidence: bitcoin !== null })
      if (days.length > 0) log.info({ days }, 'production was shared out')
    },
    'return-pledges': async () => {
      const returned = await returnPledges(db)
      if (returned > 0) log.info({ returned }, 'pledges ended and were returned')
    },
    'add-up-pool-changes': () => addUpPoolChanges(db),
  }
}

if (import.meta.main) {
  await runProcess('worker', async (environment) => {
    const config = configOrRefuse(readWorkerConfig(environment))
    const log = createLogger('worker', config.logLevel)
    return { log, close: (await startWorker(config, log)).close }
  })
}
