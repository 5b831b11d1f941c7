import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ RATE_LIMITS: 'on' })
})
afterAll(() => api.close())

const report = (text: string) => api.call('client/report', { kind: 'error', text, build: 'index-3f9c1d.js' })

it('a report of an error in the web app is counted, scrubbed and logged', async () => {
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  expect((await report(`TypeError: no ${account}`)).status).toBe(200)
  const line = api
    .logs()
    .split('\n')
    .find((one) => one.includes('the web app reported an error'))
  expect(line).toContain('TypeError: no 0x…')
  expect(line).not.toContain(account)
  const metrics = await (await api.fetch('/metrics')).text()
  expect(metrics).toMatch(/lode_client_errors_total\{[^}]*kind="error"[^}]*\} 1/)
})

it('one address can send ten reports a minute', async () => {
  const reasons: (string | undefined)[] = []
  for (let time = 0; time < 12; time += 1) reasons.push((await report('boom')).body.reason)
  expect(reasons).toContain('rate-limited')
  expect(reasons.filter((reason) => reason === undefined).length).toBeLessThanOrEqual(10)
})
