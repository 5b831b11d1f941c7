import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { backOff, follow, type Turn } from '../../platform/chain/follow.ts'
import { type ChainNode, createNode, failureText, isNodeFailure, NodeContradiction } from '../../platform/chain/node.ts'
import type { ChainConfig, PayerConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { alone } from './alone.ts'
import { createLook } from './look.ts'
import type { PayerMetrics } from './metrics.ts'
import { createProof, type VouchForAirdrop } from './proof.ts'
import { anyDue, countOpen, lookAtNow, tellChainIsBack, tellWaitingForChain } from './queue.ts'
import { lastNonces, openReleases, type Release } from './releases.ts'
import { createSending } from './sending.ts'
import { createSigning, type Judge, type MayBurn } from './signing.ts'

type Options = {
  readonly db: Database
  readonly chain: ChainConfig
  readonly payer: PayerConfig
  readonly judge: Judge
  readonly mayBurn: MayBurn
  readonly vouchForAirdrop: VouchForAirdrop
  /** Writes that the signer runs. Answers in words why the operators' chain keeps everything from being paid, or null. */
  readonly report: (connection: Database) => Promise<string | null>
  /** The ids of payouts about which an operator signed something a short time ago. */
  readonly decidedLately: (connection: Database) => Promise<readonly string[]>
  readonly metrics: PayerMetrics
  readonly log: Logger
}

export type Payer = {
  /** Why nothing is paid, or what of a former payer's is not; null where all is well. */
  trouble(): string | null
  stop(): Promise<void>
}

/** Where there is nothing to sign, the chain is asked only so often. */
const TURNS_IDLE = 5
const REPORT_EVERY_MS = 5_000

/** Pays: one turn after the other, as rules.ts draws it, through one node each, while no other signer does. */
export function startPayer(options: Options): Payer {
  const { db, chain, payer, judge, mayBurn, vouchForAirdrop, report, decidedLately, metrics, log } = options
  const account = privateKeyToAccount(payer.key)
  const nodes = chain.rpcUrls.map(createNode)
  const signer = { account, chain, payer, metrics, log }
  const sending = createSending(signer, nodes)
  const proof = createProof(chain, vouchForAirdrop)
  const look = createLook(signer, proof)
  const signing = createSigning(signer, { judge, mayBurn, isProven: proof.isProven })
  const ending = new AbortController()
  let trouble: string | null = 'the chain has not been looked at yet'
  let troubleOfFormer: string | null = null
  let troubleOfOperators: string | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let reportedAt = Number.NEGATIVE_INFINITY

  function tell(found: string | null): void {
    if (found !== null && found !== trouble) log.error({ reason: found }, 'ALARM: nothing is paid out')
    if (found === null && trouble !== null) log.info('payouts go on')
    trouble = found
    showStopped()
  }

  function tellOfOperators(found: string | null): void {
    if (found !== null && found !== troubleOfOperators) log.error({ reason: found }, 'ALARM: nothing is paid out')
    troubleOfOperators = found
    showStopped()
  }

  const showStopped = (): void => metrics.stopped.set(trouble === null && troubleOfOperators === null ? 0 : 1)

  /** Others are paid meanwhile. */
  function tellOfFormer(found: string | null): void {
    if (found !== null && found !== troubleOfFormer)
      log.error({ reason: found }, 'ALARM: a former payer’s release waits')
    troubleOfFormer = found
  }

  async function turn(node: ChainNode, connection: Database): Promise<Turn> {
    await reportNowAndThen(connection)
    const foundId = await node.chainId()
    if (foundId !== chain.id)
      throw new NodeContradiction(`CHAIN_ID is ${chain.id}, but ${node.name} is of chain ${foundId}`)

    const open = await openReleases(connection)
    const nonces = await lastNonces(connection, account.address)
    const { own, others, count } = await sending.unminedOf(node, open, nonces.signed)
    if (nonces.ended >= count)
      throw new NodeContradiction(
        `${node.name} knows of ${count} transactions, and nonce ${nonces.ended} is spent for good`,
      )
    tellOfFormer(await sending.push(node, connection, others))
    const [first] = own
    if (first) {
      const isGap = first.nonce > count
      if (isGap) await sending.fillGap(connection, count)
      const stuck = await sending.push(node, connection, isGap ? await newSince(connection, open) : own)
      tell(stuck)
      metrics.stuck.set(stuck === null && troubleOfFormer === null ? 0 : 1)
      if (stuck !== null) await tellWaitingForChain(connection)
      return 'wait'
    }
    metrics.stuck.set(troubleOfFormer === null ? 0 : 1)

    const isIdle =
      trouble === null && !(await anyDue(connection)) && performance.now() - lookedAt < TURNS_IDLE * payer.pollMs
    if (isIdle) return 'wait'
    const ready =
      sending.strangeUse(count, nonces.signed) ?? (await look(node, connection, count, { open, unmined: others }))
    lookedAt = performance.now()
    if (typeof ready === 'string') {
      tell(ready)
      await tellWaitingForChain(connection)
      return 'wait'
    }
    if (trouble !== null) await tellChainIsBack(connection)
    tell(null)

    const { release, more } = await signing.signNext(connection, ready)
    const burn = release === null ? await signing.signBurn(connection, ready) : null
    if (release === null && burn === null) return more ? 'again' : 'wait'
    await sending.push(node, connection, await newSince(connection, open))
    return 'wait'
  }

  async function newSince(connection: Database, before: readonly Release[]): Promise<Release[]> {
    const now = await openReleases(connection)
    return now.filter((release) => before.every(({ number }) => number !== release.number))
  }

  /** Before a node is asked: a signer without one runs, too. */
  async function reportNowAndThen(connection: Database): Promise<void> {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = performance.now()
    tellOfOperators(await report(connection))
    await lookAtNow(connection, await decidedLately(connection))
    const { byState, oldestSeconds } = await countOpen(connection)
    metrics.open.reset()
    for (const { state, count } of byState) metrics.open.set({ state }, Number(count))
    metrics.oldestSeconds.set(oldestSeconds)
  }

  async function pay(connection: Database): Promise<void> {
    const lost = new AbortController()
    const following = follow({
      nodes,
      pollMs: payer.pollMs,
      turn: (node) => turn(node, connection),
      onFailure: (node, error) => {
        const failure = isNodeFailure(error) ? { failure: failureText(error) } : { err: error }
        log.warn({ node: node.name, ...failure }, 'a turn of paying failed')
        // Whatever it was about the connection, another one is the remedy.
        if (!isNodeFailure(error)) lost.abort()
      },
      onAllFailed: async (errors) => {
        if (errors.length === 0) return
        tell(failureText(errors.at(-1)))
        await tellWaitingForChain(connection).catch(() => {})
      },
    })
    const either = AbortSignal.any([lost.signal, ending.signal])
    if (!either.aborted) await new Promise((end) => either.addEventListener('abort', end, { once: true }))
    await following.stop()
  }

  const running = (async () => {
    let failed = 0
    while (!ending.signal.aborted) {
      try {
        const outcome = await alone(db, pay)
        failed = 0
        if (outcome === 'taken') tell('another signer is at work')
      } catch (error) {
        failed += 1
        tell('the database cannot be reached')
        log.warn({ err: error }, 'the signer could not begin')
      }
      const pause = Math.max(payer.pollMs, backOff(failed + 1, Math.random()))
      await sleep(pause, undefined, { signal: ending.signal }).catch(() => {})
    }
  })()

  return {
    trouble: () => trouble ?? troubleOfOperators ?? troubleOfFormer,
    stop: () => {
      ending.abort()
      return running
    },
  }
}
