import { sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn, bytesOf } from '../../../platform/chain/hex-column.ts'
import { idFromChain } from '../../../platform/chain/id-on-chain.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Journal, JournalLine, JournalPayout, JournalRelease } from '../journal.ts'
import type { PayoutRow } from '../payout-row.ts'

/** A payout of the journal, with its id in the database. */
export type JournaledPayout = Omit<JournalPayout, 'id'> & { readonly id: string }

export type JournaledRelease = Omit<JournalRelease, 'payouts'> & { readonly payouts: readonly JournaledPayout[] }

/** A signed version of a release. */
export type LostVersion = Pick<JournalLine, 'at' | 'attempt' | 'hash' | 'raw' | 'maxFee' | 'maxPriorityFee'> & {
  readonly payer: Address
  readonly nonce: bigint
}

/** What the journal has and the database lacks. */
export type Lost = {
  readonly releases: readonly JournaledRelease[]
  /** The versions of lost releases, and further versions of releases that the database has. */
  readonly versions: readonly LostVersion[]
  readonly payouts: readonly JournaledPayout[]
  /** The payouts of all lost releases, also those that the database has. */
  readonly signedPayouts: ReadonlySet<string>
  /** Releases of the journal with payouts that ended without a payment in this database, for example as canceled. */
  readonly endedUnpaid: readonly EndedUnpaid[]
}

type EndedUnpaid = { readonly release: JournaledRelease; readonly payoutIds: readonly string[] }

export const NOTHING_LOST: Lost = {
  releases: [],
  versions: [],
  payouts: [],
  signedPayouts: new Set(),
  endedUnpaid: [],
}

/**
 * Finds what the database lacks. The journal may have two releases with one nonce, if the database went back before: of
 * these only the later one is restored, because the earlier one can no longer be mined, or is mined and read from the
 * chain.
 */
export async function compareWithJournal(db: Database, journal: Journal): Promise<Lost> {
  const { releases, versions } = collectReleases(journal)
  const known = await readKnownCalls(db)
  const last = new Map(releases.map((release) => [nonceKey(release), release]))
  const lacking = Array.from(last).flatMap(([key, release]) => (known.has(key) ? [] : [release]))
  const isOfRelease = ({ release }: { release: JournaledRelease }): boolean =>
    (known.get(nonceKey(release)) ?? last.get(nonceKey(release))?.call) === release.call
  const knownHashes = await readKnownHashes(db, versions)
  const journaled = new Map(releases.flatMap(({ payouts }) => payouts.map((payout) => [payout.id, payout] as const)))
  const knownPayouts = await readKnownPayouts(db, Array.from(journaled.keys()))
  return {
    releases: lacking,
    versions: versions.filter((version) => isOfRelease(version) && !knownHashes.has(version.hash)),
    payouts: Array.from(journaled.values()).filter(({ id }) => !knownPayouts.has(id)),
    signedPayouts: new Set(lacking.flatMap(({ payouts }) => payouts.map(({ id }) => id))),
    endedUnpaid: releases.flatMap((release) => {
      const ended = release.payouts.filter(({ id }) => isEndedUnpaid(knownPayouts.get(id)))
      return ended.length === 0 ? [] : [{ release, payoutIds: ended.map(({ id }) => id) }]
    }),
  }
}

type VersionOfRelease = LostVersion & { readonly release: JournaledRelease }

/** The releases in the order of the journal, and all their versions. */
function collectReleases(journal: Journal): { releases: JournaledRelease[]; versions: VersionOfRelease[] } {
  const releases: JournaledRelease[] = []
  const versions: VersionOfRelease[] = []
  // A database that went back in time uses a number again. The lines of a higher fee follow those of their release.
  const byNumber = new Map<string, JournaledRelease>()
  for (const line of journal.lines) {
    if (line.kind !== 'higherFee') {
      const begun = { ...line, payouts: line.payouts.flatMap(convertPayout) }
      byNumber.set(line.release, begun)
      releases.push(begun)
    }
    const release = byNumber.get(line.release)
    if (release) versions.push({ ...line, release, payer: release.payer, nonce: BigInt(release.nonce) })
  }
  return { releases, versions }
}

const nonceKey = ({ payer, nonce }: { payer: Address; nonce: string }): string => `${payer.toLowerCase()} ${nonce}`

function convertPayout(payout: JournalPayout): JournaledPayout[] {
  const id = idFromChain(payout.id)
  return id === null ? [] : [{ ...payout, id }]
}

/** The call of each release, by payer and nonce. */
async function readKnownCalls(db: Database): Promise<Map<string, Hex>> {
  const { rows } = await sql<{ payer: Buffer; nonce: bigint; call: Buffer }>`
    select payer, nonce, call from lode.release`.execute(db)
  return new Map(
    rows.map(({ payer, nonce, call }) => [
      nonceKey({ payer: addressFromColumn(payer), nonce: String(nonce) }),
      toHex(call),
    ]),
  )
}

async function readKnownHashes(db: Database, versions: readonly { readonly hash: Hex }[]): Promise<Set<Hex>> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from lode.release_form where hash = any (${versions.map(({ hash }) => bytesOf(hash))}::bytea[])`.execute(
    db,
  )
  return new Set(rows.map(({ hash }) => toHex(hash)))
}

/** How each payout has ended, or null if it is open. A payout that the database lacks is left out. */
async function readKnownPayouts(db: Database, ids: readonly string[]): Promise<Map<string, PayoutRow['ended']>> {
  const { rows } = await sql<{ id: string; ended: PayoutRow['ended'] }>`
    select id, ended from lode.payout where id = any (${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ended }) => [id, ended]))
}

export const isEndedUnpaid = (ended: PayoutRow['ended'] | undefined): boolean =>
  ended !== undefined && ended !== null && ended !== 'final'
