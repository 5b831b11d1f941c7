import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { registerMember, type TestMember } from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_ORIGIN: 'https://pool.example' })
})
afterAll(() => api.close())

const device = (letter: string) => letter.repeat(22)

async function logIn({ wallet }: TestMember, { sent, cookie }: { sent?: string; cookie?: string }) {
  const { body } = await api.call('sign/check', { account: wallet.account })
  const message = body.data.message ?? ''
  const input = { message, signature: await wallet.sign(message), lang: 'en' as const, ...(sent && { device: sent }) }
  const answer = await api.call('sign/login', input, cookie === undefined ? {} : { headers: { cookie } })
  expect(answer.status).toBe(200)
  return { token: answer.body.data.token, cookie: answer.headers.get('set-cookie') }
}

/** How often the server called a browser of this member new. */
async function countNewDevices({ wallet }: TestMember, token: string): Promise<number> {
  const answer = await api.call('account/security-log', { account: wallet.account }, { token })
  return answer.body.data.items.filter(({ kind }) => kind === 'device-new').length
}

describe('the cookie of a browser', () => {
  it('is set at a sign-in, for sign-ins only, and hidden from scripts', async () => {
    const { cookie } = await logIn(await registerMember(api), { sent: device('a') })
    expect(cookie).toContain(`lode-device=${device('a')};`)
    for (const attribute of ['Path=/api/sign', 'HttpOnly', 'SameSite=Strict', 'Secure'])
      expect(cookie).toContain(attribute)
  })

  it('keeps a browser known that has lost its storage', async () => {
    const member = await registerMember(api)
    await logIn(member, { sent: device('a') })
    const before = await countNewDevices(member, (await logIn(member, { sent: device('a') })).token)
    const again = await logIn(member, { sent: device('b'), cookie: `other=1; lode-device=${device('a')}` })
    expect(await countNewDevices(member, again.token)).toBe(before)
    expect(again.cookie).toContain(device('a'))
    const elsewhere = await logIn(member, { sent: device('b') })
    expect(await countNewDevices(member, elsewhere.token)).toBe(before + 1)
  })

  it('counts for nothing if it is not an id', async () => {
    const { cookie } = await logIn(await registerMember(api), { sent: device('c'), cookie: 'lode-device=<script>' })
    expect(cookie).toContain(device('c'))
  })

  it('is not set for a browser without an id', async () => {
    expect((await logIn(await registerMember(api), {})).cookie).toBeNull()
  })
})
