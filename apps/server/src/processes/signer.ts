import { setTimeout as sleep } from 'node:timers/promises'
import { assets } from '@lode/kernel'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Logger } from 'pino'
import { createCorrectionCheck } from '../modules/correction/index.ts'
import { isWorkerAway, readWorkerState } from '../modules/custody/index.ts'
import { messageSite } from '../modules/identity/index.ts'
import {
  createAcknowledgedRestores,
  createOperators,
  formatUtc,
  keepOnlyRestrictive,
  type Operators,
  readPauseEnd,
} from '../modules/operators/index.ts'
import { createAppointmentAirdropCheck } from '../modules/partner/index.ts'
import {
  createPayerMetrics,
  type PayoutRow,
  type ProofChecks,
  startPayer,
  type Verdict,
} from '../modules/payout/index.ts'
import { createPlans, type Plan, type Plans, quotaAt } from '../modules/plan/index.ts'
import { createPromotionAirdropCheck } from '../modules/promotion/index.ts'
import { createAddressSignatureMetrics, startAddressSignatureChecks } from '../modules/protection/index.ts'
import { judgeTransfers, listRecentlyDecidedTransfers } from '../modules/transfer/index.ts'
import { judgeTreasury } from '../modules/treasury/index.ts'
import { createNodeList } from '../platform/chain/node-list.ts'
import { createSignatureVerifier } from '../platform/chain/signature-verifier.ts'
import { readClock } from '../platform/clock/clock.ts'
import { createClockMetrics, startClockCheck } from '../platform/clock/clock-check.ts'
import { readSignerConfig, type SignerConfig } from '../platform/config/config.ts'
import { decimalsOf, firstVaultOf } from '../platform/config/pool-contracts.ts'
import { connectDatabase, type Database } from '../platform/db/database.ts'
import { mountHealth } from '../platform/http/health.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createOperatorsReport } from './operators-report.ts'
import { runProcess } from './run-process.ts'
import { checkChain, checkCommitsSurvive, checkDatabase, checkDecimals, configOrRefuse } from './start-up.ts'

export type RunningSigner = { readonly url: string; close(): Promise<void> }

export async function startSigner(config: SignerConfig, log: Logger): Promise<RunningSigner> {
  const database = connectDatabase(config.databaseUrl, {
    name: 'lode signer',
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const { db, pool } = database
  try {
    await checkDatabase(db, config.profile)
    await checkCommitsSurvive(db, config)
    await checkDecimals(db, config.chain.contracts)
    const { plans, judge, mayBurn, checkAirdrop, checkCorrection, obeyedOperators, readAcknowledged } =
      createPayoutChecks(config)
    warnAboutLowCaps(await plans.inForce(db), config, log)
    const metrics = createMetrics('signer', pool)
    const nodes = createNodeList({ ...config, refusedMetric: metrics.nodesFileRefused, log })
    // Checked only once here, because every later turn of the payer checks the chain id itself.
    ;(await checkChain(config.chain, nodes, log)).stop()
    const loggerInstance: FastifyBaseLogger = log
    const app = fastify({
      loggerInstance,
      logController: new LogController({ disableRequestLogging: true }),
      forceCloseConnections: 'idle',
    })
    const payerMetrics = createPayerMetrics(metrics.registry)
    const operatorsReport = createOperatorsReport({
      operators: obeyedOperators,
      pinnedLink: config.ceremony,
      metrics: payerMetrics,
      log,
    })
    await operatorsReport.check(db)
    const clock = startClockCheck({
      db,
      nodes,
      maxDifferenceMs: config.clockMaxDifferenceMs,
      pollMs: config.payer.pollMs,
      metrics: createClockMetrics(metrics.registry),
      log,
    })
    const payer = startPayer({
      db,
      chain: config.chain,
      nodes,
      payer: config.payer,
      metrics: payerMetrics,
      log,
      judge,
      mayBurn,
      findClockProblem: clock.findProblem,
      checkAirdrop,
      checkCorrection,
      readAcknowledged,
      report: operatorsReport.report,
      listRecentlyDecided: listRecentlyDecidedTransfers,
    })
    const addressChecks = startAddressSignatureChecks(
      {
        db,
        site: messageSite(config.publicOrigin, config.chain.id),
        verifySignature: createSignatureVerifier({
          nodes,
          onChainCheck: (outcome) => metrics.chainChecks.inc({ outcome }),
        }),
        metrics: createAddressSignatureMetrics(metrics.registry),
        log,
      },
      config.payer.pollMs,
    )
    mountHealth(app, {
      db,
      metrics,
      trouble: () => payer.trouble() ?? clock.trouble(),
      notes: async () => ({ ...(await describeWorkerProblem(db)), ...operatorsReport.notes() }),
    })
    const url = await app.listen({ host: config.host, port: config.port })
    return {
      url,
      close: async () => {
        await app.close()
        // A node that hangs does not delay stopping.
        const running = Promise.all([payer.stop(), addressChecks.stop(), clock.stop()])
        await Promise.race([running, sleep(1_500, undefined, { ref: false })])
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A dead worker posts nothing, so soon nothing is paid either. */
async function describeWorkerProblem(db: Database): Promise<Readonly<Record<string, string>>> {
  const seenAt = (await readWorkerState(db))?.seenAt ?? null
  if (!isWorkerAway(seenAt, await readClock(db))) return {}
  return { worker: seenAt ? `has not reported since ${formatUtc(seenAt)}` : 'has never reported' }
}

/**
 * The module that owns a kind of payout judges the payouts of this kind. A burn belongs to no module; operators can
 * stop it only by a payout pause.
 */
function createPayoutChecks(config: SignerConfig) {
  const { contracts, id: chainId } = config.chain
  const operators = createOperators({ pool: firstVaultOf(contracts), chainId, ceremony: config.ceremony })
  const pinned = config.ceremony !== null
  // Without a pin the signer cannot know whose signatures a plan needs. In production the signer needs a pin to start.
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: pinned ? operators : null })
  const judge = async (trx: Database, payouts: readonly PayoutRow[]): Promise<Map<string, Verdict>> => {
    const transfers = payouts.filter(({ kind }) => kind === 'transfer')
    const payments = payouts.filter(({ kind }) => kind !== 'transfer')
    return new Map([
      ...(await judgeTransfers(trx, transfers, { plans, operators, pinned })),
      ...(pinned ? await judgeTreasury(trx, payments, { operators, contracts }) : payments.map(holdWithoutPin)),
    ])
  }
  const obeyedOperators = pinned ? operators : keepOnlyRestrictive(operators)
  const mayBurn = async (trx: Database, now: Date): Promise<boolean> =>
    (await readPauseEnd(trx, obeyedOperators, now)) === null
  return {
    plans,
    judge,
    mayBurn,
    checkAirdrop: createAirdropCheck(plans, operators),
    checkCorrection: createCorrectionCheck(operators),
    obeyedOperators,
    readAcknowledged: createAcknowledgedRestores(pinned ? operators : null),
  }
}

/** The module that gives an airdrop checks it. No other ledger transaction may take from the reserves for airdrops. */
function createAirdropCheck(plans: Plans, operators: Operators): ProofChecks['checkAirdrop'] {
  const checkPromotion = createPromotionAirdropCheck(plans)
  const checkAppointment = createAppointmentAirdropCheck({ operators, plans })
  return async (db, posted) => {
    switch (posted.type) {
      case 'airdropForActive':
      case 'airdropForPromotion':
        return checkPromotion(db, posted)
      case 'airdropForAgent':
      case 'airdropForPartner':
        return checkAppointment(db, posted)
      default:
        return 'this type of transaction gives no airdrop'
    }
  }
}

/**
 * Warns if a cap is lower than the highest quota. The signer never pays a payout above its cap, so a transfer of the
 * full quota would wait until the cap is raised.
 */
function warnAboutLowCaps(inForce: Plan | null, { payer }: SignerConfig, log: Logger): void {
  for (const asset of assets) {
    const cap = payer.dayCap[asset]
    const quota = inForce && quotaAt(inForce, inForce.levels.length)[asset]
    if (cap !== undefined && quota !== null && quota > cap)
      log.warn(
        { asset, quota: String(quota), cap: String(cap) },
        'SIGNER_DAY_CAP is below the quota of the highest level',
      )
  }
}

const holdWithoutPin = ({ id }: PayoutRow): [string, Verdict] => [
  id,
  { kind: 'check', problem: 'OPERATORS_CEREMONY is not set, so nobody knows who the operators are' },
]

if (import.meta.main) {
  await runProcess('signer', async (environment) => {
    const config = configOrRefuse(readSignerConfig(environment))
    const log = createLogger('signer', config.logLevel)
    return { log, close: (await startSigner(config, log)).close }
  })
}
