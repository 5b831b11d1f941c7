import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { soon, startTestPool, type TestPool } from '../../testing/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1 })
  await pool.startWorker()
}, 60_000)
afterAll(() => pool.close())

const readiness = async (url: string) => {
  const answer = await fetch(new URL('/readyz', url))
  return { code: answer.status, ...((await answer.json()) as { status: string }) }
}

describe('the signer', { timeout: 60_000 }, () => {
  it('is ready where its key may pay, and says so where it may not', async () => {
    const signer = await pool.startSigner()
    await soon(async () => expect(await readiness(signer.url)).toEqual({ code: 200, status: 'ready' }))
    await signer.close()
    const other = await pool.startSigner({ PAYER_KEY: pool.keys.guardian })
    const { address } = pool.key('guardian')
    await soon(async () =>
      expect(await readiness(other.url)).toEqual({ code: 503, status: `${address} is not a payer of the vault` }),
    )
    await other.close()
  })
})
