import type { AnnouncementState } from '@lode/wire'
import type { Address, Hex } from 'viem'
import type { AnnouncedCall } from './announced-call.ts'

export type Announcement = {
  readonly vault: Address
  readonly tx: Hex
  readonly callHash: Hex
  readonly call: AnnouncedCall
  readonly announcedAt: Date
  /** The call can be made from `notBefore` up to and including `notAfter`. */
  readonly notBefore: Date
  readonly notAfter: Date
  readonly state: AnnouncementState
  /** When it was carried out, withdrawn, announced again, or expired. Null while it is open. */
  readonly endedAt: Date | null
}

/** The first event that ends an announcement if its time has not passed. */
export type EndingEvent = {
  readonly name: 'Announced' | 'AnnouncementUsed' | 'AnnouncementWithdrawn' | 'AllAnnouncementsWithdrawn'
  readonly blockTime: Date
}

/**
 * What became of an announcement. `at` is the time of the last posted block: an announcement has expired if the chain's
 * time is past it and no final block carried it out. The rules are those of `Announcements.sol`:
 *
 *     Announced ──┬── AnnouncementUsed ─────────▶ done
 *                 ├── AnnouncementWithdrawn ────▶ withdrawn
 *                 ├── AllAnnouncementsWithdrawn ▶ withdrawn, also if announced later in the same second
 *                 ├── Announced, the same call ─▶ replaced: its notice starts anew
 *                 └── notAfter passes ──────────▶ expired
 */
export function judgeAnnouncement(
  notAfter: Date,
  ending: EndingEvent | null,
  at: Date,
): Pick<Announcement, 'state' | 'endedAt'> {
  if ((ending?.blockTime ?? at) > notAfter) return { state: 'expired', endedAt: notAfter }
  return ending ? { state: stateAfter[ending.name], endedAt: ending.blockTime } : { state: 'open', endedAt: null }
}

const stateAfter = {
  Announced: 'replaced',
  AnnouncementUsed: 'done',
  AnnouncementWithdrawn: 'withdrawn',
  AllAnnouncementsWithdrawn: 'withdrawn',
} as const satisfies Record<EndingEvent['name'], AnnouncementState>
