import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Gauge, Registry } from 'prom-client'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWorkerAway, readWorkerState, writeWorkerState } from '../modules/custody/index.ts'
import { createOperators, proposePause, proposeResume } from '../modules/operators/index.ts'
import { createPlans } from '../modules/plan/index.ts'
import { listPublicProblems, readPoolHealth } from '../modules/pool/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import { decimalsOf } from '../platform/config/pool-contracts.ts'
import { testContracts } from '../testing/contracts.ts'
import { signAs } from '../testing/operators.ts'
import { type OrderFixture, startOrderFixture } from '../testing/order-fixture.ts'
import { waitUntil } from '../testing/pool.ts'
import { runLode } from '../testing/run-lode.ts'
import { startWorkerReports } from './worker-reports.ts'

/** What tells that the pool stopped: `lode status`, `lode chain status`, `/readyz`, metrics and the public figures. */

let fixture: OrderFixture
let worker: Awaited<ReturnType<OrderFixture['startWorker']>>
beforeAll(async () => {
  fixture = await startOrderFixture()
  worker = await fixture.startWorker()
  await fixture.finalize()
}, 120_000)
afterAll(() => fixture.close())

const readNotes = async (url: string): Promise<Record<string, string>> =>
  (await fetch(new URL('/readyz', url))).json() as Promise<Record<string, string>>
const readMetrics = async (): Promise<string> => (await fetch(new URL('/metrics', worker.url))).text()
const readData = async (...words: string[]) => JSON.parse(await runLode(fixture, ...words, '--json'))

describe('a pool', { timeout: 180_000 }, () => {
  it('whose worker runs shows its block, its nodes, and the metrics that operators watch', async () => {
    await waitUntil(async () => expect((await readWorkerState(fixture.db))?.finalBlock).toBeGreaterThan(0n))
    const chain = await readData('chain', 'status')
    expect(chain).toMatchObject({ workerAway: false, stops: [] })
    expect(BigInt(chain.postedBlock)).toBeGreaterThan(0n)
    expect(chain.nodes).toContainEqual({ name: expect.any(String), failure: null })
    await waitUntil(async () => {
      const metrics = await readMetrics()
      for (const line of [
        /lode_reviews_waiting\{state="all",process="worker"\} 0/,
        /lode_review_oldest_seconds\{process="worker"\} 0/,
        /lode_day_close_late_seconds\{process="worker"\} \d/,
      ])
        expect(metrics).toMatch(line)
    })
    expect(await readNotes(fixture.api.url)).not.toHaveProperty('worker')
    expect(await runLode(fixture, 'status')).toContain('lode audit has never run.')
  })

  it('has no age of its audit before the first one, and then its seconds and what it found', async () => {
    const plans = createPlans({ decimals: decimalsOf(testContracts), operators: null })
    const operators = createOperators({ ...fixture.poolId, ceremony: null })
    const report = { finalBlock: 1n, nodes: [], failingJobs: [] }
    /** What a worker measures when it starts. */
    const measure = async () => {
      const registry = new Registry()
      const jobFailing = new Gauge({ name: 'failing', help: 'none', registers: [] })
      const context = {
        plans,
        operators,
        watcher: { report: () => report, trouble: () => 'no node answers' },
        trouble: () => null,
        vault: testContracts.vault,
        decimals: decimalsOf(testContracts),
      }
      const log = pino({ level: 'silent' })
      const reports = startWorkerReports({ ...context, db: fixture.db, metrics: { registry, jobFailing }, log })
      // The measurement that has begun is finished before it stops.
      await reports.stop()
      const read = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? []
      const values = await Promise.all(
        ['age_seconds', 'findings'].map(async (name) => (await read(`lode_audit_${name}`))[0]?.value),
      )
      return {
        age: values[0],
        findings: values[1],
        creditsStopped: await read('lode_credits_stopped'),
        holdings: await read('lode_pool_holdings'),
      }
    }
    const first = await measure()
    expect(first).toMatchObject({ age: undefined, findings: 0, creditsStopped: [{ value: 1 }] })
    expect(first.holdings).toHaveLength(15)
    for (const seconds of [8 * 86_400, 0]) {
      await sql`
        insert into lode.audit_run (at, findings, with_chain)
        values (lode.now() - make_interval(secs => ${seconds}), 3, false)`.execute(fixture.db)
      const { age = -1, findings } = await measure()
      expect(findings).toBe(3)
      expect(age).toBeGreaterThanOrEqual(seconds)
      expect(age).toBeLessThan(seconds + 60)
    }
  })

  it('that is paused and half resumed says so everywhere, and for whom the resume waits', async () => {
    const { alice, bob } = fixture.operators
    const until = new Date((await readClock(fixture.db)).getTime() + 3_600_000)
    await signAs(fixture.db, fixture.poolId, proposePause(until, 'a drill'), alice)
    await signAs(fixture.db, fixture.poolId, proposeResume('the drill is over'), bob)
    const status = await runLode(fixture, 'status')
    expect(status).toMatch(
      /Waiting for another operator:\n {2}\d+ {2}resume payouts.*the drill is over\n\s+signed by bob/,
    )
    expect(status).toMatch(/\nPayouts: paused until .* UTC by alice: a drill \(decision \d+\)\n/)
    expect(status).toContain('No signer has ever reported here')
    await waitUntil(async () =>
      expect(await readNotes(fixture.api.url)).toMatchObject({
        status: 'ready',
        payouts: expect.stringContaining('paused until'),
        signer: 'has never reported',
      }),
    )
    await signAs(fixture.db, fixture.poolId, proposeResume(undefined), alice)
  })

  it('whose vault a guardian paused says so everywhere, until the guardian ends it', async () => {
    const call = async (functionName: 'pause' | 'unpause') => {
      const data = encodeFunctionData({ abi: poolVaultAbi, functionName })
      await fixture.mined(fixture.send(fixture.accountOf('guardian'), fixture.contracts.vault, data))
      await fixture.finalize()
    }
    const isPausedInMetrics = async () => /lode_vault_paused\{process="worker"\} 1/.test(await readMetrics())
    const readStates = async () => ({
      'lode status': (await runLode(fixture, 'status')).match(/paused until \d[^\n]*/g),
      'lode chain status': (await runLode(fixture, 'chain', 'status')).match(/paused until \d[^\n]*/g),
      'lode transfer list': (await runLode(fixture, 'transfer', 'list')).match(/paused until \d[^\n]*/g),
      api: (await readNotes(fixture.api.url)).vault,
      worker: (await readNotes(worker.url)).vault,
      public: listPublicProblems(await readPoolHealth(fixture.db, operators, fixture.contracts.vault)).filter(
        ({ kind }) => kind === 'vault-paused',
      ),
    })
    const operators = createOperators({ ...fixture.poolId, ceremony: null })
    expect(await isPausedInMetrics()).toBe(false)
    await call('pause')
    const paused =
      /^paused until \d.* UTC by a guardian: no payout leaves it, nothing is burned, and no member can pay in\.$/
    const line = expect.stringMatching(paused)
    await waitUntil(async () =>
      expect(await readStates()).toEqual({
        'lode status': [line, line],
        'lode chain status': [line],
        'lode transfer list': [line],
        api: expect.stringMatching(/^paused until .* UTC$/),
        worker: expect.stringMatching(/^paused until .* UTC$/),
        public: [{ kind: 'vault-paused', symbol: null, since: expect.any(String) }],
      }),
    )
    expect(await runLode(fixture, 'status')).toMatch(
      /\nVault: paused until .*\nAudit: .*\nAlarms:\n {2}The vault is paused/,
    )
    expect(await runLode(fixture, 'chain', 'status')).toContain('\nNothing else is stopped.')
    expect((await readNotes(worker.url)).status).toBe('ready')
    await waitUntil(async () => expect(await isPausedInMetrics()).toBe(true), 90_000)
    await call('unpause')
    await waitUntil(async () =>
      expect(await readStates()).toEqual({
        'lode status': null,
        'lode chain status': null,
        'lode transfer list': null,
        api: undefined,
        worker: undefined,
        public: [],
      }),
    )
    expect(await runLode(fixture, 'chain', 'status')).toContain('\nNothing is stopped.')
  })

  it('that stopped shows the reason, without ending the stop', async () => {
    const reason = 'the vault holds 1.5 USDT, but the ledger with the logs of a node says 2.5 USDT'
    await sql`
      select lode.stop_asset('USDT', ${reason}, posted_number, null, null, null, null, null, null)
      from lode.chain_state`.execute(fixture.db)
    for (const words of [['status'], ['chain', 'status']]) expect(await runLode(fixture, ...words)).toContain(reason)
    await waitUntil(async () => expect(await readNotes(fixture.api.url)).toMatchObject({ stopped: 'USDT' }))
    await waitUntil(async () => expect((await readNotes(worker.url)).status).toContain('stopped'))
    expect((await readData('chain', 'status')).stops).toMatchObject([{ asset: 'USDT' }])
    await sql`delete from lode.asset_stop`.execute(fixture.db)
  })

  it('whose worker died says so in `lode status`, `/readyz` and the public figures', async () => {
    await worker.close()
    await fixture.clock.advance(61)
    const seenAt = (await readWorkerState(fixture.db))?.seenAt ?? null
    expect(isWorkerAway(seenAt, await readClock(fixture.db))).toBe(true)
    const status = await runLode(fixture, 'status')
    expect(status).toContain('The worker does not run: nothing is credited, closed or carried out.')
    await waitUntil(async () =>
      expect(await readNotes(fixture.api.url)).toMatchObject({ worker: expect.stringContaining('has not reported') }),
    )
    const { data } = (await fixture.api.call('pool/figures', {})).body
    expect(data.problems).toContainEqual({ kind: 'worker-away', symbol: null, since: expect.any(String) })
  })

  it('that has a stopped asset also shows other trouble of the worker, and what the last audit found', async () => {
    await sql`
      select lode.stop_asset('USDT', 'money left', posted_number, null, null, null, null, null, null)
      from lode.chain_state`.execute(fixture.db)
    const report = { finalBlock: 1n, nodes: [], failingJobs: [] }
    await writeWorkerState(fixture.db, { ...report, trouble: 'stopped: USDT: money left' })
    await sql`insert into lode.audit_run (findings, with_chain) values (3, false)`.execute(fixture.db)
    const stopped = await runLode(fixture, 'status')
    expect(stopped).toContain('The last lode audit found errors: 3.')
    expect(stopped.match(/money left/g)).toHaveLength(1)
    await writeWorkerState(fixture.db, { ...report, trouble: 'stopped: USDT: money left; the ledger is late' })
    expect(await runLode(fixture, 'status')).toMatch(/\n {2}The worker reports: the ledger is late\n/)
    const nodes = [{ name: 'one', failure: '0.001 BTC left the vault' }]
    await writeWorkerState(fixture.db, { ...report, nodes, trouble: null })
    expect(await runLode(fixture, 'chain', 'status')).toContain('Node one: 0.001 BTC left the vault')
    expect(await runLode(fixture, 'status', '--json')).toContain('0.001 BTC left the vault')
    await sql`delete from lode.asset_stop`.execute(fixture.db)
    await writeWorkerState(fixture.db, { ...report, finalBlock: 0n, trouble: '0.001 BTC left the vault' })
    const notYetStopped = await runLode(fixture, 'chain', 'status')
    expect(notYetStopped).toContain('No stop is stored yet, but the worker does not go on')
    // Every posted block is final, also if the worker has reported an earlier one.
    expect(/^Final: block (.*)$/m.exec(notYetStopped)?.[1]).toBe(/^Posted: block (\d+) /.exec(notYetStopped)?.[1])
    await writeWorkerState(fixture.db, { ...report, nodes, trouble: null })
    expect(await runLode(fixture, 'chain', 'status')).toContain('not every node answers well')
    await sql`insert into lode.audit_run (findings, with_chain) values (0, false)`.execute(fixture.db)
    expect(await runLode(fixture, 'status')).not.toContain('The last lode audit found')
  })

  it('whose audits were all incremental is told so, until they have read everything', async () => {
    const addRuns = (days: readonly number[], findings = 0) =>
      sql`
        insert into lode.audit_run (at, findings, with_chain, incremental)
        select lode.now() - make_interval(days => ago), ${findings}, false, true
        from unnest(${days}::int[]) with ordinality as run (ago, place) order by place`.execute(fixture.db)
    const alarm = 'lode audit has not read all history for 45 days.'
    await sql`alter table lode.audit_run disable trigger user`.execute(fixture.db)
    await sql`delete from lode.audit_run`.execute(fixture.db)
    await addRuns(Array.from({ length: 29 }, (_, place) => 29 - place))
    expect(await runLode(fixture, 'status')).toContain(alarm)
    // It did not advance its checkpoint.
    await addRuns([0], 1)
    expect(await runLode(fixture, 'status')).toContain(alarm)
    await addRuns([0])
    expect(await runLode(fixture, 'status')).not.toMatch(/lode audit has|The last lode audit/)
  })
})
