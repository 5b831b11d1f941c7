import type { AnnouncementState } from '@lode/wire'
import type { Address, Hex } from 'viem'

/** An event about announcements, as it is stored. */
export type AnnouncementEvent = {
  readonly name: 'Announced' | 'AnnouncementUsed' | 'AnnouncementWithdrawn' | 'AllAnnouncementsWithdrawn'
  readonly vault: Address
  readonly tx: Hex
  readonly blockTime: Date
  /** Null if the event is about all announcements. */
  readonly callHash: Hex | null
  readonly arguments: Readonly<Record<string, string>>
}

export type Announcement = {
  readonly vault: Address
  readonly tx: Hex
  readonly callHash: Hex
  /** The call data. */
  readonly call: Hex
  readonly announcedAt: Date
  /** The call can be made from `notBefore` up to and including `notAfter`. */
  readonly notBefore: Date
  readonly notAfter: Date
  readonly state: AnnouncementState
  /** When it was carried out, withdrawn, announced again, or expired. Null while it is open. */
  readonly endedAt: Date | null
}

/**
 * Returns the announcements and what became of each, newest first. The events must be in chain order. `at` is the time
 * of the last posted block: an announcement has expired if the chain's time is past it and no final block carried it
 * out. The rules are those of `Announcements.sol`:
 *
 *     Announced ──┬── AnnouncementUsed ─────────▶ done
 *                 ├── AnnouncementWithdrawn ────▶ withdrawn
 *                 ├── AllAnnouncementsWithdrawn ▶ withdrawn, also if announced later in the same second
 *                 ├── Announced, the same call ─▶ replaced: its notice starts anew
 *                 └── notAfter passes ──────────▶ expired
 */
export function listAnnouncements(events: readonly AnnouncementEvent[], at: Date): Announcement[] {
  const announcements: Announcement[] = []
  /** Positions in `announcements`, by vault and call. */
  const openAt = new Map<string, number>()
  const allWithdrawnAt = new Map<Address, Date>()

  const end = (key: string, state: AnnouncementState, endedAt: Date): void => {
    const position = openAt.get(key)
    const announcement = position === undefined ? undefined : announcements[position]
    if (position === undefined || !announcement) return
    openAt.delete(key)
    const isExpired = endedAt > announcement.notAfter
    announcements[position] = isExpired
      ? { ...announcement, state: 'expired', endedAt: announcement.notAfter }
      : { ...announcement, state, endedAt }
  }

  for (const { name, vault, tx, blockTime, callHash, arguments: values } of events) {
    const key = `${vault}:${callHash}`
    switch (name) {
      case 'Announced': {
        end(key, 'replaced', blockTime)
        openAt.set(key, announcements.length)
        announcements.push({
          vault,
          tx,
          callHash: callHash ?? '0x',
          call: (values.call ?? '0x') as Hex,
          announcedAt: blockTime,
          notBefore: fromChainTime(values.notBefore),
          notAfter: fromChainTime(values.notAfter),
          state: 'open',
          endedAt: null,
        })
        const withdrawnAt = allWithdrawnAt.get(vault)
        if (withdrawnAt && withdrawnAt >= blockTime) end(key, 'withdrawn', withdrawnAt)
        break
      }
      case 'AnnouncementUsed':
        end(key, 'done', blockTime)
        break
      case 'AnnouncementWithdrawn':
        end(key, 'withdrawn', blockTime)
        break
      case 'AllAnnouncementsWithdrawn':
        allWithdrawnAt.set(vault, blockTime)
        for (const open of openAt.keys()) if (open.startsWith(`${vault}:`)) end(open, 'withdrawn', blockTime)
    }
  }
  for (const key of openAt.keys()) {
    const { notAfter } = announcements[openAt.get(key) ?? 0] ?? {}
    if (notAfter && at > notAfter) end(key, 'expired', at)
  }
  return announcements.toReversed()
}

const fromChainTime = (seconds = '0'): Date => new Date(Number(seconds) * 1_000)
