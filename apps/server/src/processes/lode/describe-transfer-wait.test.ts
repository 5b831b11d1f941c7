import { queueReasons, transferHoldReasons, transferStates } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { describeReasons, describeTransferState } from './describe-transfer-wait.ts'

const nothingElse = { heldCheck: null, overdue: false }

describe('what a transfer waits for', () => {
  it.each(transferHoldReasons)('is told in words if it is held: %s', (reason) => {
    const words = describeReasons({ holds: [{ reason, endsAt: null }], queue: null }, nothingElse)
    expect(words).toMatch(/^(held, because|under review, because|held by a check) /)
    expect(words).not.toContain('-')
  })

  it.each(queueReasons)('is told in words if it is not on its way: %s', (reason) => {
    const words = describeReasons({ holds: [], queue: { reason, until: null, late: true } }, nothingElse)
    expect(words).toMatch(/^waits longer than usual for \w+ \w+/)
    expect(words).not.toContain('-')
  })

  it('has the end of each hold, the failed check, and whether the review is overdue', () => {
    const endsAt = new Date('2027-01-31T12:30:00Z')
    const holds = [{ reason: 'review-size', endsAt } as const, { reason: 'check', endsAt: null } as const]
    expect(describeReasons({ holds, queue: null }, { heldCheck: 'the amount differs', overdue: true })).toBe(
      'under review, because it is large, until 2027-01-31 12:30 UTC; if no operator rejects it by then, it is paid; held by a check of the signer: the amount differs; OVERDUE',
    )
  })

  it('says that a review without an end takes two operators', () => {
    const holds = [{ reason: 'review-size', endsAt: null } as const]
    expect(describeReasons({ holds, queue: null }, nothingElse)).toBe(
      'under review, because it is large, and two operators must approve or reject it',
    )
  })

  it('is nothing if it will be signed next', () => {
    expect(describeReasons({ holds: [], queue: null }, nothingElse)).toBe('will be signed next')
  })
})

it.each(transferStates)('the state %s of a transfer is told in words', (state) => {
  expect(describeTransferState(state)).toMatch(/\w/)
})
