import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { countArgon2Runs } from '../../testing/argon2-runs.ts'
import { PASSWORD, registerMember, registerWithFundPassword, type TestMember } from '../../testing/member.ts'

let api: TestApi
beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

/** Calls the api without sockets: a thousand connections at once would test the machine. */
const guess = async ({ wallet, token }: TestMember, password: string): Promise<string | undefined> => {
  const answer = await api.app.inject({
    method: 'POST',
    url: '/api/account/transfer-lock',
    headers: { authorization: `Bearer ${token}` },
    payload: { account: wallet.account, days: 1, password },
  })
  return answer.json<{ reason?: string }>().reason
}

/** Long, because a busy machine is slow and this test does not measure time. */
const PATIENCE_MS = 600_000
/** Each guess costs an argon2id run, which is slow by design. `pnpm deep` makes a thousand guesses. */
const GUESSES = Number(process.env.CROWD_GUESSES ?? 200)

describe('many guesses at the same time', () => {
  it(
    `cause at most five verifications, though ${GUESSES} are made`,
    async () => {
      const member = await registerWithFundPassword(api, PASSWORD)
      const answers: (string | undefined)[] = []
      const { verify = 0 } = await countArgon2Runs(api, async () => {
        const guesses = Array.from({ length: GUESSES }, (_, place) => guess(member, `wrong${place}`))
        answers.push(...(await Promise.all(guesses)))
        // Some guesses may have been refused because the queue was full. This loop uses up the remaining tries.
        while ((await guess(member, 'wrong1')) !== 'fund-password-locked');
      })
      expect(verify).toBeGreaterThan(0)
      expect(verify).toBeLessThanOrEqual(5)
      expect(['fund-password-wrong', 'fund-password-locked', 'unavailable']).toEqual(
        expect.arrayContaining([...new Set(answers)]),
      )
      expect(await guess(member, PASSWORD)).toBe('fund-password-locked')
    },
    PATIENCE_MS,
  )

  it(
    'do not delay the calls of other members',
    async () => {
      const [guesser, other] = [await registerWithFundPassword(api, PASSWORD), await registerMember(api)]
      let guessing = true
      const guesses = Promise.all(Array.from({ length: 200 }, () => guess(guesser, 'wrong1'))).then(() => {
        guessing = false
      })
      for (let call = 0; call < 5; call += 1)
        expect((await api.call('account/profile', { account: other.wallet.account }, other)).status).toBe(200)
      expect(guessing, 'the other calls were answered while guesses were still queued').toBe(true)
      await guesses
    },
    PATIENCE_MS,
  )
})
