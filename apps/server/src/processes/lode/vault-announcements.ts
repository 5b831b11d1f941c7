import { poolVaultAbi } from '@lode/contracts'
import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { formatUtc } from '../../modules/operators/index.ts'
import {
  type Announcement,
  announcementMeanings,
  readEndedAnnouncements,
  readOpenAnnouncements,
  readPublicAnnouncements,
} from '../../modules/vault/index.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { ExpectedFailure } from '../start-up.ts'
import { USUAL_MAX_GAS } from './call-cost.ts'
import type { CallOptions } from './call-plan.ts'
import { makeCalls } from './chain-call.ts'
import { openPoolCaller } from './open-pool-caller.ts'
import { writeSafeFile } from './safe-file.ts'
import type { Answer } from './terminal.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addAnnouncementsCommand(vault: Command): void {
  vault
    .command('announcements')
    .option('--all', 'also the last hundred that were carried out, withdrawn or expired')
    .option('--json', 'for a program: what pool/announcements answers, with those that have ended')
    .description('what the vault’s administrator announced in final blocks, when it can happen and what it means')
    .action(({ all = false, json = false }: { all?: boolean; json?: boolean }) =>
      withPool(
        (context): Promise<Result<Answer, string>> =>
          json ? printAnnouncements(context) : listAnnouncements(context, all),
      ),
    )
}

const printAnnouncements = async ({ db, contracts }: PoolContext): Promise<Result<Answer, string>> =>
  ok({ text: '', data: await readPublicAnnouncements(db, contracts) })

async function listAnnouncements({ db, contracts }: PoolContext, all: boolean): Promise<Result<string, string>> {
  const open = await readOpenAnnouncements(db, contracts)
  const unlisted = open.count - open.listed.length
  const ended = all ? await readEndedAnnouncements(db, contracts) : []
  return ok(
    [
      ...(open.count === 0 ? ['Nothing is announced.'] : open.listed.flatMap(describeIn(contracts))),
      ...(unlisted === 0 ? [] : [`${unlisted} more are open that have no effect.`]),
      ...ended.flatMap(describeIn(contracts)),
    ].join('\n'),
  )
}

/** Returns a function that describes an announcement. It names the vault only if that is a former one. */
const describeIn =
  ({ vault: present }: PoolContracts) =>
  ({ call: { kind, arguments: values }, vault, callHash, state, ...times }: Announcement): string[] => {
    const ended = times.endedAt ? ` on ${formatUtc(times.endedAt)}` : ''
    return [
      `${callHash}  ${state}${ended}`,
      ...(vault === present ? [] : [`    In the former vault ${vault}`]),
      `    ${kind}: it ${announcementMeanings[kind]}`,
      ...values.map(({ name, value, symbol }) => `    ${name}: ${value}${symbol ? ` ${symbol}` : ''}`),
      `    Announced on ${formatUtc(times.announcedAt)}; possible from ${formatUtc(times.notBefore)} to ${formatUtc(times.notAfter)}`,
    ]
  }

export function addDismissCommand(vault: Command): void {
  vault
    .command('dismiss')
    .argument('[hash]', 'the hash of the announcement')
    .option('--all', 'withdraw everything that is announced until the call is made, in every vault of the pool')
    .option('--file <path>', 'write the calls as a transaction file for the Safe wallet')
    .option('--key <file>', 'send now, with the guardian’s key in this file: an Ethereum keystore, or the bare key')
    .option('--chain <url>', 'with --key: a node of your own choice')
    .option('--max-fee <gwei>', 'with --key: pay at most this for a unit of gas', '300')
    .option('--max-gas <units>', 'with --key: allow each call at most this much gas', USUAL_MAX_GAS)
    .option('--yes', 'without confirmation')
    .option('--no-wait', 'end when a block has the transaction, and do not wait until it is final')
    .description(
      'prepare the call by which a guardian withdraws an announcement, one for each vault that has it, or send it with --key',
    )
    .action((hash: string | undefined, options: DismissOptions) => {
      const { all = false, file, key, chain } = options
      if (key !== undefined && file !== undefined) throw new ExpectedFailure('--key sends at once. Leave out --file.')
      if (key !== undefined && chain === undefined)
        throw new ExpectedFailure('--key needs a node to send by: --chain URL.')
      if (all === (hash !== undefined)) throw new ExpectedFailure('Name either the hash of one announcement, or --all.')
      if (hash !== undefined && !/^0x[0-9a-f]{64}$/i.test(hash))
        throw new ExpectedFailure(
          `${hash} is not the hash of an announcement. A hash has 0x and 64 hexadecimal digits.`,
        )
      const wanted = (hash?.toLowerCase() as Hex | undefined) ?? null
      return withPool((context) =>
        key !== undefined && chain !== undefined
          ? sendDismissal(context, wanted, { ...options, key, chain })
          : prepareDismissal(context, wanted, file),
      )
    })
}

type DismissOptions = Omit<CallOptions, 'chain' | 'from' | 'safe' | 'replace'> & {
  readonly chain?: string
  readonly all?: boolean
  readonly file?: string
}

/** A call to one vault, and the open announcements that it withdraws there. */
type PreparedCall = {
  readonly vault: Address
  readonly name: string
  readonly data: Hex
  readonly withdrawn: readonly Announcement[]
  /** How many more it withdraws, which have no effect. */
  readonly unlisted: number
}

/** Sends the calls of prepareDismissal(), one after the other. A second run withdraws nothing that is new. */
async function sendDismissal(
  context: PoolContext,
  hash: Hex | null,
  options: CallOptions,
): Promise<Result<Answer, string>> {
  const { db, contracts } = context
  const prepared = hash === null ? await withdrawAll(db, contracts) : await withdrawOne(db, contracts, hash)
  const opened = await openPoolCaller(context, options, { role: 'guardian' })
  if (!opened.ok) return opened
  const plan = {
    title: 'Withdraw announcements of the vault',
    facts: prepared.flatMap((call) => [`In the vault ${call.vault}:`, ...describeWithdrawn(call, contracts)]),
    calls: prepared.map(({ name, vault: to, data }) => ({ name, purpose: `in the vault ${to}`, to, data })),
    isDoneOnce: true,
  }
  const outcome = await makeCalls(opened.value.caller, plan, options)
  return outcome.ok ? ok({ text: outcome.value.lines.join('\n'), data: outcome.value.data }) : outcome
}

/** `hash` null withdraws all announcements. */
async function prepareDismissal(
  { db, pool: { chainId }, contracts }: PoolContext,
  hash: Hex | null,
  file: string | undefined,
): Promise<Result<string, string>> {
  const calls = hash === null ? await withdrawAll(db, contracts) : await withdrawOne(db, contracts, hash)
  if (file !== undefined) {
    const written = writeSafeFile(file, {
      chainId,
      name: 'Withdraw announcements of the vault',
      description: calls.map(({ name, vault }) => `${name} of ${vault}`).join(', '),
      calls: calls.map(({ vault: to, data }) => ({ to, data })),
    })
    if (!written.ok) return written
  }
  return ok(
    [
      ...calls.flatMap((call, index) => [
        calls.length === 1 ? 'This call withdraws:' : `Call ${index + 1} of ${calls.length} withdraws:`,
        ...describeWithdrawn(call, contracts),
        `Call:  ${call.name}`,
        `Chain: ${chainId}`,
        `To:    ${call.vault}`,
        `Value: 0`,
        `Data:  ${call.data}`,
      ]),
      ...(file === undefined ? [] : [`File:  ${file} (Safe wallet: Transaction Builder, then drop the file)`]),
      calls.length === 1
        ? 'A guardian must send it; this command signs nothing.'
        : `A guardian must send all ${calls.length} calls, each to its own vault; this command signs nothing.`,
    ].join('\n'),
  )
}

function describeWithdrawn({ withdrawn, unlisted }: PreparedCall, contracts: PoolContracts): string[] {
  if (withdrawn.length + unlisted === 0)
    return ['    what newer blocks have. No final block has an open announcement that it withdraws.']
  const more = unlisted === 0 ? [] : [`${unlisted} more that have no effect`]
  return [...withdrawn.flatMap(describeIn(contracts)), ...more]
}

/** The present vault first, the oldest one last. */
const newestFirst = (contracts: PoolContracts): Address[] => allVaultsOf(contracts).toReversed()

/**
 * One call for each vault in which something is open: a vault that the pool has left can still have announcements. The
 * present vault always has its call, because it may have announcements in blocks that are not final.
 */
async function withdrawAll(db: Database, contracts: PoolContracts): Promise<PreparedCall[]> {
  const { listed, countOf } = await readOpenAnnouncements(db, contracts)
  return newestFirst(contracts)
    .filter((vault) => vault === contracts.vault || countOf(vault) > 0)
    .map((vault) => {
      const withdrawn = listed.filter((announcement) => announcement.vault === vault)
      const unlisted = countOf(vault) - withdrawn.length
      return { vault, name: 'withdrawAllAnnouncements()', data: withdrawAllData, withdrawn, unlisted }
    })
}

/** One call for each vault in which the announcement is open; for the present vault if no final block has it. */
async function withdrawOne(db: Database, contracts: PoolContracts, hash: Hex): Promise<PreparedCall[]> {
  const { listed } = await readOpenAnnouncements(db, contracts, hash)
  return newestFirst(contracts)
    .map((vault) => ({ vault, withdrawn: listed.filter((announcement) => announcement.vault === vault) }))
    .filter(({ vault, withdrawn }) => withdrawn.length > 0 || (listed.length === 0 && vault === contracts.vault))
    .map((call) => ({ ...call, name: `withdrawAnnouncement(${hash})`, data: withdrawData(hash), unlisted: 0 }))
}

const withdrawAllData = encodeFunctionData({ abi: poolVaultAbi, functionName: 'withdrawAllAnnouncements' })
const withdrawData = (hash: Hex): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'withdrawAnnouncement', args: [hash] })
