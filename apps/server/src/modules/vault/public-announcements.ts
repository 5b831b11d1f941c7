import type { AnnouncementKind, DataOf } from '@lode/wire'
import type { Hex } from 'viem'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { announcementMeanings, readAnnouncedCall } from './announced-call.ts'
import type { Announcement } from './list-announcements.ts'
import { readAnnouncements } from './queries.ts'

type PublicAnnouncements = DataOf<'pool/announcements'>

/** The most announcements in the answer, of the open and of the ended ones. */
const MAX_ITEMS = 100

/** The open announcements, the one that can happen first at the top, and those that have ended, the last one first. */
export async function readPublicAnnouncements(db: Database, pool: PoolContracts): Promise<PublicAnnouncements> {
  const announcements = await readAnnouncements(db)
  const open = announcements.filter(isOpen).toReversed()
  const endTime = ({ endedAt }: Announcement): number => endedAt?.getTime() ?? 0
  const ended = announcements
    .filter((announcement) => !isOpen(announcement))
    .toSorted((one, other) => endTime(other) - endTime(one))
  const describe = (announcement: Announcement) => describePublicly(announcement, pool)
  return {
    openCount: open.length,
    open: open.slice(0, MAX_ITEMS).map(describe),
    ended: ended.slice(0, MAX_ITEMS).map(describe),
  }
}

export const isOpen = ({ state }: Announcement): boolean => state === 'open'

const describePublicly = (
  { vault, tx, callHash, call, announcedAt, notBefore, notAfter, state, endedAt }: Announcement,
  pool: PoolContracts,
): PublicAnnouncements['open'][number] => {
  const { kind, arguments: values } = readAnnouncedCall(call, pool)
  return {
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
  }
}

/** An open announcement in the words of the worker's alarm. */
export type AnnouncementReport = {
  /** Differs if the same call is announced again. */
  readonly id: string
  readonly kind: AnnouncementKind
  readonly meaning: string
  readonly arguments: Readonly<Record<string, string>>
  readonly notBefore: string
  readonly callHash: Hex
}

export async function reportOpenAnnouncements(db: Database, pool: PoolContracts): Promise<AnnouncementReport[]> {
  return (await readAnnouncements(db)).filter(isOpen).map(({ call, callHash, tx, notBefore }) => {
    const { kind, arguments: values } = readAnnouncedCall(call, pool)
    return {
      id: `${tx}:${callHash}`,
      kind,
      meaning: announcementMeanings[kind],
      arguments: Object.fromEntries(values.map(({ name, value }) => [name, value])),
      notBefore: notBefore.toISOString(),
      callHash,
    }
  })
}
