import { availableParallelism, loadavg } from 'node:os'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApi } from '../../testing/api.ts'
import { countArgon2Runs } from '../../testing/argon2-runs.ts'
import type { TestMember } from '../../testing/member.ts'
import { audit, readBalances } from '../ledger/index.ts'
import { idOf, orderTransfer, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'

let fixture: TransferFixture
beforeEach(async () => {
  // Fewer log lines, because the test makes thousands of calls.
  fixture = await startTransferFixture({ LOG_LEVEL: 'warn' })
})
afterEach(() => fixture.close())

/** A strict time limit applies only if the machine is not busy with other work, as CI often is. */
const timeLimitMs = (): number =>
  process.env.CI || (loadavg()[0] ?? 0) > 2 * availableParallelism() ? BUSY_LIMIT_MS : 30_000
const BUSY_LIMIT_MS = 600_000
/** Each guess costs an argon2id run, which is slow by design. `pnpm deep` makes a thousand guesses. */
const GUESSES = Number(process.env.CROWD_GUESSES ?? 200)

type Answers = Awaited<ReturnType<TransferFixture['tryOrder']>>[]

const countOf = (answers: Answers, outcome: string) =>
  answers.filter(({ status, body }) => (status === 200 ? 'made' : body.reason) === outcome).length

async function stateOf(member: TestMember) {
  const id = await idOf(fixture.owner, member)
  const { USDT } = await readBalances(fixture.owner, id)
  const { rows } = await sql<{ count: number; sum: string }>`
    select count(*)::int as count, coalesce(sum(amount + fee), 0) as sum from lode.payout where member_id = ${id}`.execute(
    fixture.owner,
  )
  return {
    available: USDT.available,
    frozenOut: USDT.frozenOut,
    payouts: rows[0]?.count,
    open: BigInt(rows[0]?.sum ?? 0),
  }
}

describe('many orders at once', () => {
  it(
    '(a thousand of one member) take no more than the balance',
    async () => {
      // Enough for 27 transfers of 10 with a fee of 1. The remaining 3.5 is too little for another one.
      const member = await fixture.member({ USDT: '300.5' })
      const within = timeLimitMs()
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => fixture.tryOrder(member)))
      const took = performance.now() - began
      expect(countOf(answers, 'made')).toBe(27)
      expect(countOf(answers, 'balance-insufficient')).toBe(973)
      expect(await stateOf(member)).toEqual({
        available: 3_500_000n,
        frozenOut: 297_000_000n,
        payouts: 27,
        open: 297_000_000n,
      })
      expect((await audit(fixture.owner)).findings).toEqual([])
      expect(took).toBeLessThan(within)
    },
    BUSY_LIMIT_MS,
  )

  it(
    '(twenty of each of fifty members) take no more than each balance',
    async () => {
      const members: TestMember[] = []
      for (let count = 0; count < 50; count += 1)
        members.push(await fixture.member({ USDT: String(11 * (count % 21) + 5) }))
      const within = timeLimitMs()
      const began = performance.now()
      const answers = await Promise.all(
        members.map((member) => Promise.all(Array.from({ length: 20 }, () => fixture.tryOrder(member)))),
      )
      const took = performance.now() - began
      expect(answers.map((ofOne) => countOf(ofOne, 'made'))).toEqual(members.map((_, count) => count % 21))
      expect(answers.flat().filter(({ status }) => status !== 200 && status !== 422)).toEqual([])
      for (const [count, member] of members.entries()) {
        const open = BigInt(count % 21) * 11_000_000n
        expect(await stateOf(member)).toMatchObject({ available: 5_000_000n, frozenOut: open, open })
      }
      expect((await audit(fixture.owner)).findings).toEqual([])
      expect(took).toBeLessThan(within)
    },
    BUSY_LIMIT_MS,
  )

  it('of one member, sent to two api processes, take no more than the quota', async () => {
    const other = await startTestApi({ LOG_LEVEL: 'warn' }, fixture.api.database)
    try {
      const member = await fixture.member({ USDT: '10000' }, 1)
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, place) => orderTransfer(place % 2 ? other : fixture.api, member)),
      )
      expect([countOf(answers, 'made'), countOf(answers, 'quota-insufficient')]).toEqual([50, 50])
      expect((await fixture.terms(member)).symbols[0]?.quota).toEqual({ left: '0', total: '500' })
    } finally {
      await other.close()
    }
  })
})

describe('many guesses of the fund password at once', () => {
  it(
    `are checked five times at most, though ${GUESSES} orders come at once`,
    async () => {
      const member = await fixture.member({ USDT: '300' })
      let answers: Answers = []
      const runs = await countArgon2Runs(fixture.api, async () => {
        answers = await Promise.all(
          Array.from({ length: GUESSES }, (_, place) => fixture.tryOrder(member, { password: `Wrong${place}` })),
        )
      })
      expect(runs).toEqual({ verify: 5 })
      expect([countOf(answers, 'fund-password-wrong'), countOf(answers, 'fund-password-locked')]).toEqual([
        4,
        GUESSES - 4,
      ])
      expect((await fixture.tryOrder(member)).body.reason).toBe('fund-password-locked')
      expect(await stateOf(member)).toMatchObject({ available: 300_000_000n, payouts: 0 })
    },
    BUSY_LIMIT_MS,
  )

  it('cost no password check if the balance is too low', async () => {
    const member = await fixture.member({ USDT: '10.5' })
    const runs = await countArgon2Runs(fixture.api, () =>
      Promise.all(Array.from({ length: 100 }, () => fixture.tryOrder(member, { password: 'Wrong123' }))),
    )
    expect(runs).toEqual({})
  })
})
