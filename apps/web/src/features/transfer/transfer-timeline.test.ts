import { describe, expect, it } from 'vitest'
import type { TransferOrder } from './transfer-press.ts'
import { buildTimeline, findHoldEnd, isEnded, pollInterval, shownTransferState } from './transfer-timeline.ts'

const at = (minute: number) => `2026-11-15T12:0${minute}:00.000Z`
type TransferFields = Pick<TransferOrder, 'state' | 'queue' | 'steps' | 'requestedAt' | 'holds' | 'status'>

const transfer = (state: TransferOrder['state'], more: Partial<TransferFields> = {}): TransferFields => ({
  state,
  queue: null,
  holds: [],
  status: 2,
  requestedAt: at(0),
  steps: [{ state: 'requested', at: at(0) }],
  ...more,
})
const path = (...states: TransferOrder['state'][]) => states.map((state, place) => ({ state, at: at(place) }))
const drawn = (order: TransferFields) => buildTimeline(order).map(({ row, state }) => `${row} ${state}`)

describe('the timeline of a transfer', () => {
  it('shows the done, current and coming steps', () => {
    expect(drawn(transfer('approved', { steps: path('requested', 'approved') }))).toEqual([
      ...['requested done', 'approved done', 'signed current', 'broadcast waiting', 'mined waiting', 'final waiting'],
    ])
    expect(drawn(transfer('broadcast', { steps: path('requested', 'approved', 'signed', 'broadcast') }))).toEqual([
      ...['requested done', 'approved done', 'signed done', 'broadcast done', 'mined current', 'final waiting'],
    ])
    expect(drawn(transfer('mined'))).toContain('mined current')
    expect(drawn(transfer('requested'))).toContain('approved current')
  })

  it('shows the hold only if the transfer is held, and no later step as done', () => {
    const held = transfer('held', {
      holds: [{ reason: 'device-new', endsAt: at(9) }],
      steps: path('requested', 'held'),
    })
    expect(drawn(held).slice(0, 3)).toEqual(['requested done', 'held current', 'approved waiting'])
    expect(drawn(transfer('approved')).some((row) => row.startsWith('held'))).toBe(false)
  })

  it('has the approval as its current step while the transfer is queued', () => {
    const queued = transfer('approved', { queue: { reason: 'cap', until: null, late: false } })
    expect(drawn(queued).slice(0, 3)).toEqual(['requested done', 'approved current', 'signed waiting'])
  })

  it('goes back a step when a reorganization removes the block', () => {
    const before = transfer('mined', { steps: path('requested', 'approved', 'signed', 'broadcast', 'mined') })
    const after = transfer('broadcast', { steps: path('requested', 'approved', 'signed', 'broadcast') })
    expect(buildTimeline(before).find(({ row }) => row === 'broadcast')).toMatchObject({ state: 'done', at: at(3) })
    expect(buildTimeline(after).find(({ row }) => row === 'mined')).toEqual({
      row: 'mined',
      state: 'current',
      at: null,
    })
  })

  it('shows all steps as done, each with its time, once the transfer is final', () => {
    const steps = path('requested', 'approved', 'signed', 'broadcast', 'mined', 'final')
    const rows = buildTimeline(transfer('final', { status: 1, steps }))
    expect(rows.every(({ state }) => state === 'done')).toBe(true)
    expect(rows.map((row) => row.at)).toEqual(steps.map((step) => step.at))
  })

  it('ends with the cancellation, rejection or revert if the transfer was not paid', () => {
    for (const end of ['cancelled', 'rejected', 'reverted'] as const)
      expect(buildTimeline(transfer(end, { status: 0, steps: path('requested', end) }))).toEqual([
        { row: 'requested', state: 'done', at: at(0) },
        { row: end, state: end === 'cancelled' ? 'done' : 'failed', at: at(1) },
      ])
  })
})

describe('the shown state of a transfer', () => {
  it('is held if time ends every hold, and in review if operators decide', () => {
    const timed = { reason: 'own-lock', endsAt: at(9) } as const
    expect(shownTransferState(transfer('held', { holds: [timed] }))).toBe('held')
    for (const reason of ['review-size', 'review-account', 'check'] as const)
      expect(shownTransferState(transfer('held', { holds: [timed, { reason, endsAt: null }] }))).toBe('review')
  })

  it('is held until the last of its holds ends, if time ends them all', () => {
    const first = { reason: 'own-lock', endsAt: at(7) } as const
    const last = { reason: 'device-new', endsAt: at(9) } as const
    expect(findHoldEnd(transfer('held', { holds: [last, first] }))).toBe(at(9))
    expect(findHoldEnd(transfer('held', { holds: [last, { reason: 'review-account', endsAt: at(8) }] }))).toBeNull()
    expect(findHoldEnd(transfer('held', { holds: [last, { reason: 'own-lock', endsAt: null }] }))).toBeNull()
    expect(findHoldEnd(transfer('approved'))).toBeNull()
  })

  it('is queued if no hold is left and the transfer cannot be paid yet', () => {
    const queued = (late: boolean) => transfer('approved', { queue: { reason: 'paused', until: at(9), late } })
    expect(shownTransferState(queued(false))).toBe('queued')
    expect(shownTransferState(queued(true))).toBe('late')
    expect(shownTransferState(transfer('approved'))).toBe('approved')
  })
})

describe('the refresh interval of a transfer', () => {
  it('is short while the transfer progresses, longer while it is held, and off once it has ended', () => {
    const moving = pollInterval(transfer('broadcast', { status: 3 }))
    const held = pollInterval(transfer('held'))
    expect(moving).toBeLessThan(held as number)
    for (const status of [0, 1] as const) {
      expect(pollInterval(transfer('final', { status }))).toBe(false)
      expect(isEnded({ status })).toBe(true)
    }
  })
})
