import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { backOff, follow, type Turn } from '../../platform/chain/follow.ts'
import { type ChainNode, createNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import type { ChainConfig, PayerConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { alone } from './alone.ts'
import { createLook } from './look.ts'
import { createPayerAlarms, type PayerAlarms } from './payer-alarms.ts'
import { createReport, type ReportOptions } from './payer-report.ts'
import { createPayerTurn } from './payer-turn.ts'
import { createProof, type VouchForAirdrop } from './proof.ts'
import { tellWaitingForChain } from './queue.ts'
import { createSending } from './sending.ts'
import { createSigning } from './signing.ts'
import type { Judge, MayBurn } from './signing-context.ts'

type Options = ReportOptions & {
  readonly db: Database
  readonly chain: ChainConfig
  readonly payer: PayerConfig
  readonly judge: Judge
  readonly mayBurn: MayBurn
  readonly vouchForAirdrop: VouchForAirdrop
  readonly log: Logger
}

export type Payer = {
  /** Why nothing is paid, or why a former payer's release waits; null if all is well. */
  trouble(): string | null
  stop(): Promise<void>
}

/** Starts the payer. While it holds the signer lock, it makes turns (drawn in rules.ts), each through one node. */
export function startPayer(options: Options): Payer {
  const { db, chain, payer, judge, mayBurn, vouchForAirdrop, metrics, log } = options
  const nodes = chain.rpcUrls.map(createNode)
  const signer = { account: privateKeyToAccount(payer.key), chain, payer, metrics, log }
  const alarms = createPayerAlarms(metrics, log)
  const proof = createProof(chain, vouchForAirdrop)
  const report = createReport(options, alarms)
  const makeTurn = createPayerTurn({
    signer,
    sending: createSending(signer, nodes),
    signing: createSigning(signer, { judge, mayBurn, isProven: proof.isProven }),
    look: createLook(signer, proof),
    alarms,
  })
  const ending = new AbortController()
  const loop: PayLoop = {
    nodes,
    pollMs: payer.pollMs,
    turn: async (node, connection) => {
      await report(connection)
      return makeTurn(node, connection)
    },
    alarms,
    log,
    ending: ending.signal,
  }
  const running = payWhileAlone(db, loop)
  return {
    trouble: alarms.trouble,
    stop: () => {
      ending.abort()
      return running
    },
  }
}

type PayLoop = {
  readonly nodes: readonly ChainNode[]
  readonly pollMs: number
  readonly turn: (node: ChainNode, connection: Database) => Promise<Turn>
  readonly alarms: PayerAlarms
  readonly log: Logger
  /** Aborted when the payer is to stop. */
  readonly ending: AbortSignal
}

/** Takes the signer lock and pays. If the lock or its connection is lost, it begins again after a pause. */
async function payWhileAlone(db: Database, loop: PayLoop): Promise<void> {
  const { pollMs, alarms, log, ending } = loop
  let failed = 0
  while (!ending.aborted) {
    try {
      const outcome = await alone(db, (connection) => payThrough(connection, loop))
      failed = 0
      if (outcome === 'taken') alarms.setTrouble('another signer is at work')
    } catch (error) {
      failed += 1
      alarms.setTrouble('the database cannot be reached')
      log.warn({ err: error }, 'the signer could not begin')
    }
    const pause = Math.max(pollMs, backOff(failed + 1, Math.random()))
    await sleep(pause, undefined, { signal: ending }).catch(() => {})
  }
}

/** Makes turns through one connection until the connection fails or the payer is to stop. */
async function payThrough(connection: Database, { nodes, pollMs, turn, alarms, log, ending }: PayLoop): Promise<void> {
  const lost = new AbortController()
  const following = follow({
    nodes,
    pollMs,
    turn: (node) => turn(node, connection),
    onFailure: (node, error) => {
      const failure = isNodeFailure(error) ? { failure: failureText(error) } : { err: error }
      log.warn({ node: node.name, ...failure }, 'a turn of paying failed')
      // An error that is not a node's may come from the connection, so another connection is used.
      if (!isNodeFailure(error)) lost.abort()
    },
    onAllFailed: async (errors) => {
      if (errors.length === 0) return
      alarms.setTrouble(failureText(errors.at(-1)))
      await tellWaitingForChain(connection).catch(() => {})
    },
  })
  const either = AbortSignal.any([lost.signal, ending])
  if (!either.aborted) await new Promise((end) => either.addEventListener('abort', end, { once: true }))
  await following.stop()
}
