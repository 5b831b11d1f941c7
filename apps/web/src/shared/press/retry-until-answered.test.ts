import { ok, type Result, refused } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../api/index.ts'
import { retryUntilAnswered } from './retry-until-answered.ts'

const refusal = (status: number, reason: Extract<Failure, { kind: 'refused' }>['reason']): Failure => ({
  kind: 'refused',
  status,
  reason,
  serverMessage: null,
  otherwise: 'errors.requestFailed',
  fields: {},
})
const lost: Failure = { kind: 'no-response' }

/** Gives these answers in order and repeats the last one. */
function asking(answers: readonly Result<string, Failure>[], { wasSentBefore = false, leaveAfter = 99 } = {}) {
  const controller = new AbortController()
  let asked = 0
  const pauses: number[] = []
  const outcome = retryUntilAnswered({
    ask: async () => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? refused(lost)
      asked += 1
      return answer
    },
    wasSentBefore,
    onAnswerLost: () => {},
    wait: async (milliseconds) => {
      pauses.push(milliseconds)
      if (pauses.length >= leaveAfter) controller.abort()
    },
    signal: controller.signal,
  })
  return { outcome, asked: () => asked, pauses }
}

describe('a request whose answer may be lost', () => {
  it('is sent again until the pool reports the outcome', async () => {
    const broken = [refused(lost), refused(refusal(500, 'internal')), refused(refusal(503, null)), refused(lost)]
    const { outcome, asked, pauses } = asking([...broken, refused<Failure>({ kind: 'unreadable' }), ok('order')])
    expect(await outcome).toEqual({ kind: 'done', value: 'order' })
    expect(asked()).toBe(6)
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 8_000])
  })

  it('is refused for good if the pool refuses it, even after a lost answer', async () => {
    const wrong = refusal(422, 'fund-password-wrong')
    expect(await asking([refused(wrong)]).outcome).toEqual({ kind: 'refused', failure: wrong })
    const changed = refusal(409, 'plan-changed')
    expect(await asking([refused(lost), refused(changed)]).outcome).toEqual({ kind: 'refused', failure: changed })
  })

  it('is refused if the first attempt is rate limited or blocked on the way; a later attempt is sent again', async () => {
    const fast = refusal(429, 'rate-limited')
    expect(await asking([refused(fast)]).outcome).toEqual({ kind: 'refused', failure: fast })
    expect(await asking([refused(refusal(403, null))]).outcome).toMatchObject({ kind: 'refused' })
    expect(await asking([refused(lost), refused(fast), ok('order')]).outcome).toEqual({ kind: 'done', value: 'order' })
    expect(await asking([refused(fast), ok('order')], { wasSentBefore: true }).outcome).toMatchObject({ kind: 'done' })
  })

  it('stays unknown if the session ended after an attempt that may have arrived', async () => {
    const over: Failure = { kind: 'session-ended' }
    expect(await asking([refused(over)]).outcome).toEqual({ kind: 'refused', failure: over })
    expect(await asking([refused(lost), refused(over)]).outcome).toEqual({ kind: 'unknown', failure: over })
    expect(await asking([refused(over)], { wasSentBefore: true }).outcome).toEqual({ kind: 'unknown', failure: over })
  })

  it('stays unknown if the caller stops waiting', async () => {
    const { outcome, asked } = asking([refused(lost)], { leaveAfter: 3 })
    expect(await outcome).toEqual({ kind: 'unknown', failure: lost })
    expect(asked()).toBe(3)
  })
})
