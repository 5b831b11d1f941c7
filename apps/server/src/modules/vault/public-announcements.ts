import type { AnnouncementKind, DataOf } from '@lode/wire'
import type { Address, Hex } from 'viem'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { announcementMeanings } from './announced-call.ts'
import type { Announcement } from './announcement.ts'
import { readEndedAnnouncements, readOpenAnnouncements } from './queries.ts'

type PublicAnnouncements = DataOf<'pool/announcements'>

export async function readPublicAnnouncements(db: Database, pool: PoolContracts): Promise<PublicAnnouncements> {
  const { listed, count } = await readOpenAnnouncements(db, pool)
  const ended = await readEndedAnnouncements(db, pool)
  return { openCount: count, open: listed.map(describePublicly), ended: ended.map(describePublicly) }
}

const describePublicly = ({
  vault,
  tx,
  callHash,
  call: { kind, arguments: values },
  announcedAt,
  notBefore,
  notAfter,
  state,
  endedAt,
}: Announcement): PublicAnnouncements['open'][number] => ({
  kind,
  arguments: [...values],
  state,
  vault,
  tx,
  callHash,
  announcedAt: announcedAt.toISOString(),
  notBefore: notBefore.toISOString(),
  notAfter: notAfter.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
})

/** An open announcement in the words of the worker's alarm. */
type AnnouncementReport = {
  /** Differs if the same call is announced again. */
  readonly id: string
  readonly kind: AnnouncementKind
  readonly meaning: string
  readonly arguments: Readonly<Record<string, string>>
  readonly notBefore: string
  readonly vault: Address
  readonly callHash: Hex
}

export type OpenAnnouncementsReport = {
  readonly reports: readonly AnnouncementReport[]
  /** How many more are open. They have no effect. */
  readonly unlisted: number
}

export async function reportOpenAnnouncements(db: Database, pool: PoolContracts): Promise<OpenAnnouncementsReport> {
  const { listed, count } = await readOpenAnnouncements(db, pool)
  const reports = listed.map(({ call: { kind, arguments: values }, callHash, tx, vault, notBefore }) => ({
    id: `${tx}:${callHash}`,
    kind,
    meaning: announcementMeanings[kind],
    arguments: Object.fromEntries(values.map(({ name, value }) => [name, value])),
    notBefore: notBefore.toISOString(),
    vault,
    callHash,
  }))
  return { reports, unlisted: count - listed.length }
}
