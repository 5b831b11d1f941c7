import { type ChainNode, NodeContradiction, otherNodes } from '../../platform/chain/node.ts'
import type { TurnResult } from '../../platform/chain/poll-nodes.ts'
import type { Database } from '../../platform/db/database.ts'
import type { PayerAlarms } from './payer-alarms.ts'
import type { createPreflight } from './preflight.ts'
import { clearWaitingForChain, hasDuePayouts, markWaitingForChain } from './queue.ts'
import type { ReleaseSender } from './release-sender.ts'
import type { createReleaseSigner } from './release-signer.ts'
import { type Release, readLastNonces, readOpenReleases } from './releases.ts'
import type { SignerDependencies } from './sign-version.ts'
import type { FindClockProblem } from './signing-context.ts'

export type TurnContext = {
  readonly signer: SignerDependencies
  /** The nodes in use now. They can be replaced between two turns. */
  readonly nodes: () => readonly ChainNode[]
  readonly sender: ReleaseSender
  readonly releaseSigner: ReturnType<typeof createReleaseSigner>
  readonly preflight: ReturnType<typeof createPreflight>
  readonly findClockProblem: FindClockProblem
  readonly alarms: PayerAlarms
}

/** While no payout is due, the preflight runs only once in this many turns. */
const IDLE_TURNS_PER_PREFLIGHT = 5

/** Returns the function that runs one turn: it sends the releases that are in no block, or signs and sends the next. */
export function createPayerTurn(context: TurnContext): (node: ChainNode, connection: Database) => Promise<TurnResult> {
  const { signer, sender, releaseSigner, preflight, findClockProblem, alarms } = context
  const { account, chain, payer, metrics } = signer
  let preflightAt = Number.NEGATIVE_INFINITY

  return async (node, connection) => {
    const foundId = await node.chainId()
    if (foundId !== chain.id)
      throw new NodeContradiction(`CHAIN_ID is ${chain.id}, but ${node.name} is of chain ${foundId}`)

    const open = await readOpenReleases(connection)
    const nonces = await readLastNonces(connection, account.address)
    const { own, others, minedCount } = await sender.findUnmined(node, open, nonces)
    if (nonces.ended >= minedCount)
      throw new NodeContradiction(
        `${node.name} reports ${minedCount} transactions, but nonce ${nonces.ended} is spent in a final block`,
      )
    alarms.setFormerPayerTrouble(await sender.send(node, connection, others))
    if (own.length > 0) {
      await sendOwn(context, node, connection, own)
      return 'wait'
    }
    metrics.stuck.set(alarms.isFormerPayerStuck() ? 1 : 0)

    const isIdle =
      alarms.isPaying() &&
      !(await hasDuePayouts(connection)) &&
      performance.now() - preflightAt < IDLE_TURNS_PER_PREFLIGHT * payer.pollMs
    if (isIdle) return 'wait'
    const inputs =
      (await findClockProblem(connection)) ??
      (await preflight(node, otherNodes(context, node), connection, minedCount, {
        lastNonces: nonces,
        open,
        unmined: others,
      }))
    preflightAt = performance.now()
    if (typeof inputs === 'string') {
      alarms.setTrouble(inputs)
      await markWaitingForChain(connection)
      return 'wait'
    }
    if (!alarms.isPaying()) await clearWaitingForChain(connection)
    alarms.setTrouble(null)
    alarms.setAssetTrouble(inputs.blocked.size === 0 ? null : Array.from(inputs.blocked.values()).join('; '))

    const { release, more } = await releaseSigner.signPayouts(connection, inputs)
    const burn = release === null ? await releaseSigner.signBurn(connection, inputs) : null
    if (release === null && burn === null) return more ? 'again' : 'wait'
    await sender.send(node, connection, await readNewReleases(connection, open))
    return 'wait'
  }
}

/** Sends the payer's own releases that are in no block. */
async function sendOwn(
  { signer, sender, alarms }: TurnContext,
  node: ChainNode,
  connection: Database,
  own: readonly Release[],
): Promise<void> {
  const stuckReason = await sender.send(node, connection, own)
  alarms.setTrouble(stuckReason)
  signer.metrics.stuck.set(stuckReason === null && !alarms.isFormerPayerStuck() ? 0 : 1)
  if (stuckReason !== null) await markWaitingForChain(connection)
}

async function readNewReleases(connection: Database, before: readonly Release[]): Promise<Release[]> {
  const open = await readOpenReleases(connection)
  return open.filter((release) => before.every(({ number }) => number !== release.number))
}
