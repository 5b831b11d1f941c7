import { describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, requestAndSign } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'

describe('restricted countries', () => {
  const tryToRegister = async (where: TestApi, headers: Record<string, string> = {}) => {
    const posted = await requestAndSign(where, createTestWallet(), where.rootCode)
    const terms = { ...posted, invite: where.rootCode, lang: 'en' } as const
    const { status, body } = await where.call('sign/regist', terms, { headers })
    return [status, body.reason]
  }

  it('close registration if no proxy reports the country of a request', async () => {
    const closed = await startTestApi({ RESTRICTED_COUNTRIES: 'US' })
    try {
      expect(await tryToRegister(closed, { 'cf-ipcountry': 'FR' })).toEqual([403, 'registration-closed'])
      expect(closed.logs()).toContain('registration is closed')
      expect((await logIn(closed, closed.root)).status).toBe(200)
    } finally {
      await closed.close()
    }
  })

  it('are recognized only by the header of a trusted proxy', async () => {
    const environment = { RESTRICTED_COUNTRIES: 'us, CN', COUNTRY_HEADER: 'CF-IPCountry' }
    const behindProxy = await startTestApi({ ...environment, TRUSTED_PROXIES: '127.0.0.0/8' })
    try {
      expect(await tryToRegister(behindProxy, { 'cf-ipcountry': 'US' })).toEqual([403, 'region-restricted'])
      expect(await tryToRegister(behindProxy, { 'cf-ipcountry': 'cn' })).toEqual([403, 'region-restricted'])
      expect(await tryToRegister(behindProxy)).toEqual([403, 'registration-closed'])
      expect(await tryToRegister(behindProxy, { 'cf-ipcountry': 'nowhere' })).toEqual([403, 'registration-closed'])
      expect(await tryToRegister(behindProxy, { 'cf-ipcountry': 'FR' })).toEqual([200, undefined])
    } finally {
      await behindProxy.close()
    }
    const withoutProxy = await startTestApi(environment)
    try {
      expect(await tryToRegister(withoutProxy, { 'cf-ipcountry': 'FR' })).toEqual([403, 'registration-closed'])
    } finally {
      await withoutProxy.close()
    }
  })
})
