import { setTimeout as sleep } from 'node:timers/promises'
import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { type Address, decodeErrorResult, formatEther, type Hex, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { readPostedBlock } from '../../modules/custody/index.ts'
import { type ChainNode, type ContractCall, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import type { VaultConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { type CallCost, describeCost, feeLimitOrRefuse, findFees, findGasLimit, planCost } from './call-cost.ts'
import { askNodes, openNodes } from './open-nodes.ts'
import { writeSafeFile } from './safe-file.ts'
import { readSenderKey } from './sender-key.ts'
import { confirm, tell } from './terminal.ts'
import { hasVaultRole, type VaultRole } from './vault-roles.ts'
import { addressOrRefuse } from './with-database.ts'

/**
 * Every command that changes something on the chain runs through here:
 *
 *     openCaller   who makes the calls, and whether the vault gives this account the role
 *     makeCalls    try the calls ── show them, ask ──┬── no key: print the call data, write the Safe file
 *                                                    └── --key:  send each, wait until it is final
 *
 * A second start sends nothing twice: it stops while the account has a transaction in no block, and both starts use the
 * same nonce, which one block accepts once.
 */

export type CallOptions = {
  readonly chain: string
  readonly from?: string
  readonly key?: string
  readonly safe?: string
  /** The most gwei to pay for a unit of gas. */
  readonly maxFee: string
  readonly yes?: boolean
  /** False with --no-wait. */
  readonly wait?: boolean
}

export const addCallOptions = (command: Command): Command =>
  command
    .requiredOption('--chain <url>', 'a node of your own choice')
    .option('--from <address>', 'who will make the call, if you give no key')
    .option('--safe <file>', 'write the calls as a transaction file for the Safe wallet')
    .option('--key <file>', 'send now, with the key in this file: an Ethereum keystore, or the bare key')
    .option('--max-fee <gwei>', 'pay at most this for a unit of gas', '300')
    .option('--yes', 'without confirmation')
    .option('--no-wait', 'end when a block has the transaction, and do not wait until it is final')

/** The account that makes the calls. It has the role that they need. */
export type Caller = {
  readonly node: ChainNode
  readonly address: Address
  /** Null if the calls are only prepared. */
  readonly account: PrivateKeyAccount | null
  readonly role: VaultRole
  readonly config: CallConfig
}

type CallConfig = Pick<VaultConfig, 'chainId' | 'contracts' | 'finality'>

/** A call with its name in the contract, and what it does in words. */
export type PlannedCall = ContractCall & { readonly name: string; readonly purpose: string }

type CallPlan = {
  readonly title: string
  /** What a person should read before the answer. */
  readonly facts: readonly string[]
  readonly calls: readonly PlannedCall[]
}

export type CallOutcome = {
  readonly lines: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  /** The final block of the last call; null if nothing was sent, or nobody waited. */
  readonly finalBlock: bigint | null
}

type OpeningContext = {
  readonly config: CallConfig
  readonly genesisHash: Hex | null
  readonly role: VaultRole
  /** Finds the account if neither --from nor --key names it. Null if that is not certain. */
  readonly findHolder?: (node: ChainNode) => Promise<Address | null>
}

export async function openCaller(
  options: CallOptions,
  { config, genesisHash, role, findHolder = async () => null }: OpeningContext,
): Promise<Result<Caller, string>> {
  if (options.key !== undefined && (options.safe !== undefined || options.from !== undefined))
    return refused('--key sends at once. Leave out --safe and --from.')
  const account = options.key === undefined ? null : await readSenderKey(options.key)
  const [node] = await openNodes(options.chain, config, genesisHash)
  if (!node) return refused('Name a node with --chain.')
  return askNodes(async () => {
    const named = account?.address ?? (options.from === undefined ? null : addressOrRefuse(options.from))
    const address = named ?? (await findHolder(node))
    if (!address)
      return refused(`Name the ${role} who will make the call: --from ADDRESS, or --key FILE to send it now.`)
    if (!(await hasVaultRole(node, config.contracts.vault, role, address)))
      return refused(`${address} is no ${role} of the vault ${config.contracts.vault}, and only a ${role} can do this.`)
    return ok({ node, address, account, role, config })
  })
}

export async function makeCalls(
  caller: Caller,
  plan: CallPlan,
  options: CallOptions,
): Promise<Result<CallOutcome, string>> {
  const { node, address, account } = caller
  const nonce = await askNodes(() => findNonce(caller))
  if (!nonce.ok) return nonce
  const trials = await askNodes(() => node.tryCalls(address, plan.calls))
  for (const [index, trial] of trials.entries())
    if (trial.state === 'fails')
      return refused(`${plan.calls[index]?.name} would fail: ${describeRevert(trial.data)}. Nothing was done.`)
  const feeLimit = feeLimitOrRefuse(options.maxFee)
  const cost = account ? await askNodes(() => planCost(node, address, plan.calls, feeLimit)) : ok(null)
  if (!cost.ok) return cost
  const untried = plan.calls.filter((_call, index) => trials[index]?.state === 'untried')
  tell(
    plan.title,
    ...plan.facts.map((fact) => `  ${fact}`),
    ...plan.calls.map(({ name, purpose }) => `  Call: ${name}, ${purpose}`),
    ...untried.map(({ name }) => `  This node cannot try ${name} before the call that precedes it.`),
    ...(cost.value ? [`  ${describeCost(cost.value)}`] : []),
  )
  await confirm(account ? `Send this as ${address}?` : 'Prepare this?', options.yes ?? false)
  return account && cost.value
    ? sendCalls({ ...caller, account, cost: cost.value }, plan, nonce.value, options)
    : prepareCalls(caller, plan, options)
}

/** The nonce of the next transaction. Refused while an earlier transaction is in no block: it may be the same call. */
async function findNonce({ node, address }: Caller): Promise<Result<bigint, string>> {
  const inBlocks = await node.transactionCount(address, { blockTag: 'latest' })
  const withPending = await node.transactionCount(address, { blockTag: 'pending' })
  if (withPending > inBlocks)
    return refused(
      `${address} has sent a transaction that no block has yet (nonce ${inBlocks}). It may be this one: run the command again when it is in a block.`,
    )
  return ok(inBlocks)
}

function prepareCalls(
  { address, role, config: { chainId } }: Caller,
  { title, calls }: CallPlan,
  { safe }: CallOptions,
): Result<CallOutcome, string> {
  if (safe !== undefined) {
    const names = calls.map(({ name }) => name).join(', ')
    const written = writeSafeFile(safe, { chainId, name: title, description: names, calls })
    if (!written.ok) return written
  }
  const prepared = calls.map(({ name, to, data }) => ({ call: name, chainId, to, value: '0', data }))
  return ok({
    lines: [
      title,
      ...prepared.flatMap(({ call, to, data }) => [
        `Call:  ${call}`,
        `Chain: ${chainId}`,
        `To:    ${to}`,
        `Value: 0`,
        `Data:  ${data}`,
      ]),
      ...(safe === undefined ? [] : [`File:  ${safe} (Safe wallet: Transaction Builder, then drop the file)`]),
      `Nothing was sent. The ${role} ${address} must ${calls.length === 1 ? 'make this call' : `make these ${calls.length} calls in this order`}.`,
    ],
    data: { sender: address, calls: prepared, safeFile: safe ?? null, transactions: [], isFinal: false },
    finalBlock: null,
  })
}

type Sender = Caller & { readonly account: PrivateKeyAccount; readonly cost: CallCost }
type SignedCall = { readonly raw: Hex; readonly hash: Hex }
type SentCall = { readonly name: string; readonly signed: SignedCall; readonly blockNumber: bigint }

async function sendCalls(
  caller: Sender,
  { title, calls }: CallPlan,
  nonce: bigint,
  { wait = true }: CallOptions,
): Promise<Result<CallOutcome, string>> {
  const sent: SentCall[] = []
  for (const [index, call] of calls.entries()) {
    const done = await sendCall(caller, call, { nonce: nonce + BigInt(index), isFirst: index === 0 })
    if (!done.ok) return sent.length === 0 ? done : refused(`${describeSent(sent)}. But ${done.error}`)
    sent.push(done.value)
  }
  const last = sent.at(-1)
  const finalBlock = wait && last ? await waitUntilFinal(caller, last.signed) : null
  if (finalBlock && !finalBlock.ok) return finalBlock
  return ok({
    lines: [
      title,
      ...sent.map(
        ({ name, signed, blockNumber }) => `Done:  ${name} in block ${blockNumber}, transaction ${signed.hash}`,
      ),
      finalBlock
        ? `Final: block ${finalBlock.value}`
        : 'It is not final yet. Run the command again to see what became of it.',
    ],
    data: {
      sender: caller.address,
      calls: calls.map(({ name, to, data }) => ({ call: name, chainId: caller.config.chainId, to, value: '0', data })),
      safeFile: null,
      transactions: sent.map(({ name, signed, blockNumber }) => ({ call: name, hash: signed.hash, blockNumber })),
      isFinal: finalBlock !== null,
    },
    finalBlock: finalBlock?.value ?? null,
  })
}

const describeSent = (sent: readonly SentCall[]): string =>
  sent.map(({ name, signed }) => `${name} is done (transaction ${signed.hash})`).join(', ')

type Place = { readonly nonce: bigint; readonly isFirst: boolean }

/** Sends one call and waits until a block has it. */
async function sendCall(caller: Sender, call: PlannedCall, place: Place): Promise<Result<SentCall, string>> {
  const { node, address } = caller
  let signed: Result<SignedCall, string>
  try {
    // Tried again: the calls before it have changed the state.
    const [trial] = await node.tryCalls(address, [call])
    if (trial?.state === 'fails')
      return refused(`${call.name} would fail: ${describeRevert(trial.data)}. It was not sent.`)
    signed = await signCall(caller, call, place)
    if (!signed.ok) return signed
    tell(`Sending ${call.name}: transaction ${signed.value.hash}`)
    await node.send(signed.value.raw, signed.value.hash)
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    return refused(
      `the node did not accept ${call.name}: ${failureText(error)} If another start of this command sent it, run the command again to see.`,
    )
  }
  const mined = await waitUntilMined(caller, signed.value.hash, place.nonce)
  return mined.ok ? ok({ name: call.name, signed: signed.value, blockNumber: mined.value }) : mined
}

/** Never pays more than what was shown before the answer. */
async function signCall(
  { node, account, address, cost, config: { chainId } }: Sender,
  call: PlannedCall,
  { nonce, isFirst }: Place,
): Promise<Result<SignedCall, string>> {
  const gas = isFirst ? ok(cost.firstGas) : await findGasLimit(node, address, call)
  if (!gas.ok) return gas
  const fees = await findFees(node, cost.fees.maxFee)
  if (!fees.ok) return refused(`${fees.error} ${call.name} was not sent.`)
  const { maxFee, maxPriorityFee } = fees.value
  const [ether, needed] = [await node.balance(address), gas.value * maxFee]
  if (ether < needed)
    return refused(
      `${address} has ${formatEther(ether)} of the chain’s own currency for fees, and this can cost ${formatEther(needed)}.`,
    )
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: Number(nonce),
    to: call.to,
    data: call.data,
    gas: gas.value,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: maxPriorityFee,
  })
  return ok({ raw, hash: keccak256(raw) })
}

const POLL_MS = 1_000
const WAIT_MS = 3_600_000

/** Repeats the question until it has an answer, or for an hour. A node that fails is asked again. */
async function waitForAnswer<T>(ask: () => Promise<T | null>, waitMs = WAIT_MS): Promise<T | null> {
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

/** Returns the block that has the transaction. */
async function waitUntilMined({ node, address }: Caller, hash: Hex, nonce: bigint): Promise<Result<bigint, string>> {
  const mined = await waitForAnswer(async (): Promise<Result<bigint, string> | null> => {
    // The count is read first: if a block takes the transaction in between, its receipt is found.
    const count = await node.transactionCount(address, { blockTag: 'latest' })
    const receipt = await node.receipt(hash)
    if (receipt?.isSuccess) return ok(receipt.blockNumber)
    if (receipt) return refused(`transaction ${hash} failed in block ${receipt.blockNumber}.`)
    if (count > nonce)
      return refused(
        `another transaction of ${address} took the place of ${hash}, so this one has no effect. Run the command again to see what was done.`,
      )
    return null
  })
  return mined ?? refused(`no block has transaction ${hash} after an hour. Run the command again later.`)
}

/** Returns the final block that has the transaction. If a reorganization removed it, it is sent again. */
async function waitUntilFinal(
  { node, config: { finality } }: Caller,
  { raw, hash }: SignedCall,
): Promise<Result<bigint, string>> {
  tell('Waiting until the chain says that it is final.')
  const final = await waitForAnswer(async () => {
    const { finalized } = await node.head(finality)
    const receipt = await node.receipt(hash)
    if (receipt) return receipt.blockNumber <= finalized.number ? receipt : null
    await node.send(raw, hash)
    return null
  })
  if (!final) return refused(`Transaction ${hash} is not final after an hour. Run the command again later.`)
  return final.isSuccess
    ? ok(final.blockNumber)
    : refused(`Transaction ${hash} failed in block ${final.blockNumber}, after a reorganization of the chain.`)
}

const POOL_READS_WITHIN_MS = 120_000

/** Whether the worker has posted this block. It waits up to two minutes for it. */
export async function waitUntilPosted(db: Database, block: bigint): Promise<boolean> {
  const posted = await waitForAnswer(async () => {
    const state = await readPostedBlock(db)
    return state && state.number >= block ? true : null
  }, POOL_READS_WITHIN_MS)
  return posted ?? false
}

/** What the errors mean that the checks before do not catch. */
const refusals: Readonly<Record<string, string>> = {
  AccessControlUnauthorizedAccount: 'the account lacks the role',
  BadOutputIndex: 'no Bitcoin transaction has an output with this number',
  CustodyCannotFund: 'an account that was cold storage cannot fund',
  EvidenceUsed: 'the Bitcoin output was named before',
  MovedOn: 'the money moved to the next vault',
  PredecessorHasNotMoved: 'the vault before this one has not moved its money yet',
  Inexact: 'the token did not move the exact amount',
  NotAnnounced: 'it is not announced',
  ERC20InsufficientBalance: 'the account holds too little',
  ERC20InsufficientAllowance: 'the vault may not take so much',
}

/** The contract's own error in words and with its values, or the bytes that it answered. */
function describeRevert(data: Hex): string {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: [...poolVaultAbi, ...btnTokenAbi], data })
    const name = `${errorName}(${args.map(String).join(', ')})`
    const words = refusals[errorName]
    return words === undefined ? name : `${words}, ${name}`
  } catch {
    return data === '0x' ? 'the contract gives no reason' : `the contract answers ${data}`
  }
}
