import { type Hex, keccak256, numberToHex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { type AnnouncementEvent, listAnnouncements } from './list-announcements.ts'

const DAY = 86_400
const vault = pad('0xa0', { size: 20 })
const hashOf = (call: Hex): Hex => keccak256(call)
let transactions = 0

const event = (name: AnnouncementEvent['name'], seconds: number, call: Hex | null = null): AnnouncementEvent => {
  transactions += 1
  return {
    name,
    vault,
    tx: pad(numberToHex(transactions), { size: 32 }),
    blockTime: new Date(seconds * 1_000),
    callHash: call && hashOf(call),
    arguments:
      name === 'Announced'
        ? { call: call ?? '0x', notBefore: String(seconds + 2 * DAY), notAfter: String(seconds + 9 * DAY) }
        : {},
  }
}
const announced = (seconds: number, call: Hex): AnnouncementEvent => event('Announced', seconds, call)

/** The states, newest first, with the second at which each ended. */
const statesOf = (events: readonly AnnouncementEvent[], atSeconds: number): (string | number)[][] =>
  listAnnouncements(events, new Date(atSeconds * 1_000)).map(({ call, state, endedAt }) =>
    endedAt ? [call, state, endedAt.getTime() / 1_000] : [call, state],
  )

describe('an announcement', () => {
  it('is open until its time has passed', () => {
    const [only] = listAnnouncements([announced(100, '0x01')], new Date(100_000))
    expect(only).toMatchObject({ announcedAt: new Date(100_000), notBefore: new Date((100 + 2 * DAY) * 1_000) })
    expect(statesOf([announced(100, '0x01')], 100 + 9 * DAY)).toEqual([['0x01', 'open']])
    expect(statesOf([announced(100, '0x01')], 101 + 9 * DAY)).toEqual([['0x01', 'expired', 100 + 9 * DAY]])
  })

  it('ends when it is carried out or withdrawn, and the others stay open', () => {
    const events = [
      announced(1, '0x01'),
      announced(2, '0x02'),
      announced(3, '0x03'),
      event('AnnouncementWithdrawn', 4, '0x02'),
      event('AnnouncementUsed', 5, '0x01'),
    ]
    expect(statesOf(events, 6)).toEqual([
      ['0x03', 'open'],
      ['0x02', 'withdrawn', 4],
      ['0x01', 'done', 5],
    ])
  })

  it('is replaced by a second announcement of the same call', () => {
    expect(statesOf([announced(1, '0x01'), announced(7, '0x01')], 8)).toEqual([
      ['0x01', 'open'],
      ['0x01', 'replaced', 7],
    ])
  })

  it('has expired, and is not replaced, if the same call is announced after its time', () => {
    expect(statesOf([announced(1, '0x01'), announced(10 * DAY, '0x01')], 10 * DAY)).toEqual([
      ['0x01', 'open'],
      ['0x01', 'expired', 1 + 9 * DAY],
    ])
  })

  it('is withdrawn with all others, also if it comes later in the same second', () => {
    const events = [
      announced(1, '0x01'),
      event('AllAnnouncementsWithdrawn', 5),
      announced(5, '0x02'),
      announced(6, '0x03'),
    ]
    expect(statesOf(events, 7)).toEqual([
      ['0x03', 'open'],
      ['0x02', 'withdrawn', 5],
      ['0x01', 'withdrawn', 5],
    ])
  })

  it('of another vault stays open', () => {
    const other = { ...announced(1, '0x01'), vault: pad('0xb0', { size: 20 }) }
    expect(statesOf([other, announced(2, '0x01'), event('AllAnnouncementsWithdrawn', 3)], 4)).toEqual([
      ['0x01', 'withdrawn', 3],
      ['0x01', 'open'],
    ])
  })
})
