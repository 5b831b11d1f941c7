import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { type ChainNode, failureText, isRefusal, NodeContradiction } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type Signing, signForm } from './form.ts'
import { type Form, markBroadcast, type Release, storeForm, storeRelease } from './releases.ts'
import { believedCount, higherFees, isStrangeCount, least } from './rules.ts'
import { releaseCall } from './vault.ts'

/** For a call that does nothing but spend its nonce. */
const FILLER_GAS = 100_000n
const FILLER_TIP = 2_000_000_000n

/** For so long a turn waits for the nodes that it does not go through: one that hangs does not hold up the others. */
const OTHERS_WAIT_MS = 2_000
const NO_ANSWER = 'no answer within two seconds'

/** What was signed and stored is sent, and sent again, until a block has taken its nonce. */
export function createSending(signing: Signing, nodes: readonly ChainNode[]) {
  const { account, chain, payer, metrics, log } = signing
  let lastStrange = ''
  const lastFailures = new Map<ChainNode, string>()
  /** Since when no block takes a form, or a release, in this process's own time: a clock that is set does not count as waiting. */
  const sentSince = new Map<Form['hash'] | Release['number'], number>()

  const othersThan = (node: ChainNode): ChainNode[] => nodes.filter((other) => other !== node)

  /**
   * Those that no block has taken, as the nodes see it that answer: the turn's own must. Those of a former key can be sent again,
   * and nothing else.
   */
  async function unminedOf(
    node: ChainNode,
    open: readonly Release[],
    signed: bigint,
  ): Promise<{ own: Release[]; others: Release[]; count: bigint }> {
    const addresses = [...new Set([account.address, ...open.map((release) => release.payer)])]
    const [told, ...answers] = await Promise.all([
      countsBy(node, addresses),
      ...othersThan(node).map((other) => orNull(countsOnChainBy(other, addresses))),
    ])
    const all = [told, ...answers.filter((answer) => answer !== null)]
    const toldOf = (address: Address): bigint[] => all.map((counts) => counts.get(address) ?? 0n)

    const count = believedCount(toldOf(account.address), signed, nodes.length)
    const ofTurn = told.get(account.address) ?? 0n
    if (count === null || (ofTurn > count && ofTurn > signed + 1n))
      throw new NodeContradiction(
        `${node.name} knows of ${ofTurn} transactions of the payer's, of which ${signed + 1n} are known, and no other node does`,
      )
    const isTaken = ({ payer: from, nonce }: Release): boolean =>
      from === account.address ? nonce < count : toldOf(from).some((taken) => nonce < taken)
    const unmined = open.filter((release) => !isTaken(release))
    const waiting = new Set(unmined.flatMap(({ number, form }) => [number, form.hash]))
    for (const key of sentSince.keys()) if (!waiting.has(key)) sentSince.delete(key)
    return {
      own: unmined.filter((release) => release.payer === account.address),
      others: unmined.filter((release) => release.payer !== account.address),
      count,
    }
  }

  async function countsBy(node: ChainNode, addresses: readonly Address[]): Promise<Map<Address, bigint>> {
    const counts = addresses.map((address) => node.transactionCount(address, { blockTag: 'latest' }))
    return new Map((await Promise.all(counts)).map((count, place) => [addresses[place] as Address, count]))
  }

  /** The turn has asked its own node already which chain it is of. */
  async function countsOnChainBy(node: ChainNode, addresses: readonly Address[]): Promise<Map<Address, bigint> | null> {
    const [foundId, counts] = await Promise.all([node.chainId(), countsBy(node, addresses)])
    return foundId === chain.id ? counts : null
  }

  /**
   * Somebody else used the key, or the nodes are wrong about it: then a nonce would be left out, and nothing go until it is
   * filled. In words where it is by so much that nothing is signed.
   */
  function strangeUse(count: bigint, signed: bigint): string | null {
    if (count <= signed + 1n) return null
    const strange = `${count} transactions, of which ${signed + 1n} are known`
    if (signed >= 0n && strange !== lastStrange) log.error({ strange }, 'ALARM: the payer’s key is used elsewhere')
    lastStrange = strange
    if (!isStrangeCount(count, signed)) return null
    return `${account.address} has made ${strange}: its node is wrong, or another key must pay`
  }

  /** A nonce was left out, on a node's wrong word: a call that does nothing takes its place. */
  async function fillGap(connection: Database, nonce: bigint): Promise<void> {
    const release = { payer: account.address, nonce, call: releaseCall([], chain.contracts), gas: FILLER_GAS }
    const fees = { maxFee: payer.maxFee, maxPriorityFee: least(FILLER_TIP, payer.maxFee) }
    const form = await signForm(signing, release, 1, fees)
    await connection.transaction().execute((inside) => storeRelease(inside, release, form))
    log.error({ nonce: Number(nonce) }, 'ALARM: a nonce was left out, and is filled')
  }

  /**
   * Sends what no block has taken, in the order of the nonces; the first, where it waits for long, for a higher fee. Answers in
   * words what keeps them.
   */
  async function push(node: ChainNode, connection: Database, releases: readonly Release[]): Promise<string | null> {
    let kept: string | null = null
    for (const [place, release] of releases.entries()) {
      const isFirst = place === 0 && release.payer === account.address
      const { form, because } = isFirst
        ? await withHigherFee(node, connection, release)
        : { form: release.form, because: overdue(release) }
      kept ??= because
      faultPoint('signer:before-send')
      if (!(await sendToAll(node, release, form))) continue
      faultPoint('signer:after-send')
      if (!release.isBroadcast) await markBroadcast(connection, release.number)
    }
    return kept
  }

  /**
   * One that takes it is enough, and whether that one passes it on nobody knows: so each is given it. False where it was refused:
   * the nonce may be spent by now, or a node may keep another form of it; the next turn tells.
   */
  async function sendToAll(node: ChainNode, { number }: Release, { raw, hash }: Form): Promise<boolean> {
    const send = async (to: ChainNode) => {
      const sent = to.send(raw, hash).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      const failed = await (to === node ? sent : Promise.race([sent, sleep(OTHERS_WAIT_MS, LATE, { ref: false })]))
      const failure = failed && (failed === LATE ? NO_ANSWER : failureText(failed.error))
      if (failure === null) lastFailures.delete(to)
      else if (failure !== lastFailures.get(to))
        log.warn({ node: to.name, release: Number(number), failure }, 'a node did not take a release')
      if (failure !== null) lastFailures.set(to, failure)
      return failed
    }
    const [ofTurn, ...ofOthers] = await Promise.all([send(node), ...othersThan(node).map(send)])
    const outcomes = [ofTurn, ...ofOthers]
    if (outcomes.includes(null)) return true
    if (ofTurn && !outcomes.some((failed) => failed && isRefusal(failed.error))) throw ofTurn.error
    return false
  }

  /** The form to send, and what keeps the release, in words. */
  async function withHigherFee(
    node: ChainNode,
    connection: Database,
    release: Release,
  ): Promise<{ form: Form; because: string | null }> {
    const { form, gas, number } = release
    const because = overdue(release)
    const isStuck = waitedMs(form.hash) > payer.stuckAfterMs
    // Raised all the same, it would cost the more when there is money again.
    if ((await node.balance(account.address)) < gas * form.maxFee)
      return { form, because: `${account.address} has too little of the chain's own currency for release ${number}` }
    if (!isStuck) return { form, because }
    const higher = await raise(node, connection, release)
    return higher
      ? { form: higher, because }
      : { form, because: `no block takes release ${number}, and SIGNER_MAX_FEE_GWEI allows no higher fee` }
  }

  /** In words, from the second time on that it waits for as long as a release may: a higher fee did not help. */
  function overdue({ number, payer: from }: Release): string | null {
    if (waitedMs(number) <= 2 * payer.stuckAfterMs) return null
    return `no block takes release ${number}${from === account.address ? '' : ` of ${from}, who paid before`}`
  }

  function waitedMs(what: Form['hash'] | Release['number']): number {
    const since = sentSince.get(what) ?? performance.now()
    sentSince.set(what, since)
    return performance.now() - since
  }

  async function raise(node: ChainNode, connection: Database, release: Release): Promise<Form | null> {
    const fees = higherFees(release.form, await node.gasPrice(), payer.maxFee)
    if (!fees) return null
    const form = await signForm(signing, release, release.form.attempt + 1, fees)
    faultPoint('signer:before-bump')
    await storeForm(connection, release.number, form)
    faultPoint('signer:after-bump')
    metrics.releases.inc({ kind: 'higher fee' })
    log.warn({ release: Number(release.number), attempt: form.attempt, hash: form.hash }, 'sent again for a higher fee')
    return form
  }

  return { unminedOf, strangeUse, fillGap, push }
}

const LATE = { error: NO_ANSWER }

const orNull = <Answer>(answer: Promise<Answer | null>): Promise<Answer | null> =>
  Promise.race([answer.catch(() => null), sleep(OTHERS_WAIT_MS, null, { ref: false })])
