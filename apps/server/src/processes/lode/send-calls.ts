import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Result, refused } from '@lode/kernel'
import { formatEther, formatGwei, type Hex, keccak256 } from 'viem'
import { type Fees, replacingFees } from '../../platform/chain/fees.ts'
import { type ChainNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { agreeOnReceipt, askAll, lowestOf } from './ask-all.ts'
import { type CallCost, findFees, findGasLimit } from './call-cost.ts'
import type { Caller, CallOptions, CallOutcome, CallPlan, PlannedCall, Signing } from './call-plan.ts'
import { describeRevert } from './revert-words.ts'
import { tell } from './terminal.ts'

/**
 * Sends calls one after the other, and waits for their blocks.
 *
 * From the moment that a transaction is signed, nobody can say that it was not sent: a node may have it and answer with
 * an error. So after that the command only looks for it, and sends it again while no block has it. It says that a
 * transaction will never happen only if a final block has another one with its nonce.
 */

type Sender = Caller & { readonly signing: Signing; readonly cost: CallCost }
type SignedCall = { readonly name: string; readonly raw: Hex; readonly hash: Hex; readonly nonce: bigint }

export async function sendCalls(
  sender: Sender,
  plan: CallPlan,
  { wait = true, waitMs = WAIT_MS }: Pick<CallOptions, 'wait'> & { readonly waitMs?: number },
): Promise<Result<CallOutcome, string>> {
  const { address, config } = sender
  // A failure in a block that is not final can still become a success, and then a second run would pay twice.
  const believesFailure = wait && !plan.isDoneOnce ? 'when-final' : 'at-once'
  const signed: SignedCall[] = []
  let blocks: readonly bigint[] = []
  for (const [index, call] of plan.calls.entries()) {
    const next = await signAndSend(sender, call, index)
    if (!next.ok) return refused([...signed.map(describeDone), next.error].join(' '))
    signed.push(next.value)
    const mined = await waitForBlocks(sender, signed, { goal: 'block', believesFailure, waitMs })
    if (!mined.ok) return refused(`${mined.error} ${describeSecondRun(plan)}`)
    blocks = mined.value
  }
  if (wait) {
    tell('Waiting until the chain says that it is final.')
    const final = await waitForBlocks(sender, signed, { goal: 'final', believesFailure, waitMs })
    if (!final.ok) return refused(`${final.error} ${describeSecondRun(plan)}`)
    blocks = final.value
  }
  const sent = signed.map(({ name, hash }, index) => ({ call: name, hash, blockNumber: blocks[index] }))
  const last = blocks.at(-1) ?? null
  return ok({
    lines: [
      ...sent.map(({ call, hash, blockNumber }) => `Done:  ${call} in block ${blockNumber}, transaction ${hash}`),
      wait
        ? `Final: block ${last}`
        : `It is not final yet. Look for transaction ${sent.at(-1)?.hash}. ${describeSecondRun(plan)}`,
    ],
    data: {
      sender: address,
      calls: plan.calls.map(({ name, to, data }) => ({ call: name, chainId: config.chainId, to, value: '0', data })),
      safeFile: null,
      transactions: sent,
      isFinal: wait,
    },
    lastBlock: last,
    finalBlock: wait ? last : null,
  })
}

const describeDone = ({ name, hash }: SignedCall): string =>
  `${name} is done (transaction ${hash}).${name === 'approve' ? ' It stays: the vault may take that amount, in a call of this account only.' : ''}`

const describeSecondRun = ({ isDoneOnce }: CallPlan): string =>
  isDoneOnce
    ? 'The command can be run again: it does nothing twice, and says what was done.'
    : 'Do not run the command again before a block explorer shows what became of it: a second run may do it once more.'

type Draft = { readonly call: PlannedCall; readonly nonce: bigint; readonly gas: bigint; readonly fees: Fees }

/** A refusal means that this call was not sent. */
async function signAndSend(sender: Sender, call: PlannedCall, index: number): Promise<Result<SignedCall, string>> {
  const { node, address, signing, cost } = sender
  const drafted = await tryAndDraft(sender, call, index)
  if (!drafted.ok) return drafted
  for (let draft = drafted.value; ; ) {
    const signed = await signCall(sender, draft)
    tell(`Sending ${call.name}: transaction ${signed.hash}`)
    const failure = await submit(node, signed)
    if (!failure) return ok(signed)
    if (!signing.isReplacing || !isFeeTooLow(failure)) {
      tell(`The node answers: ${failureText(failure)} It may have the transaction, so the command looks for it now.`)
      return ok(signed)
    }
    const fees = replacingFees(draft.fees, cost.maxFee)
    if (!fees)
      return refused(
        `The node does not replace the transaction of ${address} with nonce ${draft.nonce} for ${formatGwei(cost.maxFee)} gwei. Allow more with --max-fee, if the account can pay it.`,
      )
    draft = { ...draft, fees }
  }
}

/** How nodes refuse a transaction that pays too little to take the place of another one. */
const isFeeTooLow = (failure: Error): boolean => /underpriced|replac/i.test(failureText(failure))

/** Tries the call again, because the calls before it have changed the state. Finds fee and gas. */
async function tryAndDraft(sender: Sender, call: PlannedCall, index: number): Promise<Result<Draft, string>> {
  const { node, address, signing, cost } = sender
  try {
    const [trial] = await node.tryCalls(address, [call])
    if (trial?.state === 'fails')
      return refused(`${call.name} would fail: ${describeRevert(trial.data)}. It was not sent.`)
    const gas = index === 0 ? ok(cost.firstGas) : await findGasLimit(node, address, call, cost.maxGas)
    if (!gas.ok) return gas
    // Never more than what was shown before the answer.
    const found = await findFees(node, cost.maxFee)
    if (!found.ok) return refused(`${found.error} ${call.name} was not sent.`)
    const fees = signing.isReplacing ? { ...found.value, maxFee: cost.maxFee } : found.value
    const [ether, needed] = [await node.balance(address), gas.value * fees.maxFee]
    if (ether < needed)
      return refused(
        `${address} has ${formatEther(ether)} of the chain’s own currency for fees, and ${call.name} can cost ${formatEther(needed)}. It was not sent.`,
      )
    return ok({ call, nonce: signing.nonce + BigInt(index), gas: gas.value, fees })
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    return refused(`The node failed: ${failureText(error)} ${call.name} was not sent.`)
  }
}

async function signCall(
  { signing: { account }, config: { chainId } }: Sender,
  { call: { name, to, data }, nonce, gas, fees }: Draft,
): Promise<SignedCall> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: Number(nonce),
    to,
    data,
    gas,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.maxPriorityFee,
  })
  return { name, raw, hash: keccak256(raw), nonce }
}

/** Returns the node's failure, or null. */
async function submit(node: ChainNode, { raw, hash }: SignedCall): Promise<Error | null> {
  try {
    await node.send(raw, hash)
    return null
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    return error
  }
}

const POLL_MS = 1_000
const WAIT_MS = 3_600_000

/** Repeats the question until it has an answer, or for an hour. A node that fails is asked again. */
export async function waitForAnswer<T>(ask: () => Promise<T | null>, waitMs = WAIT_MS): Promise<T | null> {
  for (const end = performance.now() + waitMs; ; ) {
    try {
      const answer = await ask()
      if (answer !== null) return answer
    } catch (error) {
      if (!isNodeFailure(error)) throw error
    }
    if (performance.now() > end) return null
    await sleep(POLL_MS)
  }
}

/** A call that no block has is sent again after this many questions. */
const POLLS_UNTIL_SENT_AGAIN = 5
/** Some providers answer from several servers, and one may not have the receipt yet. */
const POLLS_UNTIL_LOST = 5
/** After this many questions the operator is told that no block has the call yet: after about a minute. */
const POLLS_UNTIL_TOLD = 60

type WaitGoal = {
  readonly goal: 'block' | 'final'
  /** Whether a call that failed in a block ends the wait at once, or when that block is final. */
  readonly believesFailure: 'at-once' | 'when-final'
  readonly waitMs: number
}

type CallFailure = { readonly text: string; readonly block: bigint }

/**
 * What the nodes said last about the calls. `missing` has those that no node shows in a block; null if no node ever
 * answered. `disputed` says about which call the nodes do not agree.
 */
type LastAnswer = { missing: readonly SignedCall[] | null; failure: CallFailure | null; disputed: string | null }

/**
 * Waits until a block, or a final block, has each of the calls, and returns these blocks. If a reorganization removed
 * calls, all of them are sent again in their order.
 */
async function waitForBlocks(
  { nodes, address, signing: { isReplacing }, config: { finality } }: Sender,
  signed: readonly SignedCall[],
  { goal, believesFailure, waitMs }: WaitGoal,
): Promise<Result<bigint[], string>> {
  let [polls, lostPolls] = [0, 0]
  const seen: LastAnswer = { missing: null, failure: null, disputed: null }
  let toldFailure = ''
  const answer = await waitForAnswer(async (): Promise<Result<bigint[], string> | null> => {
    polls += 1
    const blocks: bigint[] = []
    const missing: SignedCall[] = []
    let failure: CallFailure | null = null
    let disputed: string | null = null
    for (const call of signed) {
      const receipt = agreeOnReceipt(call, await askAll(nodes, (node) => node.receipt(call.hash)))
      if (typeof receipt === 'string') {
        disputed ??= receipt
        continue
      }
      if (receipt && !receipt.isSuccess)
        failure ??= {
          text: `${call.name} failed in block ${receipt.blockNumber}: transaction ${call.hash}.`,
          block: receipt.blockNumber,
        }
      if (receipt) blocks.push(receipt.blockNumber)
      else missing.push(call)
    }
    seen.missing = missing
    seen.failure = failure
    seen.disputed = disputed
    if (disputed) {
      if (polls === POLLS_UNTIL_TOLD) tell(`After a minute ${disputed} The command goes on waiting.`)
      return null
    }
    if (failure && believesFailure === 'at-once') return refused(failure.text)
    if (goal === 'block' && missing.length === 0 && !failure) return ok(blocks)
    const finalized = lowestOf(await askAll(nodes, async (node) => (await node.head(finality)).finalized.number))
    if (failure) {
      if (failure.block <= finalized) return refused(failure.text)
      if (toldFailure !== failure.text) tell(`${failure.text} Waiting until that block is final.`)
      toldFailure = failure.text
      return null
    }
    if (missing.length === 0) return blocks.every((number) => number <= finalized) ? ok(blocks) : null
    // A pause that lost its place must be sent again soon, and can be made twice.
    const at = isReplacing ? ({ blockTag: 'latest' } as const) : { blockNumber: finalized }
    const used = lowestOf(await askAll(nodes, (node) => node.transactionCount(address, at)))
    const lost = missing.find(({ nonce }) => nonce < used)
    lostPolls = lost ? lostPolls + 1 : 0
    if (lost && lostPolls >= POLLS_UNTIL_LOST)
      return refused(
        `${isReplacing ? 'A' : 'A final'} block has another transaction of ${address} with nonce ${lost.nonce}, so ${lost.name} never happens: transaction ${lost.hash}. The other one may have done the same.`,
      )
    if (polls === POLLS_UNTIL_TOLD) tell(describeWaiting(missing))
    if (polls % POLLS_UNTIL_SENT_AGAIN === 0)
      for (const call of missing) for (const node of nodes) await submit(node, call)
    return null
  }, waitMs)
  return answer ?? refused(describeOpenEnd(address, signed, seen))
}

function describeWaiting(missing: readonly SignedCall[]): string {
  const names = missing.map(({ name }) => name)
  const words = `No block has ${names.join(' and ')} after a minute. The command goes on waiting.`
  return names.includes('pause') ? `${words} For a higher fee, end it with Ctrl-C and add --replace.` : words
}

function describeOpenEnd(
  address: string,
  signed: readonly SignedCall[],
  { missing, failure, disputed }: Readonly<LastAnswer>,
): string {
  if (disputed) return `After an hour ${disputed}`
  if (failure)
    return `${failure.text} After an hour that block is not final: a reorganization can still turn this into a success.`
  const [first] = missing ?? signed
  if (first) {
    const unknown = missing
      ? 'After an hour the node shows no block with'
      : 'For an hour the node did not say whether a block has'
    return `${unknown} ${first.name}: transaction ${first.hash}. It can still happen, until a final block has another transaction of ${address} with nonce ${first.nonce}.`
  }
  return `After an hour this is in a block, but not final: transaction ${signed.at(-1)?.hash}.`
}
