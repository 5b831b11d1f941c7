import { describe, expect, it } from 'vitest'
import type { TransferOrder } from './intent.ts'
import { isEnded, paceOf, standingOf, timelineOf } from './progress.ts'

const at = (minute: number) => `2026-11-15T12:0${minute}:00.000Z`
type Told = Pick<TransferOrder, 'state' | 'queue' | 'steps' | 'requestedAt' | 'holds' | 'status'>

const told = (state: TransferOrder['state'], more: Partial<Told> = {}): Told => ({
  state,
  queue: null,
  holds: [],
  status: 2,
  requestedAt: at(0),
  steps: [{ state: 'requested', at: at(0) }],
  ...more,
})
const path = (...states: TransferOrder['state'][]) => states.map((state, place) => ({ state, at: at(place) }))
const drawn = (order: Told) => timelineOf(order).map(({ row, state }) => `${row} ${state}`)

describe('the timeline of a transfer', () => {
  it('shows what is alive, what has been and what is to come', () => {
    expect(drawn(told('approved', { steps: path('requested', 'approved') }))).toEqual([
      ...['requested done', 'approved done', 'signed current', 'broadcast waiting', 'mined waiting', 'final waiting'],
    ])
    expect(drawn(told('broadcast', { steps: path('requested', 'approved', 'signed', 'broadcast') }))).toEqual([
      ...['requested done', 'approved done', 'signed done', 'broadcast done', 'mined current', 'final waiting'],
    ])
    expect(drawn(told('mined'))).toContain('mined current')
    expect(drawn(told('requested'))).toContain('approved current')
  })

  it('shows being held only where it is, and nothing of what comes after as done', () => {
    const held = told('held', { holds: [{ reason: 'device-new', endsAt: at(9) }], steps: path('requested', 'held') })
    expect(drawn(held).slice(0, 3)).toEqual(['requested done', 'held current', 'approved waiting'])
    expect(drawn(told('approved')).some((row) => row.startsWith('held'))).toBe(false)
  })

  it('stands at approved, alive, while it is queued', () => {
    const queued = told('approved', { queue: { reason: 'cap', until: null, late: false } })
    expect(drawn(queued).slice(0, 3)).toEqual(['requested done', 'approved current', 'signed waiting'])
  })

  it('steps back with the pool: a block that was taken back is not there any more', () => {
    const before = told('mined', { steps: path('requested', 'approved', 'signed', 'broadcast', 'mined') })
    const after = told('broadcast', { steps: path('requested', 'approved', 'signed', 'broadcast') })
    expect(timelineOf(before).find(({ row }) => row === 'broadcast')).toMatchObject({ state: 'done', at: at(3) })
    expect(timelineOf(after).find(({ row }) => row === 'mined')).toEqual({ row: 'mined', state: 'current', at: null })
  })

  it('is all done at its end, each with its time', () => {
    const steps = path('requested', 'approved', 'signed', 'broadcast', 'mined', 'final')
    const rows = timelineOf(told('final', { status: 1, steps }))
    expect(rows.every(({ state }) => state === 'done')).toBe(true)
    expect(rows.map((row) => row.at)).toEqual(steps.map((step) => step.at))
  })

  it('ends with what came between, where it was not paid', () => {
    for (const end of ['cancelled', 'rejected', 'reverted'] as const)
      expect(timelineOf(told(end, { status: 0, steps: path('requested', end) }))).toEqual([
        { row: 'requested', state: 'done', at: at(0) },
        { row: end, state: end === 'cancelled' ? 'done' : 'failed', at: at(1) },
      ])
  })
})

describe('where a transfer stands, in a word', () => {
  it('is held for what only time ends, and in review where somebody looks at it', () => {
    const timed = { reason: 'own-lock', endsAt: at(9) } as const
    expect(standingOf(told('held', { holds: [timed] }))).toBe('held')
    for (const reason of ['review-size', 'review-account', 'check'] as const)
      expect(standingOf(told('held', { holds: [timed, { reason, endsAt: null }] }))).toBe('review')
  })

  it('is queued where nothing holds it and it cannot leave yet', () => {
    const queued = (late: boolean) => told('approved', { queue: { reason: 'paused', until: at(9), late } })
    expect(standingOf(queued(false))).toBe('queued')
    expect(standingOf(queued(true))).toBe('late')
    expect(standingOf(told('approved'))).toBe('approved')
  })
})

describe('how often it is asked for anew', () => {
  it('is closely while it moves, calmly while it is held, and not at all at its end', () => {
    const moving = paceOf(told('broadcast', { status: 3 }))
    const held = paceOf(told('held'))
    expect(moving).toBeLessThan(held as number)
    for (const status of [0, 1] as const) {
      expect(paceOf(told('final', { status }))).toBe(false)
      expect(isEnded({ status })).toBe(true)
    }
  })
})
