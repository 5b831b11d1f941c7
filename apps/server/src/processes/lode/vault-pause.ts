import { poolVaultAbi } from '@lode/contracts'
import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { formatUtc } from '../../modules/operators/index.ts'
import { type ChainNode, failureText, isNodeFailure, NodeContradiction } from '../../platform/chain/node.ts'
import type { VaultConfig } from '../../platform/config/config.ts'
import type { Caller, CallOptions } from './call-plan.ts'
import { addCallOptions, makeCalls, openCaller } from './chain-call.ts'
import { askNodes } from './open-nodes.ts'
import type { Answer } from './terminal.ts'
import { formatSeconds } from './times.ts'
import { withoutDatabase } from './with-database.ts'

/** The two calls of a guardian. They need no database: a guardian may have to pause while it is down or stolen. */
export function addPauseCommands(vault: Command): void {
  addGuardianOptions(
    vault
      .command('pause')
      .description('a guardian stops everything that the vault pays and takes, for at most seven days'),
  ).action((options: CallOptions) => withoutDatabase((config) => pause(config, options)))
  addGuardianOptions(
    vault.command('unpause').description('a guardian ends the pause of the vault before its time'),
  ).action((options: CallOptions) => withoutDatabase((config) => unpause(config, options)))
}

/** A pause must not wait behind another transaction of the guardian. */
const addGuardianOptions = (command: Command): Command =>
  addCallOptions(command).option(
    '--replace',
    'with --key: take the place of a transaction of this account that no block has',
  )

async function pause(config: VaultConfig, options: CallOptions): Promise<Result<Answer, string>> {
  const opened = await openGuardian(config, options)
  if (!opened.ok) return opened
  const { caller, vault, times } = opened.value
  if (times.isMoved) return refused(describeMoved(vault))
  if (times.now < times.pausedUntil)
    return refused(`The vault is paused already, until ${formatUtc(times.pausedUntil)}. Nothing was done.`)
  if (times.now < times.pausableFrom)
    return refused(
      `The vault cannot be paused before ${formatSeconds(times.pausableFrom)}: after a pause it runs as long as it was paused.`,
    )
  return finish(caller, options, {
    title: `Pause the vault ${vault}`,
    facts: [
      'Nobody can pay in, deposit, or be paid out. It ends by itself after seven days.',
      'After it the vault runs as long as it was paused, before it can be paused again.',
    ],
    call: { name: 'pause', purpose: 'which stops the vault', data: pauseData },
  })
}

async function unpause(config: VaultConfig, options: CallOptions): Promise<Result<Answer, string>> {
  const opened = await openGuardian(config, options)
  if (!opened.ok) return opened
  const { caller, vault, times } = opened.value
  if (times.isMoved) return refused(describeMoved(vault))
  if (times.now >= times.pausedUntil) return refused('The vault is not paused. Nothing was done.')
  return finish(caller, options, {
    title: `End the pause of the vault ${vault}`,
    facts: [`It would end by itself on ${formatUtc(times.pausedUntil)}. Payouts and payments go on at once.`],
    call: { name: 'unpause', purpose: 'which ends the pause', data: unpauseData },
  })
}

const describeMoved = (vault: Address): string =>
  `The money of ${vault} moved to the next vault: it is paused for ever.`

const pauseData = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pause' })
const unpauseData = encodeFunctionData({ abi: poolVaultAbi, functionName: 'unpause' })

type OpenedGuardian = { readonly caller: Caller; readonly vault: Address; readonly times: PauseTimes }

async function openGuardian(config: VaultConfig, options: CallOptions): Promise<Result<OpenedGuardian, string>> {
  const caller = await openCaller(options, { config, genesisHash: null, role: 'guardian', mayReplace: true })
  if (!caller.ok) return caller
  const { vault } = config.contracts
  return ok({ caller: caller.value, vault, times: await askNodes(() => readPauseTimes(caller.value.node, vault)) })
}

type PauseTimes = {
  readonly block: bigint
  readonly now: Date
  readonly pausedUntil: Date
  readonly pausableFrom: Date
  /** The vault is then paused for ever, whatever the times say. */
  readonly isMoved: boolean
}

async function readPauseTimes(node: ChainNode, address: Address): Promise<PauseTimes> {
  const vault = { address, abi: poolVaultAbi } as const
  const latest = await node.block('latest')
  if (!latest) throw new NodeContradiction('The node has no newest block.')
  const at = await node.read({ ...vault, functionName: 'pausedAt' })
  const until = await node.read({ ...vault, functionName: 'pausedUntil' })
  const successor = await node.read({ ...vault, functionName: 'successor' })
  const pausedUntil = new Date(until * 1_000)
  return {
    block: latest.number,
    now: latest.time,
    pausedUntil,
    pausableFrom: new Date((2 * until - at) * 1_000),
    isMoved: successor !== zeroAddress,
  }
}

type GuardianPlan = {
  readonly title: string
  readonly facts: readonly string[]
  readonly call: { readonly name: string; readonly purpose: string; readonly data: Hex }
}

async function finish(
  caller: Caller,
  options: CallOptions,
  { title, facts, call }: GuardianPlan,
): Promise<Result<Answer, string>> {
  const { vault } = caller.config.contracts
  const plan = { title, facts, calls: [{ ...call, to: vault }], isDoneOnce: true }
  const outcome = await makeCalls(caller, plan, options)
  if (!outcome.ok) return outcome
  const { lines, data, lastBlock } = outcome.value
  const { text, ...state } = await readState(caller, lastBlock)
  return ok({ text: [...lines, text].join('\n'), data: { ...data, ...state } })
}

const describeRunning = (pausableFrom: Date, now: Date): string =>
  pausableFrom > now
    ? `The vault is not paused. It can be paused again from ${formatSeconds(pausableFrom)} on.`
    : 'The vault is not paused.'

type PauseState = { readonly text: string; readonly pausedUntil: Date | null; readonly isMoved: boolean | null }

/** What the vault says after the call. A node that fails now must not hide what was done. */
async function readState({ node, config: { contracts } }: Caller, lastBlock: bigint | null): Promise<PauseState> {
  try {
    const { block, pausedUntil, pausableFrom, now, isMoved } = await readPauseTimes(node, contracts.vault)
    // Another server of the provider may be behind the one that had the receipt.
    if (lastBlock !== null && block < lastBlock) throw new NodeContradiction('The node is behind.')
    const until = now < pausedUntil ? pausedUntil : null
    const ending = until ? `The vault is paused until ${formatUtc(until)}.` : describeRunning(pausableFrom, now)
    return { text: isMoved ? describeMoved(contracts.vault) : ending, pausedUntil: until, isMoved }
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    const text = `Whether the vault is paused could not be read: ${failureText(error)} Run the command again to see it.`
    return { text, pausedUntil: null, isMoved: null }
  }
}
