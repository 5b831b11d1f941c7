import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { countArgon2Runs } from '../../testing/argon2-runs.ts'
import { PASSWORD, registerMember, registerWithFundPassword, type TestMember } from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const guess = async ({ wallet, token }: TestMember, password: string) => {
  const { body } = await api.call('account/transfer-lock', { account: wallet.account, days: 1, password }, { token })
  return body.reason
}

describe('guessing a fund password', () => {
  it('is locked for 15 minutes after five wrong tries', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const answers = []
    for (let tries = 0; tries < 6; tries += 1) answers.push(await guess(member, `wrong${tries}`))
    expect(answers).toEqual([...Array(4).fill('fund-password-wrong'), 'fund-password-locked', 'fund-password-locked'])
    expect(await guess(member, PASSWORD)).toBe('fund-password-locked')
    await api.clock.advance(14.5 * 60)
    expect(await guess(member, PASSWORD)).toBe('fund-password-locked')
    await api.clock.advance(31)
    expect(await guess(member, PASSWORD)).toBeUndefined()
    const { account } = member.wallet
    const log = await api.call('account/security-log', { account }, member)
    expect(log.body.data.items.map(({ kind }) => kind)).toContain('fund-password-locked')
  })

  it('has its count of tries reset by a correct password', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const cancel = (password: string) =>
      api
        .call('account/fund-password/reset/cancel', { account: member.wallet.account, password }, member)
        .then(({ body }) => body.reason)
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 0; tries < 4; tries += 1) expect(await cancel('wrong1')).toBe('fund-password-wrong')
      expect(await cancel(PASSWORD)).toBe('reset-none')
    }
  })

  it('has five new tries after the lock', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    for (let tries = 0; tries < 5; tries += 1) await guess(member, 'wrong1')
    await api.clock.advance(15 * 60 + 1)
    const answers = []
    for (let tries = 0; tries < 6; tries += 1) answers.push(await guess(member, 'wrong1'))
    expect(answers.filter((reason) => reason === 'fund-password-wrong')).toHaveLength(4)
  })

  it('takes the same time whether the password is wrong or not chosen, and no hashing once it is locked', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const unset = await registerMember(api)
    expect(await countArgon2Runs(api, () => guess(member, 'wrong1'))).toEqual({ verify: 1 })
    for (let tries = 0; tries < 4; tries += 1) await guess(member, 'wrong1')
    expect(await countArgon2Runs(api, () => guess(member, PASSWORD))).toEqual({})
    expect(await countArgon2Runs(api, () => guess(unset, PASSWORD))).toEqual({ dummy: 1 })
  })
})

describe('guessing a set-up code', () => {
  it('computes no password hash unless the code is right', async () => {
    const member = await registerMember(api)
    const choose = (setupCode: string) =>
      api.call('account/fund-password', { account: member.wallet.account, setupCode, newPassword: PASSWORD }, member)
    expect(await countArgon2Runs(api, () => choose('0000000000000000'))).toEqual({})
    expect(await countArgon2Runs(api, () => choose(member.setupCode))).toEqual({ hash: 1 })
  })

  it('lets only one of ten simultaneous calls choose the password', async () => {
    const member = await registerMember(api)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        api.call(
          'account/fund-password',
          { account: member.wallet.account, setupCode: member.setupCode, newPassword: `maple4${place}` },
          member,
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reason === 'fund-password-chosen')).toHaveLength(9)
  })
})
