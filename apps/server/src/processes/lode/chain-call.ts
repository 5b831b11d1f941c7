import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import type { Address, Hex } from 'viem'
import { readPostedBlock } from '../../modules/custody/index.ts'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import { describeCost, feeLimitOrRefuse, gasOrRefuse, planCost, USUAL_MAX_GAS } from './call-cost.ts'
import type { CallConfig, Caller, CallOptions, CallOutcome, CallPlan } from './call-plan.ts'
import { askNodes, openNodes } from './open-nodes.ts'
import { describeRevert } from './revert-words.ts'
import { writeSafeFile } from './safe-file.ts'
import { sendCalls, waitForAnswer } from './send-calls.ts'
import { readSenderKey } from './sender-key.ts'
import { confirm, tell } from './terminal.ts'
import { hasVaultRole, type VaultRole } from './vault-roles.ts'
import { addressOrRefuse } from './with-database.ts'

/**
 * Every command that changes something on the chain runs through here:
 *
 *     openCaller   who makes the calls, with which nonce, and whether the vault gives this account the role
 *        │         then the command looks for an earlier call that did the same
 *     makeCalls    try the calls ── show them, ask ──┬── no key: print the call data, write the Safe file
 *                                                    └── --key:  send each, wait until it is final
 *
 * With a key, two starts at the same moment send nothing twice. A start stops while the account has a transaction in no
 * block. If the other start's transaction gets into a block after the search for it, this start's nonce is used up.
 */

export const addCallOptions = (command: Command): Command =>
  command
    .requiredOption(
      '--chain <url>',
      'a node of your own choice; several, with commas, must agree on the nonce, and all are searched for a payment',
    )
    .option('--from <address>', 'who will make the call, if you give no key')
    .option('--safe <file>', 'write the calls as a transaction file for the Safe wallet')
    .option('--key <file>', 'send now, with the key in this file: an Ethereum keystore, or the bare key')
    .option('--max-fee <gwei>', 'pay at most this for a unit of gas', '300')
    .option('--max-gas <units>', 'allow each call at most this much gas', USUAL_MAX_GAS)
    .option('--yes', 'without confirmation')
    .option('--no-wait', 'end when a block has the transaction, and do not wait until it is final')

export type OpeningContext = {
  readonly config: CallConfig
  readonly genesisHash: Hex | null
  readonly role: VaultRole
  /** Whether the command has the option --replace. */
  readonly mayReplace?: boolean
  /** Finds the account if neither --from nor --key names it. Null if that is not certain. */
  readonly findHolder?: (node: ChainNode) => Promise<Address | null>
}

export async function openCaller(
  options: CallOptions,
  { config, genesisHash, role, mayReplace = false, findHolder = async () => null }: OpeningContext,
): Promise<Result<Caller, string>> {
  if (options.key !== undefined && (options.safe !== undefined || options.from !== undefined))
    return refused('--key sends at once. Leave out --safe and --from.')
  const account = options.key === undefined ? null : await readSenderKey(options.key)
  const nodes = await openNodes(options.chain, config, genesisHash)
  const [node] = nodes
  if (!node) return refused('Name a node with --chain.')
  return askNodes(async () => {
    const named = account?.address ?? (options.from === undefined ? null : addressOrRefuse(options.from))
    const address = named ?? (await findHolder(node))
    if (!address)
      return refused(`Name the ${role} who will make the call: --from ADDRESS, or --key FILE to send it now.`)
    if (!(await hasVaultRole(node, config.contracts.vault, role, address)))
      return refused(`${address} is no ${role} of the vault ${config.contracts.vault}, and only a ${role} can do this.`)
    if (!account) return ok({ node, nodes, address, signing: null, role, config })
    const isReplacing = mayReplace && options.replace === true
    // A pause can be made twice without harm. So it does not wait until two nodes agree.
    const found = await findNonce(mayReplace ? [node] : nodes, address)
    if (!found.ok) return found
    const nonce = found.value
    if (!isReplacing && (await hasPending(nodes, address, nonce)))
      return refused(
        `${address} has sent a transaction that no block has yet (nonce ${nonce}). It may be this one: run the command again when it is in a block.${mayReplace ? ' To send this in its place at a higher fee, add --replace.' : ''}`,
      )
    return ok({ node, nodes, address, signing: { account, nonce, isReplacing }, role, config })
  })
}

/**
 * The nonce of the account's next transaction. Nodes must agree on it: a call with too high a nonce could happen much
 * later, on top of a second run.
 */
async function findNonce(nodes: readonly ChainNode[], address: Address): Promise<Result<bigint, string>> {
  const counts = await Promise.all(nodes.map((node) => node.transactionCount(address, { blockTag: 'latest' })))
  const [nonce = 0n] = counts
  return counts.every((count) => count === nonce)
    ? ok(nonce)
    : refused(
        `The nodes count ${counts.join(' and ')} transactions of ${address}: one of them is behind or wrong. Nothing was done.`,
      )
}

/** Whether the account has sent a transaction that no block has. */
async function hasPending(nodes: readonly ChainNode[], address: Address, nonce: bigint): Promise<boolean> {
  const counts = await Promise.all(nodes.map((node) => node.transactionCount(address, { blockTag: 'pending' })))
  return counts.some((count) => count > nonce)
}

export async function makeCalls(
  caller: Caller,
  plan: CallPlan,
  options: CallOptions,
): Promise<Result<CallOutcome, string>> {
  const { node, address, signing } = caller
  const trials = await askNodes(() => node.tryCalls(address, plan.calls))
  for (const [index, trial] of trials.entries())
    if (trial.state === 'fails')
      return refused(`${plan.calls[index]?.name} would fail: ${describeRevert(trial.data)}. Nothing was done.`)
  const limits = {
    feeLimit: feeLimitOrRefuse(options.maxFee),
    maxGas: gasOrRefuse(options.maxGas),
    isReplacing: signing?.isReplacing ?? false,
  }
  const cost = signing ? await askNodes(() => planCost(node, address, plan.calls, limits)) : ok(null)
  if (!cost.ok) return cost
  const untried = plan.calls.filter((_call, index) => trials[index]?.state === 'untried')
  tell(
    plan.title,
    ...plan.facts.map((fact) => `  ${fact}`),
    ...plan.calls.map(({ name, purpose }) => `  Call: ${name}, ${purpose}`),
    ...untried.map(({ name }) => `  This node cannot try ${name} before the call that precedes it.`),
    ...(cost.value ? [`  ${describeCost(cost.value)}`] : []),
  )
  await confirm(signing ? `Send this as ${address}?` : 'Print the calls? Nothing is sent.', options.yes ?? false)
  return signing && cost.value
    ? sendCalls({ ...caller, signing, cost: cost.value }, plan, options)
    : prepareCalls(caller, plan, options)
}

function prepareCalls(
  { address, role, config: { chainId } }: Caller,
  { title, calls, isDoneOnce }: CallPlan,
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
      ...prepared.flatMap(({ call, to, data }) => [
        `Call:  ${call}`,
        `Chain: ${chainId}`,
        `To:    ${to}`,
        `Value: 0`,
        `Data:  ${data}`,
      ]),
      ...(safe === undefined ? [] : [`File:  ${safe} (Safe wallet: Transaction Builder, then drop the file)`]),
      `Nothing was sent. The ${role} ${address} must ${calls.length === 1 ? 'make this call' : `make these ${calls.length} calls in this order`}.`,
      ...(isDoneOnce
        ? []
        : ['Before that, look at what the wallet has done and what waits there: made twice, it happens twice.']),
    ],
    data: { sender: address, calls: prepared, safeFile: safe ?? null, transactions: [], isFinal: false },
    lastBlock: null,
    finalBlock: null,
  })
}

const POOL_READS_WITHIN_MS = 120_000

/**
 * Waits until the worker has posted this block, and then reads what the command shows. Null if that takes longer than
 * two minutes, or if the database does not answer: the money has moved, and the command must still say what it sent.
 */
export const readWhenPosted = <T>(
  db: Database,
  block: bigint,
  read: () => Promise<T>,
  waitMs = POOL_READS_WITHIN_MS,
): Promise<T | null> =>
  waitForAnswer(async () => {
    try {
      const state = await readPostedBlock(db)
      return state && state.number >= block ? await read() : null
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      return null
    }
  }, waitMs)

export const NOT_READ_YET = 'The pool has not read it yet, or does not answer: lode chain status says why.'
