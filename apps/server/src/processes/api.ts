import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { mountContent } from '../modules/content/index.ts'
import { mountHome } from '../modules/home/index.ts'
import { createChallenges, findSession, mountIdentity } from '../modules/identity/index.ts'
import { createOperators } from '../modules/operators/index.ts'
import { createQuotes, mountOrders } from '../modules/orders/index.ts'
import { mountPartner } from '../modules/partner/index.ts'
import { createPlans, mountPlan } from '../modules/plan/index.ts'
import { mountPledge, readProduction, readPublicNextDay } from '../modules/pledge/index.ts'
import { describeProblems, mountPool, readPoolHealth } from '../modules/pool/index.ts'
import { mountPromotion } from '../modules/promotion/index.ts'
import { createPasswordHashing, mountProtection, readProtection } from '../modules/protection/index.ts'
import { mountTeam } from '../modules/team/index.ts'
import { countOverdue, mountTransfer } from '../modules/transfer/index.ts'
import { listPublicPayments } from '../modules/treasury/index.ts'
import { mountWallet } from '../modules/wallet/index.ts'
import { createNodeList } from '../platform/chain/node-list.ts'
import { createSignatureVerifier } from '../platform/chain/signature-verifier.ts'
import { type ApiConfig, readApiConfig } from '../platform/config/config.ts'
import { allVaultsOf, decimalsOf, firstVaultOf } from '../platform/config/pool-contracts.ts'
import { connectDatabase } from '../platform/db/database.ts'
import { mountClientReports } from '../platform/http/client-reports.ts'
import { collectDocumentation, serveDocumentation } from '../platform/http/documentation.ts'
import { mountHealth } from '../platform/http/health.ts'
import { createMount } from '../platform/http/mount.ts'
import { createRateLimits } from '../platform/http/rate-limits.ts'
import { createHttpServer, refuseUnknownAddresses } from '../platform/http/server.ts'
import { serveWebApp } from '../platform/http/web-app.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { runProcess } from './run-process.ts'
import {
  checkChain,
  checkCommitsSurvive,
  checkDatabase,
  checkDecimals,
  checkVaultOfLedger,
  configOrRefuse,
  watchVault,
} from './start-up.ts'

const GRACE_MS = 1_500

export type RunningApi = { readonly url: string; readonly app: FastifyInstance; close(): Promise<void> }

export async function startApi(config: ApiConfig, log: Logger): Promise<RunningApi> {
  const database = connectDatabase(config.databaseUrl, {
    name: 'lode api',
    max: config.databaseConnections,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const { db, pool } = database
  try {
    const metrics = createMetrics('api', pool)
    const nodes = createNodeList({ ...config, refusedMetric: metrics.nodesFileRefused, log })
    const [chainCheck] = await Promise.all([checkChain(config.chain, nodes, log), checkDatabase(db, config.profile)])
    await checkCommitsSurvive(db, config)
    const { contracts } = config.chain
    await checkDecimals(db, contracts)
    await checkVaultOfLedger(db, config.chain)
    const vaultWatch = await watchVault(config, nodes, log)
    if (config.registration.kind === 'closed')
      log.warn('registration is closed: RESTRICTED_COUNTRIES needs a COUNTRY_HEADER that one of TRUSTED_PROXIES sets')

    const app = await createHttpServer({ config, log, metrics })
    app.addHook('onClose', () => {
      chainCheck.stop()
      vaultWatch.stop()
      return database.close()
    })
    await collectDocumentation(app)
    const rateLimits = await createRateLimits(app, { enabled: config.rateLimits, redisUrl: config.redisUrl, log })
    const authenticate = (token: string, idleSeconds: number) => findSession(db, token, idleSeconds)
    const mount = createMount(app, { authenticate, rateLimits, secret: config.nonceSecret })
    const verifySignature = createSignatureVerifier({
      nodes,
      onChainCheck: (outcome) => metrics.chainChecks.inc({ outcome }),
    })

    const challenges = createChallenges({ config, db, verifySignature })
    const hashing = createPasswordHashing((kind) => metrics.passwordRuns.inc({ kind }))
    const decimals = decimalsOf(contracts)
    const plans = createPlans({ decimals, operators: null })
    const poolAddresses = [...allVaultsOf(contracts), ...Object.values(contracts.tokens).map(({ address }) => address)]

    // These operators are used only for display, so no ceremony is pinned here.
    const operators = createOperators({ pool: firstVaultOf(contracts), chainId: config.chain.id, ceremony: null })
    const readHealth = () => readPoolHealth(db, operators, contracts.vault)
    const notes = async () => describeProblems(await readHealth())
    mountHealth(app, { db, metrics, trouble: chainCheck.trouble, notes })
    mountClientReports(mount, { log, metrics })
    mountTeam(mount, { config, db })
    mountIdentity(mount, {
      config,
      db,
      challenges,
      readProtection: (session) => readProtection(db, session),
      metrics,
    })
    mountProtection(mount, { config, db, challenges, hashing, poolAddresses })
    mountPlan(mount, { db, contracts })
    mountPool(mount, {
      db,
      chain: config.chain,
      links: config,
      plans,
      decimals,
      countOverdue: () => countOverdue(db, { plans, operators }),
      listTreasuryPayments: (page) => listPublicPayments(db, page, decimals),
      readProduction: () => readProduction(db, decimals),
      readNextDay: () => readPublicNextDay(db, { plans, operators }),
      readHealth,
    })
    mountWallet(mount, { chain: config.chain, db, plans })
    mountHome(mount, { chain: config.chain, db, plans })
    mountTransfer(mount, { db, chain: config.chain, plans, operators, hashing })
    const quotes = createQuotes(config.chain, config.quoteKey)
    const showing = { quotes, decimals, finalityMinutes: config.chain.finalityMinutes }
    mountOrders(mount, { db, showing, showingTransfers: { plans, operators, decimals } })
    mountPartner(mount, { db, plans, decimals })
    mountPromotion(mount, { config, db, plans, hashing, showing, onlineRefusal: vaultWatch.onlineRefusal })
    mountPledge(mount, { db, plans, operators, hashing, showing, onlineRefusal: vaultWatch.onlineRefusal })
    mountContent(mount, { config, db })
    await serveDocumentation(app)
    if (config.webRoot === null) refuseUnknownAddresses(app)
    else await serveWebApp(app, config.webRoot, config.webKeptRoot)

    const url = await app.listen({ host: config.host, port: config.port })
    return { url, app, close: () => closeGracefully(app) }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Waits until the requests under way are answered. After the grace period it closes all connections. */
async function closeGracefully(app: FastifyInstance): Promise<void> {
  const forceClose = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  await app.close()
  clearTimeout(forceClose)
}

if (import.meta.main) {
  await runProcess('api', async (environment) => {
    const config = configOrRefuse(readApiConfig(environment))
    const log = createLogger('api', config.logLevel)
    return { log, close: (await startApi(config, log)).close }
  })
}
