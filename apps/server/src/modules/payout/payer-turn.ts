import type { Turn } from '../../platform/chain/follow.ts'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Signing } from './form.ts'
import type { createLook } from './look.ts'
import type { PayerAlarms } from './payer-alarms.ts'
import { anyDue, tellChainIsBack, tellWaitingForChain } from './queue.ts'
import { lastNonces, openReleases, type Release } from './releases.ts'
import type { Sending } from './sending.ts'
import type { createSigning } from './signing.ts'

export type TurnContext = {
  readonly signer: Signing
  readonly sending: Sending
  readonly signing: ReturnType<typeof createSigning>
  readonly look: ReturnType<typeof createLook>
  readonly alarms: PayerAlarms
}

/** If nothing is due, the chain is read only once in this many turns. */
const TURNS_IDLE = 5

/** Returns the function that makes one turn: sends the releases that are in no block, or signs and sends the next. */
export function createPayerTurn(context: TurnContext): (node: ChainNode, connection: Database) => Promise<Turn> {
  const { signer, sending, signing, look, alarms } = context
  const { account, chain, payer, metrics } = signer
  let lookedAt = Number.NEGATIVE_INFINITY

  return async (node, connection) => {
    const foundId = await node.chainId()
    if (foundId !== chain.id)
      throw new NodeContradiction(`CHAIN_ID is ${chain.id}, but ${node.name} is of chain ${foundId}`)

    const open = await openReleases(connection)
    const nonces = await lastNonces(connection, account.address)
    const { own, others, count } = await sending.findUnmined(node, open, nonces.signed)
    if (nonces.ended >= count)
      throw new NodeContradiction(
        `${node.name} knows of ${count} transactions, and nonce ${nonces.ended} is spent for good`,
      )
    alarms.setFormerPayerTrouble(await sending.send(node, connection, others))
    if (own.length > 0) {
      await sendOwn(context, node, connection, { own, open, count })
      return 'wait'
    }
    metrics.stuck.set(alarms.isFormerPayerStuck() ? 1 : 0)

    const isIdle =
      alarms.isPaying() && !(await anyDue(connection)) && performance.now() - lookedAt < TURNS_IDLE * payer.pollMs
    if (isIdle) return 'wait'
    const ready =
      sending.checkForeignUse(count, nonces.signed) ?? (await look(node, connection, count, { open, unmined: others }))
    lookedAt = performance.now()
    if (typeof ready === 'string') {
      alarms.setTrouble(ready)
      await tellWaitingForChain(connection)
      return 'wait'
    }
    if (!alarms.isPaying()) await tellChainIsBack(connection)
    alarms.setTrouble(null)

    const { release, more } = await signing.signNext(connection, ready)
    const burn = release === null ? await signing.signBurn(connection, ready) : null
    if (release === null && burn === null) return more ? 'again' : 'wait'
    await sending.send(node, connection, await newSince(connection, open))
    return 'wait'
  }
}

type OwnUnmined = { readonly own: readonly Release[]; readonly open: readonly Release[]; readonly count: bigint }

/** Sends the payer's own releases that are in no block. If a nonce is missing before them, it is filled first. */
async function sendOwn(
  { signer, sending, alarms }: TurnContext,
  node: ChainNode,
  connection: Database,
  { own, open, count }: OwnUnmined,
): Promise<void> {
  const isGap = own[0] !== undefined && own[0].nonce > count
  if (isGap) await sending.fillGap(connection, count)
  const stuck = await sending.send(node, connection, isGap ? await newSince(connection, open) : own)
  alarms.setTrouble(stuck)
  signer.metrics.stuck.set(stuck === null && !alarms.isFormerPayerStuck() ? 0 : 1)
  if (stuck !== null) await tellWaitingForChain(connection)
}

async function newSince(connection: Database, before: readonly Release[]): Promise<Release[]> {
  const now = await openReleases(connection)
  return now.filter((release) => before.every(({ number }) => number !== release.number))
}
