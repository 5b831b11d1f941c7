import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { readClock } from '../../platform/clock/clock.ts'
import type { ChainConfig } from '../../platform/config/config.ts'
import { firstVaultOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { ReadAcknowledgedRestores } from '../operators/index.ts'
import { type JournalDecision, type JournalPayout, type JournalRelease, readJournalFile } from './journal.ts'
import { checkLinesInDatabase, checkRestoreAcknowledged, findAcknowledgedLines } from './journal-check.ts'
import { readJournalDecisions } from './journal-decisions.ts'
import { type JournalFile, openJournalFile } from './journal-file.ts'
import { type PayoutRow, readPayouts } from './payout-row.ts'
import type { Release, SignedVersion } from './releases.ts'

/** Each turn compares this many of the newest lines with the database; the first turn on a connection compares all. */
const LINES_PER_TURN = 50

export type SignerJournal = ReturnType<typeof createSignerJournal>

type JournalOptions = {
  readonly path: string | null
  readonly chain: ChainConfig
  readonly log: Logger
  readonly readAcknowledged: ReadAcknowledgedRestores
}

/**
 * Lists in a file every signed transaction before it is sent, and recognizes by that file a database that went back in
 * time. Its functions throw a `JournalProblem` if nothing may be sent or signed. Without a path they do nothing;
 * production requires one.
 */
export function createSignerJournal({ path, chain, log, readAcknowledged }: JournalOptions) {
  const owner = { chainId: chain.id, vault: firstVaultOf(chain.contracts) }
  /** Open from the first turn on a database connection until a problem, or until the next connection. */
  let opened: { file: JournalFile; connection: Database; acknowledgedLines: number } | null = null

  async function close(): Promise<void> {
    const file = opened?.file
    opened = null
    await file?.close().catch(() => {})
  }

  async function open(connection: Database, from: string): Promise<void> {
    await close()
    const file = await openJournalFile(from, owner)
    try {
      const acknowledged = await readAcknowledged(connection)
      const acknowledgedLines = findAcknowledgedLines(acknowledged, await readJournalFile(from))
      await checkLinesInDatabase(
        connection,
        file.lines.filter(({ line }) => line > acknowledgedLines),
      )
      opened = { file, connection, acknowledgedLines }
      log.info({ lines: file.lines.length }, 'every release of the journal is in the database')
    } catch (error) {
      await file.close()
      throw error
    }
  }

  return {
    close,

    /** Runs before every turn. Compares the journal with the database. */
    async check(connection: Database): Promise<void> {
      await checkRestoreAcknowledged(connection, readAcknowledged)
      if (path === null) return
      if (opened?.connection !== connection) return open(connection, path)
      const { file, acknowledgedLines } = opened
      await checkLinesInDatabase(
        connection,
        file.lines.slice(-LINES_PER_TURN).filter(({ line }) => line > acknowledgedLines),
      )
    },

    /** Returns once this version of a stored release is in the journal, so that it may be sent. */
    async record(connection: Database, release: Release, version: SignedVersion): Promise<void> {
      if (path === null) return
      if (opened?.connection !== connection) throw new Error('the journal was not compared with this database')
      const { file } = opened
      if (file.has(version.hash)) return
      faultPoint('signer:before-journal')
      const signed = await describeVersion(connection, release, version)
      const isKnown = file.lines.some((line) => line.kind !== 'higherFee' && isSameRelease(line, release))
      await file.append(
        isKnown ? { ...signed, kind: 'higherFee' } : { ...signed, ...(await describeRelease(connection, release)) },
      )
      faultPoint('signer:after-journal')
    },
  }
}

/** A database that went back in time may give the number of a lost release to another one. */
const isSameRelease = (line: JournalRelease, { number, payer, nonce, call }: Release): boolean =>
  line.release === String(number) && line.payer === payer && line.nonce === String(nonce) && line.call === call

const describeVersion = async (connection: Database, { number }: Release, version: SignedVersion) => ({
  at: (await readClock(connection)).toISOString(),
  release: String(number),
  attempt: version.attempt,
  hash: version.hash,
  raw: version.raw,
  maxFee: String(version.maxFee),
  maxPriorityFee: String(version.maxPriorityFee),
})

async function describeRelease(connection: Database, { number, kind, payer, nonce, call, gas }: Release) {
  const payouts = await readPayouts(connection, sql`where release_number = ${number} order by number`)
  const accounts = await readAccounts(connection, payouts)
  const decisions = await readJournalDecisions(connection, payouts)
  const { rows } = await sql<{ burned: string | null }>`
    select burned from lode.release where number = ${number}`.execute(connection)
  return {
    kind,
    payer,
    nonce: String(nonce),
    call,
    gas: String(gas),
    payouts: payouts.map((payout) => describePayout(payout, accounts, decisions)),
    burn: rows[0]?.burned ?? null,
  }
}

const describePayout = (
  payout: PayoutRow,
  accounts: ReadonlyMap<bigint, Address>,
  decisions: ReadonlyMap<bigint, JournalDecision>,
): JournalPayout => ({
  id: idOnChain(payout.id),
  number: String(payout.number),
  kind: payout.kind,
  member: payout.memberId === null ? null : (accounts.get(payout.memberId) ?? null),
  asset: payout.asset,
  amount: String(payout.amount),
  fee: String(payout.fee),
  feeBurned: String(payout.feeBurned),
  to: payout.address,
  requestedAt: payout.requestedAt.toISOString(),
  planVersion: payout.planVersion,
  level: payout.level,
  addressBoundAt: payout.addressBoundAt?.toISOString() ?? null,
  deviceSeenAt: payout.deviceSeenAt?.toISOString() ?? null,
  paidFrom: payout.paidFrom,
  purpose: payout.purpose,
  decisionId: payout.decisionId === null ? null : String(payout.decisionId),
  decision: payout.decisionId === null ? null : (decisions.get(payout.decisionId) ?? null),
})

async function readAccounts(connection: Database, payouts: readonly PayoutRow[]): Promise<Map<bigint, Address>> {
  const ids = payouts.flatMap(({ memberId }) => memberId ?? [])
  const { rows } = await sql<{ id: bigint; account: Buffer }>`
    select id, account from lode.member where id = any (${ids.map(String)}::bigint[])`.execute(connection)
  return new Map(rows.map(({ id, account }) => [id, addressFromColumn(account)]))
}
