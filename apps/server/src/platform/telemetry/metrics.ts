import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'route' | 'status'>
  readonly signIns: Counter<'action' | 'outcome'>
  readonly clientErrors: Counter<'kind'>
  readonly chainChecks: Counter<'outcome'>
  readonly nodesFileRefused: Gauge
  readonly passwordRuns: Counter<'kind'>
  readonly sweptRows: Counter<'table'>
  readonly sealedTransactions: Counter
  readonly evidenceNotFound: Gauge
  readonly jobFailures: Counter<'task'>
  readonly jobFailing: Gauge<'task'>
}

/** Creates a registry for one process. Tests run several processes in one program; these must not share counters. */
export function createMetrics(process: string, pool: pg.Pool): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'lode_database_connections',
    help: 'Connections of the pool: open, idle, and callers that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'open' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'lode_http_request_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    signIns: new Counter({
      name: 'lode_sign_ins_total',
      help: 'Attempts to log in or register, by outcome: ok or the refusal',
      labelNames: ['action', 'outcome'],
      registers,
    }),
    clientErrors: new Counter({
      name: 'lode_client_errors_total',
      help: 'Errors that the web app reported, by where it noticed them',
      labelNames: ['kind'],
      registers,
    }),
    chainChecks: new Counter({
      name: 'lode_signature_chain_checks_total',
      help: 'Contract wallet signatures that were checked on the chain, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    nodesFileRefused: new Gauge({
      name: 'lode_nodes_file_refused',
      help: '1 while CHAIN_RPC_FILE holds a list of nodes that is not used; the log says why',
      registers,
    }),
    passwordRuns: new Counter({
      name: 'lode_argon2_runs_total',
      help: 'Runs of argon2: hash and verify of a fund password, and dummy where there is none to verify against',
      labelNames: ['kind'],
      registers,
    }),
    sweptRows: new Counter({
      name: 'lode_swept_rows_total',
      help: 'Dead rows that the worker removed, by table',
      labelNames: ['table'],
      registers,
    }),
    sealedTransactions: new Counter({
      name: 'lode_sealed_transactions_total',
      help: 'Transactions of the ledger that were hashed into the chain of seals',
      registers,
    }),
    evidenceNotFound: new Gauge({
      name: 'lode_evidence_not_found',
      help: 'Fundings of days not closed yet whose Bitcoin output the Bitcoin node has not found, or that is worth less',
      registers,
    }),
    jobFailures: new Counter({
      name: 'lode_job_failures_total',
      help: 'Tries of a job that failed, by task',
      labelNames: ['task'],
      registers,
    }),
    jobFailing: new Gauge({
      name: 'lode_job_failing',
      help: '1 after a job of the task failed its last try, until the task succeeds again',
      labelNames: ['task'],
      registers,
    }),
  }
}
