import { availableParallelism, loadavg } from 'node:os'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApi } from '../../testing/api.ts'
import { runsOf } from '../../testing/argon2-runs.ts'
import type { TestMember } from '../../testing/member.ts'
import { audit, balances } from '../ledger/index.ts'
import { idOf, type Office, openOffice, orderTransfer } from './testing/office.ts'

let office: Office
beforeEach(async () => {
  // Fewer log lines, because the test makes thousands of calls.
  office = await openOffice({ LOG_LEVEL: 'warn' })
})
afterEach(() => office.close())

/** A strict time limit applies only if the machine is not busy with other work. */
const mayTakeMs = (): number => ((loadavg()[0] ?? 0) > 2 * availableParallelism() ? PATIENCE_MS : 30_000)
const PATIENCE_MS = 600_000
/** Each guess costs an argon2id run, which is slow by design. `pnpm deep` makes a thousand guesses. */
const GUESSES = Number(process.env.CROWD_GUESSES ?? 200)

type Answers = Awaited<ReturnType<Office['order']>>[]

const countOf = (answers: Answers, outcome: string) =>
  answers.filter(({ status, body }) => (status === 200 ? 'made' : body.reason) === outcome).length

async function stateOf(member: TestMember) {
  const id = await idOf(office.owner, member)
  const { USDT } = await balances(office.owner, id)
  const { rows } = await sql<{ count: number; sum: string }>`
    select count(*)::int as count, coalesce(sum(amount + fee), 0) as sum from lode.payout where member_id = ${id}`.execute(
    office.owner,
  )
  return {
    available: USDT.available,
    frozenOut: USDT.frozenOut,
    payouts: rows[0]?.count,
    open: BigInt(rows[0]?.sum ?? 0),
  }
}

describe('a crowd of orders', () => {
  it(
    'of one member, a thousand at once, takes what there is and no more',
    async () => {
      // Enough for 27 transfers of 10 with a fee of 1. The remaining 3.5 is too little for another one.
      const member = await office.member({ USDT: '300.5' })
      const within = mayTakeMs()
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => office.order(member)))
      const took = performance.now() - began
      expect(countOf(answers, 'made')).toBe(27)
      expect(countOf(answers, 'balance-insufficient')).toBe(973)
      expect(await stateOf(member)).toEqual({
        available: 3_500_000n,
        frozenOut: 297_000_000n,
        payouts: 27,
        open: 297_000_000n,
      })
      expect((await audit(office.owner)).findings).toEqual([])
      expect(took).toBeLessThan(within)
    },
    PATIENCE_MS,
  )

  it(
    'of fifty members, twenty each at once, takes what each has and no more',
    async () => {
      const members: TestMember[] = []
      for (let count = 0; count < 50; count += 1)
        members.push(await office.member({ USDT: String(11 * (count % 21) + 5) }))
      const within = mayTakeMs()
      const began = performance.now()
      const answers = await Promise.all(
        members.map((member) => Promise.all(Array.from({ length: 20 }, () => office.order(member)))),
      )
      const took = performance.now() - began
      expect(answers.map((ofOne) => countOf(ofOne, 'made'))).toEqual(members.map((_, count) => count % 21))
      expect(answers.flat().filter(({ status }) => status !== 200 && status !== 422)).toEqual([])
      for (const [count, member] of members.entries()) {
        const open = BigInt(count % 21) * 11_000_000n
        expect(await stateOf(member)).toMatchObject({ available: 5_000_000n, frozenOut: open, open })
      }
      expect((await audit(office.owner)).findings).toEqual([])
      expect(took).toBeLessThan(within)
    },
    PATIENCE_MS,
  )

  it('of one member to two processes takes the quota and no more', async () => {
    const other = await startTestApi({ LOG_LEVEL: 'warn' }, office.api.database)
    try {
      const member = await office.member({ USDT: '10000' }, 1)
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, place) => orderTransfer(place % 2 ? other : office.api, member)),
      )
      expect([countOf(answers, 'made'), countOf(answers, 'quota-insufficient')]).toEqual([50, 50])
      expect((await office.terms(member)).symbols[0]?.quota).toEqual({ left: '0', total: '500' })
    } finally {
      await other.close()
    }
  })
})

describe('a crowd of guesses at the fund password', () => {
  it(
    `has five verified at most, by argon2id alone, though ${GUESSES} orders come at once`,
    async () => {
      const member = await office.member({ USDT: '300' })
      let answers: Answers = []
      const runs = await runsOf(office.api, async () => {
        answers = await Promise.all(
          Array.from({ length: GUESSES }, (_, place) => office.order(member, { password: `Wrong${place}` })),
        )
      })
      expect(runs).toEqual({ verify: 5, dummy: GUESSES - 5 })
      expect([countOf(answers, 'fund-password-wrong'), countOf(answers, 'fund-password-locked')]).toEqual([
        4,
        GUESSES - 4,
      ])
      expect((await office.order(member)).body.reason).toBe('fund-password-locked')
      expect(await stateOf(member)).toMatchObject({ available: 300_000_000n, payouts: 0 })
    },
    PATIENCE_MS,
  )

  it('costs nothing where the balance is used up', async () => {
    const member = await office.member({ USDT: '10.5' })
    const runs = await runsOf(office.api, () =>
      Promise.all(Array.from({ length: 100 }, () => office.order(member, { password: 'Wrong123' }))),
    )
    expect(runs).toEqual({})
  })
})
