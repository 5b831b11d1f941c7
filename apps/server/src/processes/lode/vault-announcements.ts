import { writeFileSync } from 'node:fs'
import { poolVaultAbi } from '@lode/contracts'
import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { formatUtc } from '../../modules/operators/index.ts'
import {
  type Announcement,
  announcementMeanings,
  readEndedAnnouncements,
  readOpenAnnouncements,
} from '../../modules/vault/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addAnnouncementsCommand(vault: Command): void {
  vault
    .command('announcements')
    .option('--all', 'also the last hundred that were carried out, withdrawn or expired')
    .description('what the vault’s administrator announced in final blocks, when it can happen and what it means')
    .action(({ all }: { all?: true }) => withPool((context) => listAnnouncements(context, all ?? false)))
}

async function listAnnouncements({ db, contracts }: PoolContext, all: boolean): Promise<Result<string, string>> {
  const open = await readOpenAnnouncements(db, contracts)
  const unlisted = open.count - open.listed.length
  const ended = all ? await readEndedAnnouncements(db, contracts) : []
  return ok(
    [
      ...(open.count === 0 ? ['Nothing is announced.'] : open.listed.flatMap(describe)),
      ...(unlisted === 0 ? [] : [`${unlisted} more are open that have no effect.`]),
      ...ended.flatMap(describe),
    ].join('\n'),
  )
}

function describe({ call: { kind, arguments: values }, callHash, state, ...times }: Announcement): string[] {
  const ended = times.endedAt ? ` on ${formatUtc(times.endedAt)}` : ''
  return [
    `${callHash}  ${state}${ended}`,
    `    ${kind}: it ${announcementMeanings[kind]}`,
    ...values.map(({ name, value, symbol }) => `    ${name}: ${value}${symbol ? ` ${symbol}` : ''}`),
    `    Announced on ${formatUtc(times.announcedAt)}; possible from ${formatUtc(times.notBefore)} to ${formatUtc(times.notAfter)}`,
  ]
}

export function addDismissCommand(vault: Command): void {
  vault
    .command('dismiss')
    .argument('[hash]', 'the hash of the announcement')
    .option('--all', 'withdraw everything that is announced until the call is made')
    .option('--file <path>', 'write the call as a transaction file for the Safe wallet')
    .description('prepare the call by which a guardian withdraws an announcement; signs and sends nothing')
    .action((hash: string | undefined, { all = false, file }: { all?: boolean; file?: string }) => {
      if (all === (hash !== undefined)) throw new ExpectedFailure('Name either the hash of one announcement, or --all.')
      if (hash !== undefined && !/^0x[0-9a-f]{64}$/i.test(hash))
        throw new ExpectedFailure(
          `${hash} is not the hash of an announcement. A hash has 0x and 64 hexadecimal digits.`,
        )
      return withPool((context) => prepareDismissal(context, (hash?.toLowerCase() as Hex | undefined) ?? null, file))
    })
}

type PreparedCall = { readonly chainId: number; readonly vault: Address; readonly name: string; readonly data: Hex }

/** `hash` null withdraws all announcements. */
async function prepareDismissal(
  { db, pool, contracts }: PoolContext,
  hash: Hex | null,
  file: string | undefined,
): Promise<Result<string, string>> {
  const { listed: open } = await readOpenAnnouncements(db, contracts)
  const withdrawn = hash === null ? open : open.filter(({ callHash }) => callHash === hash)
  const call: PreparedCall = {
    chainId: pool.chainId,
    // A vault that the pool has left can still have announcements.
    vault: withdrawn[0]?.vault ?? contracts.vault,
    ...(hash === null
      ? { name: 'withdrawAllAnnouncements()', data: withdrawAllData }
      : { name: `withdrawAnnouncement(${hash})`, data: withdrawData(hash) }),
  }
  if (file !== undefined) {
    const written = writeSafeFile(file, call)
    if (!written.ok) return written
  }
  const known = withdrawn.flatMap(describe)
  return ok(
    [
      known.length > 0
        ? 'This call withdraws:'
        : 'No final block has such an open announcement. It may be in a newer block.',
      ...known,
      'A guardian must send it; this command signs nothing.',
      `Call:  ${call.name}`,
      `Chain: ${call.chainId}`,
      `To:    ${call.vault}`,
      `Value: 0`,
      `Data:  ${call.data}`,
      ...(file === undefined ? [] : [`File:  ${file} (Safe wallet: Transaction Builder, then drop the file)`]),
    ].join('\n'),
  )
}

const withdrawAllData = encodeFunctionData({ abi: poolVaultAbi, functionName: 'withdrawAllAnnouncements' })
const withdrawData = (hash: Hex): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'withdrawAnnouncement', args: [hash] })

/** A batch of one transaction, as the Safe wallet's Transaction Builder reads it. Never overwrites a file. */
function writeSafeFile(file: string, { chainId, vault, name, data }: PreparedCall): Result<null, string> {
  const batch = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: Date.now(),
    meta: { name: 'Withdraw announcements of the vault', description: name },
    transactions: [{ to: vault, value: '0', data, contractMethod: null, contractInputsValues: null }],
  }
  try {
    writeFileSync(file, `${JSON.stringify(batch, null, 2)}\n`, { flag: 'wx' })
    return ok(null)
  } catch {
    return refused(`${file} exists already or cannot be written.`)
  }
}
