import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainNode, createNode, failureText, isLackOfAgreement, isNodeFailure } from '../../platform/chain/node.ts'
import { createClients, type NodeList } from '../../platform/chain/node-list.ts'
import { backOff, pollNodes, type TurnResult } from '../../platform/chain/poll-nodes.ts'
import type { ChainConfig, PayerConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ReadAcknowledgedRestores } from '../operators/index.ts'
import { JournalProblem } from './journal.ts'
import { forgetQueue, type PayerMetrics } from './metrics.ts'
import { createPayerAlarms, type PayerAlarms } from './payer-alarms.ts'
import { createSignerReport, type ReportOptions } from './payer-report.ts'
import { createPayerTurn } from './payer-turn.ts'
import { createPreflight } from './preflight.ts'
import { createProof, type ProofChecks } from './proof.ts'
import { markWaitingForChain } from './queue.ts'
import { createReleaseSender } from './release-sender.ts'
import { createReleaseSigner } from './release-signer.ts'
import { createSignerJournal, type SignerJournal } from './signer-journal.ts'
import { withSignerLock } from './signer-lock.ts'
import type { FindClockProblem, Judge, MayBurn } from './signing-context.ts'

type PayerOptions = ReportOptions &
  ProofChecks & {
    readonly db: Database
    readonly chain: ChainConfig
    readonly nodes: NodeList
    readonly payer: PayerConfig
    readonly judge: Judge
    readonly mayBurn: MayBurn
    readonly findClockProblem: FindClockProblem
    readonly readAcknowledged: ReadAcknowledgedRestores
    readonly log: Logger
  }

export type Payer = {
  /** The reason why nothing is paid, or why a former payer's release waits. Null if there is no problem. */
  trouble(): string | null
  stop(): Promise<void>
}

/** Starts the payer. While it holds the signer lock, it runs turns, each through one node. rules.ts draws one turn. */
export function startPayer(options: PayerOptions): Payer {
  const { db, chain, payer, judge, mayBurn, findClockProblem, checkAirdrop, checkCorrection, metrics, log } = options
  const nodes = createClients(options.nodes, createNode)
  const signer = { account: privateKeyToAccount(payer.key), chain, payer, metrics, log }
  const alarms = createPayerAlarms(metrics, log)
  const proof = createProof(chain, { checkAirdrop, checkCorrection })
  const report = createSignerReport(options, alarms)
  const journal = createSignerJournal({ path: payer.journal, chain, log, readAcknowledged: options.readAcknowledged })
  const makeTurn = createPayerTurn({
    signer,
    nodes,
    sender: createReleaseSender(signer, nodes, journal),
    releaseSigner: createReleaseSigner(signer, { judge, mayBurn, findClockProblem }),
    preflight: createPreflight(signer, { prove: proof.prove, readAcknowledged: options.readAcknowledged }),
    findClockProblem,
    alarms,
  })
  const stopping = new AbortController()
  const loop: PayLoop = {
    nodes,
    pollMs: payer.pollMs,
    turn: async (node, connection) => {
      await report(connection)
      return guardByJournal({ journal, alarms, metrics }, connection, () => makeTurn(node, connection))
    },
    alarms,
    metrics,
    log,
    stopSignal: stopping.signal,
  }
  const running = payWhileLocked(db, loop)
  return {
    trouble: alarms.trouble,
    stop: async () => {
      stopping.abort()
      await running
      await journal.close()
    },
  }
}

type JournalGuard = { readonly journal: SignerJournal; readonly alarms: PayerAlarms; readonly metrics: PayerMetrics }

/** Runs a turn only if the database has what the journal has. A problem of the journal ends the turn with an alarm. */
async function guardByJournal(
  { journal, alarms, metrics }: JournalGuard,
  connection: Database,
  makeTurn: () => Promise<TurnResult>,
): Promise<TurnResult> {
  try {
    await journal.check(connection)
    const result = await makeTurn()
    metrics.journalProblem.set(0)
    return result
  } catch (error) {
    if (!(error instanceof JournalProblem)) throw error
    alarms.setTrouble(error.message)
    metrics.journalProblem.set(1)
    // The next turn reads the file again, and compares all of it.
    await journal.close()
    await markWaitingForChain(connection)
    return 'wait'
  }
}

type PayLoop = {
  readonly nodes: () => readonly ChainNode[]
  readonly pollMs: number
  readonly turn: (node: ChainNode, connection: Database) => Promise<TurnResult>
  readonly alarms: PayerAlarms
  readonly metrics: PayerMetrics
  readonly log: Logger
  /** Aborted when the payer must stop. */
  readonly stopSignal: AbortSignal
}

/** Takes the signer lock and pays. If the lock is taken or the connection is lost, it tries again after a delay. */
async function payWhileLocked(db: Database, loop: PayLoop): Promise<void> {
  const { pollMs, alarms, metrics, log, stopSignal } = loop
  let failures = 0
  while (!stopSignal.aborted) {
    try {
      const outcome = await withSignerLock(db, (connection) => payOnConnection(connection, loop))
      failures = 0
      if (outcome === 'taken') {
        alarms.setTrouble('another signer is at work')
        forgetQueue(metrics)
      }
    } catch (error) {
      failures += 1
      alarms.setTrouble('the database cannot be reached')
      log.warn({ err: error }, 'the signer could not take its lock')
    }
    const delayMs = Math.max(pollMs, backOff(failures + 1, Math.random()))
    await sleep(delayMs, undefined, { signal: stopSignal }).catch(() => {})
  }
}

/** Runs turns on one database connection until the connection fails or the payer must stop. */
async function payOnConnection(
  connection: Database,
  { nodes, pollMs, turn, alarms, log, stopSignal }: PayLoop,
): Promise<void> {
  const connectionLost = new AbortController()
  const polling = pollNodes({
    nodes,
    pollMs,
    turn: (node) => turn(node, connection),
    onFailure: (node, error) => {
      const failure = isNodeFailure(error) ? { failure: failureText(error) } : { err: error }
      log.warn({ node: node.name, ...failure }, 'a turn of the payer failed')
      // An error that is not the node's may come from the database connection, so a new connection is opened.
      if (!isNodeFailure(error)) connectionLost.abort()
    },
    onAllFailed: async (errors) => {
      if (errors.length === 0) return
      // What nodes said about each other tells more than the failure of one of them.
      const telling = errors.find(isLackOfAgreement)
      alarms.setTrouble(failureText(telling ?? errors.at(-1)))
      await markWaitingForChain(connection).catch(() => {})
    },
  })
  const stopped = AbortSignal.any([connectionLost.signal, stopSignal])
  if (!stopped.aborted) await new Promise((end) => stopped.addEventListener('abort', end, { once: true }))
  await polling.stop()
}
